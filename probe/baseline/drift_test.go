package baseline

import (
	"math"
	"strings"
	"testing"

	"ttftop/probe/race"
)

// scaled is a server whose every cost is a multiple of that of s.
func scaled(s server, by float64) server {
	s.fixed *= by
	s.perK *= by
	return s
}

// A server that becomes slower little by little is told, and the curve follows
// it: while it goes on, and once it stays.
func TestDriftIsTold(t *testing.T) {
	was := server{fixed: 21, perK: 80, noise: .02, idle: 1}
	for name, c := range map[string]struct {
		growth float64
		probes int
	}{"one per cent a probe": {1.01, 90}, "and then as it is": {1.01, 70}, "three per cent a probe": {1.03, 50}} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(10) {
				s := newSession(seed)
				s.ladder(was, 2)
				told, times := 0, 1.0
				for i := range 160 {
					times = math.Pow(c.growth, float64(min(i, c.probes)))
					s.steady(scaled(was, times), 256, 1, false)
					if s.f.InDoubt() && i%4 == 0 { // the prober sends witnesses
						s.probe(scaled(was, times), 16, false)
					}
					if len(s.told) > told {
						told = len(s.told)
						s.ladder(scaled(was, times), 1)
					}
				}
				if told == 0 {
					t.Fatalf("session %d: never told", seed)
				}
				for _, text := range s.told {
					if !strings.Contains(text, "slower") {
						t.Errorf("session %d: told %q", seed, text)
					}
				}
				if w := worst(curveOf(t, &s.f), scaled(was, times), 16, 256); w > .16 {
					t.Errorf("session %d: told %d times, the curve is off by %.0f %%", seed, told, 100*w)
				}
			}
		})
	}
}

// A server that becomes slower from its first probe on has never shown a level;
// that is told all the same, once its costs have left those of the ladder.
func TestDriftFromTheStartIsTold(t *testing.T) {
	was := server{fixed: 21, perK: 80, noise: .02, idle: 1}
	for _, growth := range []float64{1.01, 1.02, 1.03} {
		for seed := range uint64(10) {
			s := newSession(seed)
			at := func() server { return scaled(was, math.Pow(growth, float64(s.probed))) }
			for range 2 {
				for _, n := range []int{16, 1024, 64, 256} {
					s.probe(at(), n, false)
				}
			}
			for i := 0; i < 60 && len(s.told) == 0; i++ {
				s.steady(at(), 256, 1, false)
				if s.f.InDoubt() && i%4 == 0 {
					s.probe(at(), 16, false)
				}
			}
			if len(s.told) == 0 || !strings.Contains(s.told[0], "slower") {
				t.Errorf("growth %v, session %d: told %q", growth, seed, s.told)
			}
		}
	}
}

// More load is no slower server, however long every probe waits for it: waits
// differ.
func TestMoreLoadIsNoDrift(t *testing.T) {
	was := server{fixed: 21, perK: 80, noise: .02, idle: 1}
	loaded := was
	loaded.idle, loaded.wait = 0, 150
	for seed := range uint64(race.Fewer(8)) {
		s := newSession(seed)
		s.ladder(was, 2)
		s.steady(was, 256, 30, false)
		for i := range 300 {
			s.steady(loaded, 256, 1, false)
			if s.f.InDoubt() && i%4 == 0 {
				s.probe(loaded, 16, false)
			}
		}
		if len(s.told) > 0 {
			t.Errorf("session %d: told %q", seed, s.told)
		}
	}
}
