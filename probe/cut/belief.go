package cut

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/reported"
)

// cheap is the part of what a prompt's length was seen to cost, from which down
// a reported prefill is none.
const cheap = 0.5

// disbelieve drops the report of a server that says anything that can't be: who
// is wrong in one figure is not to be believed in the others.
func (c *cutter) disbelieve() {
	f := &c.in.Figures
	negative := func(m probe.Mark) bool { return m.OK && m.At < 0 }
	if len(f.Absurd) > 0 || slices.ContainsFunc([]probe.Mark{f.Handling, f.Queue, f.Prefill, f.WholeTTFT, f.Step}, negative) {
		c.flag(probe.FlagAbsurdReport)
	}
	if slices.Contains(c.in.Flags, probe.FlagAbsurdReport) || slices.Contains(c.out.Flags, probe.FlagAbsurdReport) {
		c.drop()
	}
}

// drop takes the report away. When this server's headers leave is no figure.
func (c *cutter) drop() {
	f := &c.in.Figures
	f.Handling, f.Queue, f.Prefill, f.WholeTTFT, f.Step = probe.Mark{}, probe.Mark{}, probe.Mark{}, probe.Mark{}, probe.Mark{}
}

// seenCost is what the length of this prompt was seen to cost at least beyond a
// request of no tokens, less what handling may grow by. It is not ok where the baseline does not say: the server was never
// seen idle or has changed, or nobody knows how much of the prompt was prefilled.
func (c *cutter) seenCost() (time.Duration, bool) {
	if c.idle == nil || !c.idle.seen || c.in.CacheUnsaid || c.in.Doubt == Changed {
		return 0, false
	}
	return c.idle.prefill.lo, true
}

// tooCheap reports whether a reported prefill is clearly less than what the
// length of this prompt was seen to cost. One of a prompt that took less than
// the baseline may be right: part of it may have been cached.
func (c *cutter) tooCheap() bool {
	f := c.in.Figures
	least, ok := c.seenCost()
	if !ok || !f.Prefill.OK {
		return false
	}
	prefill, step := f.Prefill.At, at(c.step)
	if f.FirstDecodeInPrefill == reported.Yes {
		lo, _ := stepRange(c.in.Timeline, step)
		prefill -= lo
	}
	return prefill <= time.Duration(cheap*float64(least)) && least-prefill > slack(c.s) && c.s-step >= c.idle.whole.lo
}

// belied reports whether what the server has reported of such prompts is less
// than their length was seen to cost: then it tells nothing of the others.
func (c *cutter) belied(own OwnPrefill) bool {
	least, ok := c.seenCost()
	return ok && least-own.Hi > minor(c.s)
}
