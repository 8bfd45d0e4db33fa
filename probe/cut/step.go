package cut

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"ttftop/probe"
	"ttftop/probe/quantile"
)

// enoughGaps is the number of gaps from which a stream shows how its steps vary.
const enoughGaps = 5

// Step is one decode step of a stream: the median gap between distinct token
// arrivals. It is not OK where fewer than two arrivals differ.
func Step(t probe.Timeline) probe.Mark {
	g := gaps(t)
	if len(g) == 0 {
		return probe.Mark{}
	}
	return probe.At(quantile.Of(0.5, g, 0, 0).At)
}

// gaps are the gaps between distinct token arrivals, in ascending order: what
// came in one read, or with one stamp, came together.
func gaps(t probe.Timeline) []time.Duration {
	var g []time.Duration
	for i := 1; i < len(t.Tokens); i++ {
		a, b := t.Tokens[i-1], t.Tokens[i]
		if b.Read != a.Read && b.At > a.At {
			g = append(g, b.At-a.At)
		}
	}
	slices.Sort(g)
	return g
}

// stepRange is where a single step of the stream lies with 95 % confidence. A
// stream that shows too few gives half to twice the step.
func stepRange(t probe.Timeline, step time.Duration) (lo, hi time.Duration) {
	g := gaps(t)
	if len(g) < enoughGaps {
		return step / 2, 2 * step
	}
	u := UsualOf(g)
	return min(step, u.Lo), max(step, u.Hi)
}

// Usual is what something usually takes, and the 95 % interval of a single one's.
type Usual struct{ Usual, Lo, Hi time.Duration }

// UsualOf is what durations in ascending order, two at least, tell: their median, and the
// prediction interval of Student's t around it, with a standard deviation to
// each side since delays only lengthen; few show none of their own.
func UsualOf(sorted []time.Duration) Usual {
	n := len(sorted)
	at := quantile.Rank(0.5, n)
	mid := sorted[at]
	reach := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975) * math.Sqrt(1+1/float64(n))
	side := func(gaps []time.Duration) time.Duration {
		sum := 0.0
		for _, gap := range gaps {
			sum += math.Pow(float64(gap-mid), 2)
		}
		return time.Duration(reach * math.Sqrt(sum/float64(len(gaps))))
	}
	below, above := side(sorted[:at+1]), side(sorted[at:])
	if n < enoughGaps {
		below, above = max(below, above), max(below, above)
	}
	return Usual{Usual: mid, Lo: max(0, mid-below), Hi: mid + above}
}
