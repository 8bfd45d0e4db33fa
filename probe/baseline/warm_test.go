package baseline

import (
	"strings"
	"testing"
)

// A server that warms up while the ladder is climbed, and on, leaves rungs that
// are too dear: the curve starts anew once the length that is probed shows it.
func TestGradualWarmUpIsTold(t *testing.T) {
	warm := server{fixed: 21, perK: 80, noise: .02, idle: 1}
	for _, over := range []int{14, 20, 30} {
		for _, n := range []int{256, 512} {
			for seed := range uint64(10) {
				s := newSession(seed)
				at := func() server { return scaled(warm, 1+2*float64(max(0, over-s.probed))/float64(over)) }
				for range 2 {
					for _, rung := range []int{16, 1024, 64, 256} {
						s.probe(at(), rung, false)
					}
				}
				anew := false
				for range 80 {
					s.steady(at(), n, 1, false)
					if len(s.told) > 0 && !anew { // the prober climbs the ladder again
						anew = true
						for _, rung := range []int{16, 1024, 64} {
							s.probe(at(), rung, false)
						}
					}
				}
				if !anew || !strings.Contains(s.told[0], "warmed up") {
					t.Fatalf("%d probes, %d tokens, session %d: told %q", over, n, seed, s.told)
				}
				if w := worst(curveOf(t, &s.f), warm, 16, n, 1024); w > .15 {
					t.Errorf("%d probes, %d tokens, session %d: the curve is off by %.0f %%, told %q", over, n, seed, 100*w, s.told)
				}
			}
		}
	}
}
