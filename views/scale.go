package views

import (
	"math"
	"time"
)

// axis is a scale from 0 to Top with ticks at every multiple of Step.
type axis struct {
	Step, Top time.Duration // Top is a multiple of Step, and both are above 0
}

// longestAxis bounds every axis, so that no sum on it can overflow.
const longestAxis = 1000 * time.Hour

// niceAxis is the smallest axis that reaches most with at most ticks steps of
// 1, 2 or 5 times a power of ten; it never reaches less than a millisecond.
func niceAxis(most time.Duration, ticks int) axis {
	most = min(max(most, time.Millisecond), longestAxis)
	ticks = max(ticks, 1)
	raw := float64(most) / float64(ticks)
	pow := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * pow
	for _, m := range []float64{1, 2, 5} {
		if m*pow >= raw*(1-1e-9) {
			step = m * pow
			break
		}
	}
	a := axis{Step: max(1, time.Duration(math.Round(step)))}
	a.Top = (most + a.Step - 1) / a.Step * a.Step
	return a
}

// ticks are the values of the ticks, 0 and Top included.
func (a axis) ticks() []time.Duration {
	var t []time.Duration
	for v := time.Duration(0); v <= a.Top; v += a.Step {
		t = append(t, v)
	}
	return t
}

// at is the place of d on an axis drawn over n units, rounded to a unit and
// clamped to 0…n.
func (a axis) at(d time.Duration, n int) int {
	d = min(max(d, 0), a.Top)
	return int(math.Round(float64(d) * float64(n) / float64(a.Top)))
}
