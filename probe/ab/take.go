package ab

import "ttftop/probe"

// half is a probe that waits for the other of its pair.
type half struct {
	result probe.Result
	side   int
}

// Take takes a result as it comes; one that belongs to a pair is put together
// with its other half. a and b are the targets that are compared. A pair that a
// turned knob has parted is no pair. It reports whether a pair is complete.
func (c *Comparison) Take(r *probe.Result, a, b int) bool {
	if r.Pair == 0 || r.Target != a && r.Target != b {
		return false
	}
	side := 0
	if r.Target == b {
		side = 1
	}
	other, waits := c.halves[r.Pair]
	if !waits {
		c.forget(r.Pair)
		c.halves[r.Pair] = half{*r, side}
		return false
	}
	delete(c.halves, r.Pair)
	if other.side == side {
		return false
	}
	if side == 0 {
		return c.join(r, &other.result)
	}
	return c.join(&other.result, r)
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
