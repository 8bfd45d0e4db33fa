package viewtest

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/whatif"
	"ttftop/views"
)

// Projected is the first target with the what-if panel open, where change, if it
// isn't nil, has changed what is known.
func Projected(change func(*whatif.Known)) views.Snapshot {
	s := Demo()
	t := &s.Targets[0]
	k := whatif.Known{
		P50: t.P50, P95: supposed(8.2, 2.4, 20.1, 85.2, 9.3), Curve: straight{}, Models: []string{"sim-8b", "sim-1b"}, Knobs: probe.DefaultKnobs, Prompt: 1023,
	}
	k.Knobs.Model = "sim-8b"
	if change != nil {
		change(&k)
	}
	at := func(w probe.Waterfall) probe.Mark { return probe.Mark{At: w.Total(), OK: len(w) > 0} }
	s.WhatIf = &views.WhatIf{Chosen: 1, Levers: whatif.Project(k), P50: at(k.P50), P95: at(k.P95)}
	return s
}

// straight is a baseline of 83.4 ms per 1,000 uncached tokens.
type straight struct{}

// After implements probe.Curve.
func (straight) After(n, cached int) (mid, lo, hi time.Duration) {
	mid = time.Duration(n-cached) * 83400
	return mid, mid * 98 / 100, mid * 103 / 100
}

// Covers implements probe.Curve.
func (straight) Covers(int) bool { return true }

// Idle implements probe.Curve.
func (straight) Idle() bool { return true }

// Contradicted implements probe.Curve.
func (straight) Contradicted() bool { return false }

// whatIf is a panel of anything.
func (g gen) whatIf() *views.WhatIf {
	in := &views.WhatIf{Chosen: g.r.IntN(12) - 2, P50: g.mark(), P95: g.mark()}
	estimate := func() whatif.Estimate {
		return whatif.Estimate{At: g.duration(), Lo: g.duration(), Hi: g.duration(), OK: g.coin(), Uncertain: g.coin(), Why: g.text()}
	}
	for range g.r.IntN(8) {
		in.Levers = append(in.Levers, whatif.Projection{Lever: whatif.Lever(g.text()), Beside: g.coin(), Does: g.text(), Assumes: g.text(), P50: estimate(), P95: estimate()})
	}
	return in
}
