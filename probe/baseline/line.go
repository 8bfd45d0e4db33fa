package baseline

import (
	"math"
	"time"
)

// Span is the shortest and the longest prompt seen, in uncached tokens: between
// them the curve is measured, beyond them it is drawn out.
func (c Curve) Span() (short, long int) {
	return int(math.Round(1000 * c.short)), int(math.Round(1000 * c.long))
}

// Cost is the middle of At, without its interval.
func (c Curve) Cost(n int) time.Duration { return duration(c.fit.cost(thousands(n))) }
