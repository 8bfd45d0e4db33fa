package cut

import (
	"slices"
	"time"

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

// stepRange is where a single step of the stream may lie: between the 5th and
// 95th percentile of its gaps. A stream that shows too few gives half to twice
// the step.
func stepRange(t probe.Timeline, step time.Duration) (lo, hi time.Duration) {
	g := gaps(t)
	if len(g) < enoughGaps {
		return step / 2, 2 * step
	}
	return min(step, g[quantile.Rank(0.05, len(g))]), max(step, g[quantile.Rank(0.95, len(g))])
}
