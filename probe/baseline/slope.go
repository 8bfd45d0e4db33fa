package baseline

import "time"

// Slope is the mean slope of the baseline over the prompt lengths seen, per
// 1,000 uncached tokens (b where the baseline is straight), and its 95 %
// interval.
func (c Curve) Slope() (mid, lo, hi time.Duration) {
	if c.long <= c.short {
		return 0, 0, 0
	}
	return c.estimate(c.long, func(m bent) float64 { return (m.prefill(c.long) - m.prefill(c.short)) / (c.long - c.short) })
}
