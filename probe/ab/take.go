package ab

import "ttftop/probe"

// Take takes a result as it comes; one that belongs to a pair is put together
// with its other half, and counts once every pair that was sent before it has
// ended: otherwise quick pairs would be looked at while slow ones are under way. a
// and b are the targets that are compared, the same one where it is compared with
// itself. A pair that a turned knob has parted is no pair. It reports whether
// another pair counts now.
func (c *Comparison) Take(r *probe.Result, a, b int) bool {
	if r.Pair == 0 || r.Target != [2]int{a, b}[r.Side] {
		return false
	}
	before := c.Pairs()
	c.queue.end(r)
	c.release()
	return c.Pairs() > before
}

// Began tells that a half of a pair was sent.
func (c *Comparison) Began(e probe.Started, a, b int) {
	if e.Pair != 0 && e.Target == [2]int{a, b}[e.Side] {
		if c.queue.open[e.Pair] == nil {
			c.pace.note(e.At)
		}
		c.queue.begin(e.Pair, e.Side)
		c.release()
	}
}

// UnderWay is the number of pairs that were sent and don't count yet, since they or
// earlier ones have not ended.
func (c *Comparison) UnderWay() int {
	n := c.queue.cutOff
	for _, p := range c.queue.open {
		if !p.skipped() {
			n++
		}
	}
	return n
}

// release takes the pairs whose turn it is.
func (c *Comparison) release() {
	for {
		p, ok := c.queue.next()
		if !ok {
			return
		}
		switch {
		case p.skipped():
			c.skipped++
		case p.ended[0] != nil && p.ended[1] != nil:
			c.join(p.ended[0], p.ended[1])
		}
	}
}

// join takes the two halves of a pair, if they are one.
func (c *Comparison) join(a, b *probe.Result) {
	if a.Epoch == b.Epoch && !canceled(a) && !canceled(b) {
		c.Add(a, b)
	}
}

func canceled(r *probe.Result) bool {
	return r.Failure != nil && r.Failure.Kind == probe.FailCanceled
}

func skipped(r *probe.Result) bool {
	return r != nil && r.Failure != nil && r.Failure.Kind == probe.FailSkipped
}
