package views

import (
	"math"
	"time"
)

// reach is a scale between two values, linear or logarithmic, with ticks at round
// values.
type reach struct {
	log    bool
	lo, hi float64 // lo < hi; above 0 on a logarithmic scale
	ticks  []float64
}

// linearReach is a scale around least and most in round steps, of which at most n
// lie between them.
func linearReach(least, most float64, n int) reach {
	step := niceStep(max(most-least, 1e-9) / float64(max(n, 1)))
	first := math.Floor(least/step + 1e-9)
	r := reach{lo: first * step}
	for i := first; ; i++ {
		r.hi = i * step
		r.ticks = append(r.ticks, r.hi)
		if r.hi >= most-1e-9*step && i > first {
			return r
		}
	}
}

// niceStep is the least step of 1, 2 or 5 times a power of ten that is at
// least raw, which is above 0.
func niceStep(raw float64) float64 {
	pow := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if m*pow >= raw*(1-1e-9) {
			return m * pow
		}
	}
	return 10 * pow
}

// logReach is a logarithmic scale between round values around values above 0,
// with at most n ticks, or two.
func logReach(least, most float64, n int) reach {
	lo := int(math.Floor(math.Log10(least)))*len(logRound) - 1
	for logValue(lo+1) <= least*(1+1e-9) {
		lo++
	}
	hi := lo + 1
	for logValue(hi) < most*(1-1e-9) {
		hi++
	}
	r := reach{log: true, lo: logValue(lo), hi: logValue(hi)}
	for _, every := range []int{1, 2, 6, 12, 18, 24, 36, 48} {
		r.ticks = r.ticks[:0]
		for i := lo; i <= hi; i++ {
			if i%every == 0 {
				r.ticks = append(r.ticks, logValue(i))
			}
		}
		if len(r.ticks) <= max(n, 2) {
			break
		}
	}
	return r
}

// logRound are round values between the powers of ten: every second one is 1, 2
// or 5.
var logRound = []float64{1, 1.5, 2, 3, 5, 7}

// logValue numbers the round values: 1 is 0, 1.5 is 1, 10 is 6.
func logValue(i int) float64 {
	n := len(logRound)
	return logRound[(i%n+n)%n] * math.Pow(10, math.Floor(float64(i)/float64(n)))
}

// share is where a value lies, 0 at lo and 1 at hi, clamped.
func (r reach) share(v float64) float64 {
	v = min(max(v, r.lo), r.hi)
	if r.log {
		return math.Log(v/r.lo) / math.Log(r.hi/r.lo)
	}
	return (v - r.lo) / (r.hi - r.lo)
}

// at is the unit of 0…n−1 in which a value lies, clamped.
func (r reach) at(v float64, n int) int {
	return min(max(int(math.Round(r.share(v)*float64(n-1))), 0), n-1)
}

// from is the value at a share of the scale: what share turns round.
func (r reach) from(share float64) float64 {
	if r.log {
		return r.lo * math.Pow(r.hi/r.lo, share)
	}
	return r.lo + share*(r.hi-r.lo)
}

// nanoseconds is a duration as a value of a scale: within what an axis can
// show, and above 0.
func nanoseconds(d time.Duration) float64 {
	return float64(min(max(d, time.Microsecond), longestAxis))
}

// signed is a difference as a value of a scale: within what an axis can show.
func signed(d time.Duration) float64 {
	return float64(min(max(d, -longestAxis), longestAxis))
}
