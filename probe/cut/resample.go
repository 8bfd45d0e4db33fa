package cut

import (
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"ttftop/probe"
	"ttftop/probe/quantile"
)

// widest limits the probes near a quantile that one draw takes, so that a draw
// costs the same however many there are.
const widest = 25

// Resample draws waterfalls of the quantile q as they could have been had
// other probes of the same kind come: the bootstrap. The quantile of a
// resample of n is the probe whose index is n times a Beta(k, n−k+1) variable,
// k being its rank (Hutson and Ernst, "The exact bootstrap mean and variance of
// an L-estimator", 2000), so nothing has to be sorted again; its segments are
// those of a resample of the probes near it. A draw that falls on a failure has
// no waterfall: it is nil. The same source gives the same draws.
//
// The probes are given as to NearestOf.
func Resample(q float64, ranked []time.Duration, censored int, waterfall func(i int) probe.Waterfall, times int, source rand.Source) []probe.Waterfall {
	n := len(ranked) + censored
	if len(ranked) == 0 || !(q > 0 && q < 1) {
		return nil
	}
	rank := float64(quantile.Rank(q, n) + 1)
	place := distuv.Beta{Alpha: rank, Beta: float64(n) - rank + 1, Src: source}
	pick := rand.New(source)
	near := vicinity{size: len(ranked), reach: min(int(nearRank*float64(n)), widest), waterfall: waterfall, known: map[int]probe.Waterfall{}}
	draws := make([]probe.Waterfall, times)
	for i := range draws {
		at := min(int(math.Ceil(place.Rand()*float64(n))), n) - 1
		if at < 0 || at >= len(ranked) {
			continue
		}
		chosen := near.of(at)
		if len(chosen) == 0 {
			continue
		}
		again := make([]probe.Waterfall, len(chosen))
		for j := range again {
			again[j] = chosen[pick.IntN(len(chosen))]
		}
		draws[i] = Mean(again, ranked[at])
	}
	return draws
}

// vicinity is the waterfalls of probes in order, each asked for once.
type vicinity struct {
	size, reach int
	waterfall   func(int) probe.Waterfall
	known       map[int]probe.Waterfall
}

// of are the waterfalls near a place that are to be averaged.
func (v vicinity) of(at int) []probe.Waterfall {
	from, to := around(v.size, at, v.reach)
	all := make([]probe.Waterfall, 0, to-from)
	for i := from; i < to; i++ {
		w, known := v.known[i]
		if !known {
			w = v.waterfall(i)
			v.known[i] = w
		}
		all = append(all, w)
	}
	chosen := make([]probe.Waterfall, 0, len(all))
	for _, i := range alike(all) {
		chosen = append(chosen, all[i])
	}
	return chosen
}
