package ab

import "ttftop/probe"

// Take takes a result as it comes; one that belongs to a pair is put together
// with its other half. a and b are the targets that are compared, the same one
// where it is compared with itself. A pair that a turned knob has parted is no
// pair. It reports whether a pair is complete.
func (c *Comparison) Take(r *probe.Result, a, b int) bool {
	if r.Pair == 0 || r.Target != [2]int{a, b}[r.Side] {
		return false
	}
	other, waits := c.halves[r.Pair]
	if !waits {
		c.forget(r.Pair)
		c.halves[r.Pair] = *r
		return false
	}
	delete(c.halves, r.Pair)
	switch {
	case other.Side == r.Side:
		return false
	case r.Side == 0:
		return c.join(r, &other)
	}
	return c.join(&other, r)
}

// join takes the two halves of a pair, if they are one.
func (c *Comparison) join(a, b *probe.Result) bool {
	if a.Epoch != b.Epoch || canceled(a) || canceled(b) {
		return false
	}
	c.Add(a, b)
	return true
}

// waiting is how many pairs may be open at a time.
const waiting = 64

// forget lets go of halves whose partner was never sent.
func (c *Comparison) forget(now int) {
	if len(c.halves) < waiting {
		return
	}
	for pair := range c.halves {
		if pair <= now-waiting {
			delete(c.halves, pair)
		}
	}
}

func canceled(r *probe.Result) bool {
	return r.Failure != nil && r.Failure.Kind == probe.FailCanceled
}
