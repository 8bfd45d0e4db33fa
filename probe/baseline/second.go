package baseline

import (
	"slices"
	"time"

	"ttftop/probe/quantile"
)

// Above is by how much more than the curve has for it a request of n uncached
// tokens may cost a server without a queue, as one of two replicas, of which
// one is slower, shows: some of the latest points of a length are dear, all
// about as much, as waits in a queue hardly are. It is 0 where costs are of one
// kind. What one length shows holds for the others as a share of their cost.
func (f *Fitter) Above(n int) time.Duration {
	curve, ok := f.Curve()
	if !ok {
		return 0
	}
	share := 0.0
	for _, l := range f.lengths {
		usual := float64(curve.Cost(l.around))
		above := l.second(usual)
		if l.near(n) && l.level.points >= fewPoints {
			return duration(above)
		}
		share = max(share, above/usual)
	}
	return duration(share * float64(curve.Cost(n)))
}

// second is how far the second cost of a length reaches above the usual one, in
// ns; 0 for none.
func (l *length) second(usual float64) float64 {
	var dear []float64
	for _, v := range l.quiet[max(0, len(l.quiet)-freshest):].values() {
		if v >= dearLimit(cluster{mid: usual}) {
			dear = append(dear, v)
		}
	}
	if len(dear) < doubtful {
		return 0
	}
	slices.Sort(dear)
	middle := dear[quantile.Rank(0.5, len(dear))] - usual
	width := narrowest(dear)
	if width > tight*middle {
		return 0
	}
	return middle + width
}
