package limits

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"ttftop/probe"
)

var (
	real      = []probe.Target{{Endpoint: &probe.Endpoint{}}, {Endpoint: &probe.Endpoint{}}}
	simulated = []probe.Target{{Endpoint: &probe.Endpoint{Simulated: true}}, {Endpoint: &probe.Endpoint{Simulated: true}}}
)

// pressures are settings with those.
func pressures(all ...int) (s probe.Settings) {
	for _, n := range all {
		s.Knobs = append(s.Knobs, probe.Knobs{Pressure: n})
	}
	return s
}

func room(limit uint64) Room { return Room{limit: limit, used: 8, known: true} }

func TestCheck(t *testing.T) {
	s := pressures(10, 20)
	// 8 in use, 16 spare, 30 streams, 2 × (16 probes and 2 others).
	if err := room(90).Check(real, s, 16); err != nil {
		t.Errorf("just enough: %v", err)
	}
	err := room(89).Check(real, s, 16)
	if err == nil || !strings.Contains(err.Error(), "limit of 89 open files allows about 29 load streams") || !strings.Contains(err.Error(), "ulimit -n 90") {
		t.Errorf("one short: %v", err)
	}
	if err := room(155).Check(simulated, s, 16); err == nil || !strings.Contains(err.Error(), "about 29 load streams") {
		t.Errorf("both ends are here: %v", err)
	}
	if err := room(8).Check(real, s, 16); err == nil || !strings.Contains(err.Error(), "about 0 load streams") {
		t.Errorf("far too few: %v", err)
	}
	if err := room(50).Check(real, pressures(0, 0), 16); err == nil || err.Error() != "the limit of 50 open files is too low: raise it with ulimit -n 60" {
		t.Errorf("too few without any: %v", err)
	}
	if err := Look().Check(nil, probe.Settings{}, 0); err != nil {
		t.Errorf("nothing asked for: %v", err)
	}
	if err := (Room{}).Check(real, pressures(1000, 1000), 16); err != nil {
		t.Errorf("a limit that isn't known: %v", err)
	}
}

// What is capped has room, is not lower than it must be, and leaves a target
// alone that asks for little.
func TestCap(t *testing.T) {
	for _, c := range []struct {
		limit     uint64
		targets   []probe.Target
		asked     []int
		want      []int
		sentenced bool
	}{
		{90, real, []int{10, 20}, []int{10, 20}, false},
		{88, real, []int{48, 48}, []int{14, 14}, true}, // 28 in all
		{88, real, []int{4, 48}, []int{4, 24}, true},
		{60, real, []int{5, 5}, []int{0, 0}, true},
		{10, real, []int{5, 5}, []int{0, 0}, true},
		{152, simulated, []int{100, 1}, []int{27, 1}, true},
	} {
		asked := pressures(c.asked...)
		got, err := room(c.limit).Cap(c.targets, asked, 16)
		for i := range c.want {
			if got.Knobs[i].Pressure != c.want[i] || asked.Knobs[i].Pressure != c.asked[i] {
				t.Errorf("limit %d: %v capped to %+v", c.limit, c.asked, got.Knobs)
			}
		}
		if (err != nil) != c.sentenced {
			t.Errorf("limit %d: %v", c.limit, err)
		}
		if got.Knobs[0].Pressure > 0 && room(c.limit).Check(c.targets, got, 16) != nil {
			t.Errorf("limit %d: what is capped has no room", c.limit)
		}
	}
}

func TestExplain(t *testing.T) {
	r := room(100)
	err := r.Explain(fmt.Errorf("listen: %w", syscall.EMFILE), 160)
	if err == nil || err.Error() != "the limit of 100 open files is too low: raise it with ulimit -n 168" {
		t.Errorf("%v", err)
	}
	if err := r.Explain(io.EOF, 160); !errors.Is(err, io.EOF) {
		t.Errorf("another error becomes %v", err)
	}
}
