package limits

import (
	"strings"
	"testing"

	"ttftop/probe"
)

func TestCheck(t *testing.T) {
	real := []probe.Target{{Endpoint: &probe.Endpoint{}}, {Endpoint: &probe.Endpoint{}}}
	simulated := []probe.Target{{Endpoint: &probe.Endpoint{Simulated: true}}, {Endpoint: &probe.Endpoint{Simulated: true}}}
	s := probe.Settings{Knobs: []probe.Knobs{{Pressure: 10}, {Pressure: 20}}}
	// 8 in use, 16 spare, 30 streams, 2 × 16 probes.
	if err := check(real, s, 16, 86, 8); err != nil {
		t.Errorf("just enough: %v", err)
	}
	err := check(real, s, 16, 85, 8)
	if err == nil || !strings.Contains(err.Error(), "limit of 85 open files allows about 29 load streams") || !strings.Contains(err.Error(), "ulimit -n 86") {
		t.Errorf("one short: %v", err)
	}
	if err := check(simulated, s, 16, 147, 8); err == nil || !strings.Contains(err.Error(), "about 29 load streams") {
		t.Errorf("both ends are here: %v", err)
	}
	if err := check(real, s, 16, 8, 8); err == nil || !strings.Contains(err.Error(), "about 0 load streams") {
		t.Errorf("far too few: %v", err)
	}
	if err := Check(nil, probe.Settings{}, 0); err != nil {
		t.Errorf("nothing asked for: %v", err)
	}
}
