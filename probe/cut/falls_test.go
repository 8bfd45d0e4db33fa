package cut

import (
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
)

// Where longer prompts cost less, what lies above the curve is no queue for
// certain: its interval begins at 0, and it is at most that.
func TestNoQueueForCertainWhereCostsFall(t *testing.T) {
	var f baseline.Fitter
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	cost := func(n int) time.Duration { return ms(18 + 80000/float64(n+50)) }
	add := func(n, i int) {
		at = at.Add(time.Second)
		f.Add(baseline.Point{At: at, Tokens: n, Server: cost(n) + ms(float64(i%3))})
	}
	for i := range 2 {
		for _, n := range []int{16, 1024, 64, 256} {
			add(n, i)
		}
	}
	for i := range 30 {
		add(256, i)
		c, ok := f.Curve()
		if !ok || !c.Falls() {
			t.Fatalf("a curve: %v, of costs that fall: %v", ok, c.Falls())
		}
		s := cost(256) + ms(10)
		in := Input{Timeline: tokens(float64(s) / 1e6), RTT: probe.At(0), Uncached: 256, Step: probe.At(ms(10)), Baseline: &c, Alone: true}
		in.Timeline.Sent = probe.At(0)
		out := Probe(in)
		for _, seg := range out.Waterfall {
			if seg.Name == probe.Queue && seg.Lo > ms(1) {
				t.Errorf("probe %d: a queue of %v from %v on, %v", i, seg.Duration, seg.Lo, out.Flags)
			}
		}
		if out.AtLeast {
			t.Errorf("probe %d: at least", i)
		}
	}
}
