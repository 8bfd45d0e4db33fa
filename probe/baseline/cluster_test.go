package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// clusterOf finds the lowest cluster of costs in milliseconds.
func clusterOf(ms ...float64) cluster {
	sorted := make([]float64, len(ms))
	for i, v := range ms {
		sorted[i] = v * 1e6
	}
	slices.Sort(sorted)
	return lowest(sorted)
}

func TestLowestOfFew(t *testing.T) {
	tests := []struct {
		name  string
		costs []float64
		want  float64 // ms
		clear bool
	}{
		{"one", []float64{100}, 100, false},
		{"two that agree", []float64{100, 101}, 100, true},
		{"one of two queued", []float64{100, 300}, 100, false},
		{"two of three queued alike", []float64{100, 300, 310}, 100, false},
		{"three that agree", []float64{102, 100, 101}, 101, true},
		{"all the same", []float64{50, 50, 50, 50}, 50, true},
		{"zero", []float64{0, 0}, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := clusterOf(tt.costs...)
			if got := c.mid / 1e6; got != tt.want {
				t.Errorf("middle %v ms, want %v", got, tt.want)
			}
			if c.clear() != tt.clear {
				t.Errorf("clear = %v with %d in and %d above, want %v", c.clear(), c.in, c.above, tt.clear)
			}
		})
	}
}

// Whatever share of requests is queued, up to seven in eight, the middle is
// that of the idle ones; one outlier far below doesn't move it.
func TestLowestAmongQueued(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, idle := range []float64{1, .7, .5, .3, .2} {
		sum := 0.0
		const trials = 200
		for range trials {
			costs := []float64{55}
			for range 119 {
				v := 100 + 3*r.NormFloat64()
				if r.Float64() >= idle {
					v += 200 * r.ExpFloat64()
				}
				costs = append(costs, v)
			}
			sum += clusterOf(costs...).mid / 1e6 / trials
		}
		if math.Abs(sum-100) > 2 {
			t.Errorf("with %.0f %% idle the middle is %.1f ms, want 100 ± 2", 100*idle, sum)
		}
	}
}

func TestClear(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	share := func(draw func() float64) (clear, calm float64) {
		const trials = 200
		for range trials {
			var costs []float64
			for range 100 {
				costs = append(costs, draw())
			}
			c := clusterOf(costs...)
			if c.clear() {
				clear += 1.0 / trials
			}
			if c.calm() {
				calm += 1.0 / trials
			}
		}
		return clear, calm
	}
	if clear, calm := share(func() float64 { return 100 + 3*r.NormFloat64() }); clear < .8 || calm < .98 {
		t.Errorf("an idle server is clear in %.2f, calm in %.2f of trials", clear, calm)
	}
	if clear, calm := share(func() float64 { return 100 + 300*r.ExpFloat64() }); clear > .1 || calm > .02 {
		t.Errorf("a server that is never idle is clear in %.2f, calm in %.2f of trials", clear, calm)
	}
	if _, calm := share(func() float64 { return 100 + 5*r.ExpFloat64() }); calm < .98 {
		t.Errorf("a server with little jitter is calm in %.2f of trials", calm)
	}
}
