package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// draws is the number of bootstrap replicates behind an interval.
const draws = 100

// length is one prompt length: the points of all probes whose uncached tokens
// are about the same.
type length struct {
	around int    // tokens that its points lie about
	quiet  series // without load streams of ours
	loaded series
	newest time.Time
	stale  bool // points came in since level was taken
	level  level
	run    run // of the latest points, where they are dear
}

// level is what a length's points say of its cost.
type level struct {
	cluster
	tokens float64 // mean of the points' tokens
	points int     // points the cluster was found among
	loaded bool    // known only from points under load
	// Bootstrap: how far the middle moved in each replicate, in ns; and
	// standard normal draws for errors that resampling can't show.
	moved, normal [draws]float64
}

// near reports whether a probe of n tokens belongs to this length.
func (l *length) near(n int) bool {
	return abs(n-l.around) <= max(4, l.around/32)
}

func (l *length) add(p Point) {
	if p.Loaded {
		l.loaded = l.loaded.add(p)
	} else {
		l.quiet = l.quiet.add(p)
	}
	if p.At.After(l.newest) {
		l.newest = p.At
	}
	l.stale = true
}

// since drops what came before t and reports whether anything is left.
func (l *length) since(t time.Time) bool {
	l.quiet, l.loaded, l.stale = l.quiet.since(t), l.loaded.since(t), true
	return len(l.quiet)+len(l.loaded) > 0
}

// refresh takes the level again where points came in.
func (l *length) refresh() {
	if !l.stale {
		return
	}
	l.stale = false
	quiet, loaded := l.quiet.values(), l.loaded.values()
	slices.Sort(quiet)
	slices.Sort(loaded)
	switch {
	case len(quiet) == 0:
		l.take(lowest(loaded), loaded, l.loaded.tokens())
		l.level.loaded = true
	case len(loaded) == 0 || !undercuts(lowest(loaded), lowest(quiet)):
		l.take(lowest(quiet), quiet, l.quiet.tokens())
	default:
		l.take(lowest(loaded), loaded, l.loaded.tokens())
	}
}

// undercuts reports whether a is lower than b by more than their noise.
func undercuts(a, b cluster) bool { return a.mid < b.mid-max(a.spread, b.spread, clockFloor) }

func (l *length) take(c cluster, sorted []float64, tokens float64) {
	l.level = level{cluster: c, tokens: tokens, points: len(sorted)}
	r := rand.New(seed(sorted, tokens))
	for i := range draws {
		l.level.normal[i] = r.NormFloat64()
	}
	if len(sorted) < fewPoints {
		return // too few to resample: fit falls back on normal errors
	}
	counts, again := make([]int, len(sorted)), make([]float64, 0, len(sorted))
	for i := range draws {
		again = resample(r, sorted, counts, again[:0])
		l.level.moved[i] = lowest(again).mid - c.mid
	}
}

// resample draws as many values as there are, with replacement, in ascending
// order.
func resample(r *rand.Rand, sorted []float64, counts []int, into []float64) []float64 {
	clear(counts)
	for range sorted {
		counts[r.IntN(len(sorted))]++
	}
	for i, n := range counts {
		for range n {
			into = append(into, sorted[i])
		}
	}
	return into
}

// seed comes from the data, so that equal points give equal intervals.
func seed(sorted []float64, tokens float64) rand.Source {
	sum := 0.0
	for _, v := range sorted {
		sum += v
	}
	return rand.NewPCG(math.Float64bits(sum), math.Float64bits(tokens))
}

func abs(n int) int { return max(n, -n) }
