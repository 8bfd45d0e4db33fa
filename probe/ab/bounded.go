package ab

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/anytime"
)

// bounded is a row of values that are each known within bounds of their own. Those
// of what is measured or reported are the value itself; those of what is estimated
// are the baseline's interval, which is the same error in every probe and gets no
// smaller with their number.
type bounded struct{ value, least, most anytime.Sample }

func (b *bounded) add(v, least, most float64) {
	b.value.Add(v)
	b.least.Add(least)
	b.most.Add(most)
}

// n is the number of values.
func (b *bounded) n() int { return b.value.N() }

// level is the median of the values, by nearest rank. Its interval reaches from
// the lower one of the median of what they are at least to the upper one of what
// they are at most.
func (b *bounded) level(median *anytime.Mixture) anytime.Interval {
	return anytime.Interval{Estimate: b.value.Interval(median).Estimate, Lo: b.least.Interval(median).Lo, Hi: b.most.Interval(median).Hi}
}

// shift is level for values that are differences.
func (b *bounded) shift(median *anytime.Mixture) anytime.Interval {
	v := b.level(median)
	v.Estimate = b.value.Middle()
	return v
}

// piece is a part of one waterfall in nanoseconds, with what it is at least and at
// most.
type piece struct{ value, least, most float64 }

// pieceOf is a part of a waterfall. ServerPart is here all that is not network: it
// is measured, whatever it is cut into. An estimate that comes without an interval
// may be any part of it.
func pieceOf(w probe.Waterfall, p probe.Part) (x piece) {
	server := serverTime(w)
	if p == probe.ServerPart {
		return exactly(server)
	}
	for _, s := range w {
		if s.Name.Part() != p {
			continue
		}
		y := exactly(s.Duration)
		if s.Source == probe.Estimated {
			y.least, y.most = float64(min(s.Lo, s.Duration)), float64(max(s.Hi, s.Duration))
			if s.Hi < s.Duration {
				y.least, y.most = 0, float64(max(server, s.Duration))
			}
		}
		x.value, x.least, x.most = x.value+y.value, x.least+y.least, x.most+y.most
	}
	return x
}

func exactly(d time.Duration) piece { return piece{float64(d), float64(d), float64(d)} }

// less is the difference of two pieces whose errors may go against each other.
func (x piece) less(y piece) piece {
	return piece{x.value - y.value, x.least - y.most, x.most - y.least}
}

// weaker is the source that says less; "" says nothing.
func weaker(a, b probe.Source) probe.Source {
	for _, s := range []probe.Source{probe.Estimated, probe.Reported, probe.Measured} {
		if a == s || b == s {
			return s
		}
	}
	return ""
}
