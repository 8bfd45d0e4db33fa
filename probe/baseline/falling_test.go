package baseline

import (
	"testing"
	"time"
)

// Of a server whose longer prompts cost less no curve of the form says anything:
// what a length was seen to cost an idle server is in its interval all the same.
func TestFallingCostsAreHeld(t *testing.T) {
	falling := server{fixed: 18, noise: .02, idle: 1, bend: func(k float64) float64 { return 80 / (k + .05) }}
	for seed := range uint64(10) {
		s := newSession(seed)
		for range 2 {
			for _, n := range []int{16, 1024, 64, 256} {
				s.probe(falling, n, false)
			}
		}
		for i := range 60 {
			s.steady(falling, 256, 1, false)
			c := curveOf(t, &s.f)
			_, lo, hi := c.At(256)
			truth := time.Duration(falling.truth(256) * 1e6)
			if truth > hi+hi/20 || truth < lo-lo/20 {
				t.Errorf("session %d, probe %d: %v is not in %v to %v, idle %v", seed, i, truth, lo, hi, c.Idle())
				break
			}
		}
	}
}
