package baseline

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"ttftop/probe/quantile"
)

const (
	before    = 8                // points needed from before a change
	faster    = 0.87             // of the cost before: below it, a point is too cheap for the old server
	slower    = 1.15             // of the cost before: above it, a point is dearer
	leastMove = 0.5e6            // ns; smaller changes are not told
	cheap     = 5                // so many too cheap points among the latest may show a faster server
	dear      = 12               // so many dear ones in a row may show a slower server
	chance    = 1e-6             // what happens by chance no oftener than this is no chance
	lasting   = 10 * time.Second // that long at least
	tight     = 0.4              // their spread, as a share of the move: waits in a queue spread wider than they move
)

// shift is a lasting move of what a prompt length costs.
type shift struct {
	since    time.Time
	from, to float64 // ns
}

func (s shift) sentence(tokens int) string {
	how, why := "faster", "warmed up, freed of a steady load, or another model or machine behind the name"
	if s.to > s.from {
		how, why = "slower", "another model or machine behind the name, or throttled"
	}
	return fmt.Sprintf("The server has become %s (%s): a prompt of %d uncached tokens took %s without a queue and now takes %s; its baseline starts anew.",
		how, why, tokens, inMS(duration(s.from)), inMS(duration(s.to)))
}

// moved looks for a shift in the points of one length, in order of arrival.
// Only a server that was seen idle before can be told from one whose load has
// changed.
func moved(points series) (shift, bool) {
	if s, ok := becameFaster(points); ok {
		return s, true
	}
	return becameSlower(points)
}

// recently is how many of the latest points are looked at for cheap ones: few
// where a change comes soon, more where most still find a queue.
var recently = []int{cheap, 8, 16}

// becameFaster needs no proof of patience: a queue makes no request cheaper.
func becameFaster(points series) (shift, bool) {
	for _, n := range recently {
		if s, ok := fasterIn(points, n); ok {
			return s, true
		}
	}
	return shift{}, false
}

// fasterIn looks for a shift among the latest n points.
func fasterIn(points series, n int) (shift, bool) {
	earlier, recent, ok := split(points, n)
	if !ok {
		return shift{}, false
	}
	limit := min(faster*earlier.mid, earlier.mid-leastMove)
	var low []float64
	since := time.Time{}
	for _, p := range recent {
		if v := float64(p.Server); v < limit {
			if len(low) == 0 {
				since = p.At
			}
			low = append(low, v)
		}
	}
	if len(low) < cheap || byChance(len(low), n, points[:len(points)-n], limit) {
		return shift{}, false
	}
	slices.Sort(low)
	return shift{since: since, from: earlier.mid, to: lowest(low).mid}, true
}

// byChance reports whether so many cheap points of n can be chance, given how
// often there were such before.
func byChance(count, n int, earlier series, limit float64) bool {
	before := 1.0
	for _, p := range earlier {
		if float64(p.Server) < limit {
			before++
		}
	}
	draw := distuv.Binomial{N: float64(n), P: before / float64(len(earlier)+2)}
	return draw.Survival(float64(count-1)) > chance
}

// becameSlower asks for points that are all dearer, for a while, and lie
// closer together than waits in a queue would.
func becameSlower(points series) (shift, bool) {
	earlier, _, ok := split(points, dear)
	if !ok {
		return shift{}, false
	}
	n := patience(points[:len(points)-dear], dearLimit(earlier))
	earlier, recent, ok := split(points, n)
	if !ok || recent[n-1].At.Sub(recent[0].At) < lasting {
		return shift{}, false
	}
	values := recent.values()
	slices.Sort(values)
	now := values[quantile.Rank(0.5, n)]
	if values[0] < dearLimit(earlier) || narrowest(values) > tight*(now-earlier.mid) {
		return shift{}, false
	}
	return shift{since: recent[0].At, from: earlier.mid, to: now}, true
}

// dearLimit is the cost from which a point is too dear for an idle server.
func dearLimit(c cluster) float64 {
	return max(slower*c.mid, c.mid+leastMove)
}

// patience is how many dear points in a row are no chance, given how often
// they were dear before.
func patience(earlier series, limit float64) int {
	often := 1.0
	for _, p := range earlier {
		if float64(p.Server) >= limit {
			often++
		}
	}
	share := often / float64(len(earlier)+1)
	if share >= 1 {
		return seriesCap
	}
	return max(dear, int(math.Ceil(math.Log(chance)/math.Log(share))))
}

// split parts the last n points from those before; it is not ok where these
// are too few or don't show an idle server.
func split(points series, n int) (earlier cluster, recent series, ok bool) {
	if len(points) < before+n {
		return cluster{}, nil, false
	}
	old := points[:len(points)-n].values()
	slices.Sort(old)
	earlier = lowest(old)
	return earlier, points[len(points)-n:], earlier.clear()
}

// narrowest is the width of the narrowest span that holds three quarters of
// the values, in ascending order.
func narrowest(sorted []float64) float64 {
	most := (3*len(sorted) + 3) / 4
	width := sorted[len(sorted)-1] - sorted[0]
	for i := 0; i+most <= len(sorted); i++ {
		width = min(width, sorted[i+most-1]-sorted[i])
	}
	return width
}
