package cut

// measuresHandling reports whether the headers say how long handling took.
// Where the server itself has told prefill from handling, that is believed.
func (c *cutter) measuresHandling() bool {
	return c.rule == OnAcceptance && c.headers.At >= at(c.in.Figures.Handling) && !c.idle.told
}

// before is what the baseline has before the headers: as idle probes showed
// it, else anything up to its fixed cost, or to what this one shows. It is no more
// than that cost: headers that always came later did so for another reason.
func (c *cutter) before() part {
	fixed := c.idle.fixed
	switch u := c.in.BeforeHeaders; {
	case u != nil:
		d := min(u.Usual, fixed.hi)
		return estimated(d, min(u.Lo, d), max(d, u.Hi))
	case c.rule == OnAcceptance:
		return measured(min(c.headers.At, fixed.d))
	}
	return estimated(0, 0, fixed.hi)
}

// behind is what the baseline has behind the headers: the prefill of an idle
// server with the fixed part of it, which the baseline can't tell from handling
// but the headers can.
func (c *cutter) behind() part {
	before, w, slope := c.before(), c.idle.whole, c.idle.prefill
	d := max(slope.lo, w.d-before.d)
	return estimated(d, max(min(slope.lo, d), w.lo-before.hi), max(d, w.hi-before.lo))
}
