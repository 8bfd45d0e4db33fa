package limits

import (
	"strings"
	"testing"

	"ttftop/probe"
)

func TestCheck(t *testing.T) {
	two := probe.Settings{Knobs: []probe.Knobs{{Pressure: 10}, {Pressure: 20}}}
	// 32 spare, 30 streams, 2 × 16 probes.
	if err := check(two, 16, 94); err != nil {
		t.Errorf("just enough: %v", err)
	}
	err := check(two, 16, 93)
	if err == nil || !strings.Contains(err.Error(), "limit of 93 open files allows about 29 load streams") || !strings.Contains(err.Error(), "ulimit -n 94") {
		t.Errorf("one short: %v", err)
	}
	if err := check(two, 16, 8); err == nil || !strings.Contains(err.Error(), "about 0 load streams") {
		t.Errorf("far too few: %v", err)
	}
	if err := Check(probe.Settings{}, 0); err != nil {
		t.Errorf("nothing asked for: %v", err)
	}
}
