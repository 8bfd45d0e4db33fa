package baseline

import (
	"slices"
	"time"
)

// Through is the curve with its fixed part moved so that a request of n
// uncached prompt tokens costs so much, as far as that leaves a fixed part at
// all: what prefill costs is known from many lengths, and what every request of
// another kind costs from one.
func (c Curve) Through(n int, cost time.Duration) Curve {
	by := float64(cost) - c.fit.cost(thousands(n))
	c.fit.a = max(0, c.fit.a+by)
	c.draws = slices.Clone(c.draws)
	for i := range c.draws {
		c.draws[i].a = max(0, c.draws[i].a+by)
	}
	return c
}
