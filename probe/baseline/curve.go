package baseline

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ttftop/probe/quantile"
)

// Curve is a fitted baseline. It never changes and may be shared; the zero
// value costs nothing at any length.
type Curve struct {
	fit         bent
	draws       []bent // bootstrap replicates
	misfit      path   // what the fit leaves of the lengths' costs, as a share
	unfit       path   // what the form alone leaves of them beyond what forms do, as a share
	under, over path   // how far single costs lie below and above it, as a share: root mean squares
	lengths     int
	short, long float64 // thousands of tokens
	busy        bool
	quarrel     bool // the lengths contradict each other
	falls       bool // a longer one costs less
}

// Limits of the 95 % interval, and what it reaches to each side of a normal
// distribution's middle, in standard deviations.
const (
	lowEnd  = 0.025
	highEnd = 0.975
	reach   = 1.96
)

// At is the whole baseline of a request with n uncached prompt tokens, without
// its first decode step, and the 95 % interval of what a single one costs.
func (c Curve) At(n int) (mid, lo, hi time.Duration) {
	k := thousands(n)
	return c.estimate(k, func(m bent) float64 { return m.cost(k) })
}

// Fixed is the part of the baseline that every request costs, and the 95 %
// interval of a single one's.
func (c Curve) Fixed() (mid, lo, hi time.Duration) {
	return c.estimate(0, func(m bent) float64 { return m.a })
}

// Prefill is the part of the baseline above the fixed one, and the 95 %
// interval of a single request's.
func (c Curve) Prefill(n int) (mid, lo, hi time.Duration) {
	k := thousands(n)
	mid, lo, hi = c.estimate(k, func(m bent) float64 { return m.prefill(k) })
	return c.parted(mid, lo, hi, k)
}

// parted widens the interval of prefill where the costs follow no curve of the
// form, as those of a server that is now fast and now slow: then any of what the
// form leaves of the whole, and of the fixed part, may be prefill.
func (c Curve) parted(mid, lo, hi time.Duration, k float64) (_, _, _ time.Duration) {
	off := c.unfit.at(k)*c.fit.cost(k) + c.unfit.at(0)*c.fit.a
	return mid, max(0, mid-widen(mid-lo, off)), mid + widen(hi-mid, off)
}

// Per1k is the middle of Slope.
func (c Curve) Per1k() time.Duration {
	mid, _, _ := c.Slope()
	return mid
}

// Lengths is the number of clearly different prompt lengths behind the curve.
func (c Curve) Lengths() int { return c.lengths }

// Covers reports whether the curve says anything of n tokens: beyond twice the
// longest prompt seen it doesn't.
func (c Curve) Covers(n int) bool { return thousands(n) <= 2*c.long }

// Idle reports whether the server was seen without other work: its cheapest
// requests stand out as a group. Where it wasn't, the curve is only the best
// it has shown, and a queue cut with it is "at least".
func (c Curve) Idle() bool { return !c.busy }

// Contradicted reports whether the lengths contradict each other, as they do
// where others kept the server busy while they were calibrated: calibrating
// again may help.
func (c Curve) Contradicted() bool { return c.quarrel }

// Falls reports whether longer prompts were seen to cost less than shorter ones,
// each again and again. Then the curve, which never falls, holds for neither: what
// lies above it may be no queue.
func (c Curve) Falls() bool { return c.falls }

// String is how a person says the curve: "84 ms + 41 ms per 1k".
func (c Curve) String() string {
	fixed, _, _ := c.Fixed()
	return fmt.Sprintf("%s + %s per 1k", inMS(fixed), inMS(c.Per1k()))
}

func inMS(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 9.95:
		return fmt.Sprintf("%.0f ms", ms)
	case ms >= 0.995:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.2f ms", ms)
}

// estimate takes a figure at k thousand tokens from the fit and from every
// replicate.
func (c Curve) estimate(k float64, figure func(bent) float64) (mid, lo, hi time.Duration) {
	mid = duration(figure(c.fit))
	if len(c.draws) == 0 {
		return mid, mid, mid
	}
	var buffer [draws]float64
	all := buffer[:0]
	for _, m := range c.draws {
		all = append(all, figure(m))
	}
	slices.Sort(all)
	lo = duration(all[quantile.Rank(lowEnd, len(all))])
	hi = duration(all[quantile.Rank(highEnd, len(all))])
	off := func(noise path) float64 { return math.Hypot(c.misfit.at(k), reach*noise.at(k)) * float64(mid) }
	return mid, max(0, mid-widen(mid-lo, off(c.under))), mid + widen(hi-mid, off(c.over))
}

// widen adds the misfit of the form, and how far single costs lie from it, to
// one side of an interval.
func widen(side time.Duration, off float64) time.Duration {
	return duration(math.Hypot(float64(max(0, side)), off))
}
