package prober

import (
	"slices"

	"ttftop/probe"
	"ttftop/probe/cut"
)

const (
	creditKept = 8 // reports that are looked back upon
	creditLost = 4 // so many of them that don't fit, and none is believed…
	creditNeed = 4 // …until so many in a row do
)

// credit is how far the reports of a server are believed. Those that contradict
// what was measured are dropped one by one; where as many do as don't, one that
// fits does so by chance.
type credit struct {
	fits []bool // of the latest reports, the newest last
	lost bool
}

// add takes whether a report fits, and reports whether it is believed.
func (c *credit) add(fits bool) bool {
	c.fits = latest(append(c.fits, fits), creditKept)
	switch misfits := c.misfits(creditKept); {
	case !c.lost:
		c.lost = misfits >= creditLost
	case len(c.fits) >= creditNeed && c.misfits(creditNeed) == 0:
		*c = credit{}
	}
	return !c.lost
}

// misfits is how many of the latest n reports don't fit.
func (c *credit) misfits(n int) int {
	return count(latest(c.fits, n), func(fits bool) bool { return !fits })
}

// divide cuts a probe with what the server reports, unless too much of that was
// wrong lately: then as if it had reported nothing.
func (c *cutter) divide(in cut.Input, k probe.Knobs) cut.Output {
	out := cut.Probe(in)
	found := func(f probe.Flag) bool { return slices.Contains(in.Flags, f) || slices.Contains(out.Flags, f) }
	absurd, mismatch := found(probe.FlagAbsurdReport), found(probe.FlagReportMismatch)
	if c.ignore || !in.Figures.Cuts() && !absurd {
		return out
	}
	believed := made(c.credits, k.Model).add(!absurd && !mismatch)
	if !believed {
		c.forgetPrefills(k.Model)
	}
	if believed || absurd || mismatch {
		return out
	}
	in.IgnoreReported = true
	out = cut.Probe(in)
	out.Flags = append(out.Flags, probe.FlagReportMismatch)
	return out
}

// forgetPrefills forgets what was reported of prefill in a model.
func (c *cutter) forgetPrefills(model string) {
	for _, cache := range []probe.Cache{probe.Bust, probe.Warm} {
		delete(c.prefills, baselineKey{model, cache})
	}
}
