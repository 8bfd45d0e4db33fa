package ab

import "ttftop/probe"

// Match compares two recordings of their own: the i-th probe of one that counts
// is paired with the i-th of the other. That is fixed before anything is known
// of them, so that the pairs are as good as sent ones while neither run drifts.
// What one run has more counts for the quantiles of its side alone.
func (c *Comparison) Match(a, b []*probe.Result) {
	a, b = c.ranked(0, a), c.ranked(1, b)
	n := min(len(a), len(b))
	for i := range n {
		c.Add(a[i], b[i])
	}
	for i, more := range [][]*probe.Result{a[n:], b[n:]} {
		for _, r := range more {
			c.Alone(i, r)
		}
	}
}

// ranked are the results that count; the others are counted beside.
func (c *Comparison) ranked(side int, results []*probe.Result) (all []*probe.Result) {
	for _, r := range results {
		switch {
		case counts(r):
			all = append(all, r)
		case skipped(r):
			c.skipped++
		case !canceled(r):
			c.leave(side, r)
			c.beside++
		}
	}
	return all
}

// TakeAll takes the results of both sides of a recording that was made in
// pairs. Pairs are put together whatever lies between their halves.
func (c *Comparison) TakeAll(a, b []*probe.Result) {
	partners := map[int]*probe.Result{}
	for _, r := range a {
		if r.Pair > 0 {
			partners[r.Pair] = r
		}
	}
	for _, r := range b {
		if other := partners[r.Pair]; other != nil {
			c.join(other, r)
		}
	}
}
