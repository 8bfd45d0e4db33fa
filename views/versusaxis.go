package views

import (
	"math"
	"time"
)

// expanse is a scale from Lo to Hi with ticks at the multiples of Step.
type expanse struct{ Lo, Hi, Step time.Duration }

// niceStretch is a scale that holds lo to hi, with about so many round ticks.
func niceStretch(lo, hi time.Duration, ticks int) expanse {
	lo = min(max(lo, -longestAxis), longestAxis)
	hi = min(max(hi, lo), longestAxis)
	step := niceAxis(max(hi-lo, time.Microsecond*100), ticks).Step
	return expanse{Lo: floorTo(lo, step), Hi: max(-floorTo(-hi, step), floorTo(lo, step)+step), Step: step}
}

// floorTo is the largest multiple of step that is not above d.
func floorTo(d, step time.Duration) time.Duration {
	return time.Duration(math.Floor(float64(d)/float64(step))) * step
}

// ticks are the values of the ticks.
func (a expanse) ticks() (all []time.Duration) {
	for t := a.Lo; t <= a.Hi; t += a.Step {
		all = append(all, t)
	}
	return all
}

// at is the place of d among n places, from 0 to n−1; what lies outside is at
// the end.
func (a expanse) at(d time.Duration, n int) int {
	d = min(max(d, a.Lo), a.Hi)
	return int(math.Round(float64(d-a.Lo) * float64(n-1) / float64(a.Hi-a.Lo)))
}
