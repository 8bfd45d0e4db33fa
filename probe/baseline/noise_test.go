package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// What is noise is measured, whatever lies beyond it: of normal noise the
// standard deviation, of a tail of delays about its mean, and waits of a third of
// the points hardly move it.
func TestNoiseAroundTheMiddle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for name, c := range map[string]struct {
		draw      func() float64
		from, to  float64 // of what lies above the middle
		middle    float64
		underMost float64
	}{
		"normal":      {func() float64 { return 100 + 2*r.NormFloat64() }, 1.6, 2.4, 100, 2.4},
		"exponential": {func() float64 { return 100 + 5*r.ExpFloat64() }, 4, 8, 101, 2},
		"with waits": {func() float64 {
			wait := 0.0
			if r.IntN(3) == 0 {
				wait = 200 * r.ExpFloat64()
			}
			return 100 + 2*r.NormFloat64() + wait
		}, 1.6, 3, 100, 2.4},
		"constant": {func() float64 { return 100 }, 0, 1e-9, 100, 1e-9},
	} {
		var sorted []float64
		for range 2000 {
			sorted = append(sorted, c.draw())
		}
		slices.Sort(sorted)
		under, over := around(sorted, c.middle, 1)
		if over < c.from || over > c.to || under > c.underMost || math.IsNaN(under) {
			t.Errorf("%s: %.2f below, %.2f above, want %v to %v above", name, under, over, c.from, c.to)
		}
	}
}

// Of a length that costs twice as much every second time, the curve knows how
// far the dearer cost lies above it; scattered waits are no second cost.
func TestTwoCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	fed := func(extra func(i int) float64) *Fitter {
		f, at := &Fitter{}, time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		add := func(i, n int) {
			at = at.Add(time.Second)
			f.Add(Point{At: at, Tokens: n, Server: time.Duration(1e6 * (10 + 0.1*float64(n) + extra(i) + 0.2*r.NormFloat64()))})
		}
		for i := range 8 {
			add(0, []int{16, 1024, 64, 256}[i%4])
		}
		for i := range 40 {
			add(i, 256)
		}
		return f
	}
	two := fed(func(i int) float64 { return 30 * float64(i%2) })
	if got := two.Above(256); got < 28*time.Millisecond || got > 34*time.Millisecond {
		t.Errorf("a second cost of 30 ms more is %v", got)
	}
	if got := two.Above(1024); got < 80*time.Millisecond || got > 110*time.Millisecond {
		t.Errorf("at a length of three times the cost it is %v", got)
	}
	if got := fed(func(i int) float64 { return float64(i%4) * float64(i%4) * 12 }).Above(256); got != 0 {
		t.Errorf("scattered waits are a second cost of %v", got)
	}
	if got := fed(func(int) float64 { return 0 }).Above(256); got != 0 {
		t.Errorf("one cost has a second of %v", got)
	}
	var empty Fitter
	if got := empty.Above(256); got != 0 {
		t.Errorf("nothing known: %v", got)
	}
}
