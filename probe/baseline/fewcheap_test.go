package baseline

import (
	"testing"
	"time"
)

// A server that others keep busy from the calibration on, and our own load
// after it, is not seen idle because two or three requests of many met about
// the same short wait: the costs are those of a queue that grew and went.
func TestAFewCheapRequestsShowNoIdleServer(t *testing.T) {
	var f Fitter
	now := epoch
	add := func(tokens int, ms float64, loaded bool) {
		now = now.Add(time.Second)
		f.Add(Point{At: now, Tokens: tokens, Server: time.Duration(ms * float64(time.Millisecond)), Loaded: loaded})
	}
	for _, rung := range []struct {
		tokens int
		ms     float64
	}{{16, 20.6}, {1024, 172.4}, {64, 971.8}, {256, 2075.8}, {16, 2156.1}, {1024, 2867.3}, {64, 2626.9}, {256, 2757.2}, {800, 3801.2}, {800, 3279.4}} {
		add(rung.tokens, rung.ms, false)
	}
	for i, ms := range []float64{
		2415, 2468.4, 2380.4, 1812.2, 1365.5, 1625.7, 1117.6, 643.5, 152.5, 657.6, 168.7, 63, 598.4, 58.6, 74.1, 96, 63.1, 64, 77.6, 66.8,
	} {
		add(800, ms, true)
		if c := curveOf(t, &f); c.Idle() {
			t.Errorf("seen idle after %d requests amid load, the last of %v ms", i+1, ms)
		}
	}
}

// Enough of them do.
func TestCheapRequestsAmongMany(t *testing.T) {
	costs := []float64{100, 100.5, 101, 400, 520, 700, 900, 1200, 1500, 2000}
	if clusterOf(costs...).shown() {
		t.Error("three of ten show an idle server")
	}
	if !clusterOf(append(costs, 100.2, 100.8, 99.9)...).shown() {
		t.Error("six of thirteen do not")
	}
}
