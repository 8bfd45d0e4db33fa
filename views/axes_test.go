package views

import (
	"math"
	"slices"
	"testing"
)

func TestReach(t *testing.T) {
	for _, c := range []struct {
		name   string
		r      reach
		lo, hi float64
		ticks  []float64
	}{
		{"linear", linearReach(0, 230, 5), 0, 250, []float64{0, 50, 100, 150, 200, 250}},
		{"linear of nothing", linearReach(0, 0, 5), 0, 2e-10, nil},
		{"linear with one step", linearReach(0, 7, 1), 0, 10, []float64{0, 10}},
		{"linear around zero", linearReach(-38, 12, 5), -40, 20, []float64{-40, -30, -20, -10, 0, 10, 20}},
		{"linear between round values", linearReach(200, 300, 2), 200, 300, []float64{200, 250, 300}},
		{"linear of one value", linearReach(300, 300, 4), 300, 300, nil},
		{"a decade", logReach(42, 310, 9), 30, 500, []float64{30, 50, 70, 100, 150, 200, 300, 500}},
		{"1, 2 and 5", logReach(42, 310, 5), 30, 500, []float64{50, 100, 200, 500}},
		{"whole decades", logReach(0.3, 90000, 7), 0.3, 100000, []float64{1, 10, 100, 1000, 10000, 100000}},
		{"every second decade", logReach(1, 1e6, 4), 1, 1e6, []float64{1, 100, 1e4, 1e6}},
		{"one value", logReach(100, 100, 5), 100, 150, []float64{100, 150}},
	} {
		if math.Abs(c.r.lo-c.lo) > 1e-9 || c.ticks != nil && math.Abs(c.r.hi-c.hi) > 1e-9*c.hi {
			t.Errorf("%s: from %v to %v, want %v to %v", c.name, c.r.lo, c.r.hi, c.lo, c.hi)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
		if c.ticks != nil && !slices.EqualFunc(c.r.ticks, c.ticks, near) {
			t.Errorf("%s: ticks %v, want %v", c.name, c.r.ticks, c.ticks)
		}
	}
	r := logReach(10, 1000, 5)
	if got := r.at(100, 101); got != 50 {
		t.Errorf("100 between 10 and 1,000 lies at %d of 100", got)
	}
	if r.at(1, 101) != 0 || r.at(math.Inf(1), 101) != 100 {
		t.Error("values beyond the scale are not clamped")
	}
	for _, share := range []float64{0, 0.3, 1} {
		if got := r.share(r.from(share)); math.Abs(got-share) > 1e-12 {
			t.Errorf("%v comes back as %v", share, got)
		}
	}
}
