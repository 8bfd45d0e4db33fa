package baseline

import (
	"math"
	"slices"

	"ttftop/probe/quantile"
)

const (
	doubtful = 5    // so many dear points of one length in a row, all about as dear, put the curve in doubt
	witness  = 2    // so many of another length beside them show a slower server
	runCap   = 32   // dear points kept of a run
	seldom   = 1e-3 // a run that comes by chance no oftener than this is worth a doubt
)

// run is the latest points of one length that were all dearer than the curve
// says, in order of arrival. Those under load of our own are not in it.
type run struct {
	points series
	usual  float64 // what the curve has for the length, ns
}

// weigh takes a point, by the curve last asked for.
func (r *run) weigh(p Point, c Curve) {
	mid, _, hi := c.At(p.Tokens)
	usual := float64(mid)
	if v := float64(p.Server); v <= float64(hi) || v < dearLimit(cluster{mid: usual}) {
		*r = run{}
		return
	}
	r.usual = usual
	r.points = append(r.points, p)
	r.points = r.points[max(0, len(r.points)-runCap):]
}

// steady reports whether there are n points, as close together as waits in a
// queue hardly are.
func (r *run) steady(n int) bool {
	if len(r.points) < n {
		return false
	}
	values := r.points.values()
	slices.Sort(values)
	return narrowest(values) <= tight*(values[quantile.Rank(0.5, len(values))]-r.usual)
}

// odds is how often a run like that of the length comes by chance, given how
// often the points before it were dear.
func (l *length) odds(r run) float64 {
	if len(r.points) == 0 {
		return 1
	}
	limit, often, n := dearLimit(cluster{mid: r.usual}), 1.0, 1.0
	for _, p := range l.quiet {
		if !p.At.Before(r.points[0].At) {
			break
		}
		n++
		if float64(p.Server) >= limit {
			often++
		}
	}
	return math.Pow(often/n, float64(len(r.points)))
}

// doubtful reports whether the length puts the curve in doubt.
func (l *length) doubtful() bool { return l.run.steady(doubtful) && l.odds(l.run) <= seldom }

// InDoubt reports whether the latest points of a prompt length all lie above
// the curve by a steady amount: they wait, or the server has become slower.
// Points of another length decide it.
func (f *Fitter) InDoubt() bool {
	return slices.ContainsFunc(f.lengths, func(l *length) bool { return l.doubtful() })
}

// weigh holds a point against the curve.
func (f *Fitter) weigh(l *length, p Point) {
	if f.known && !f.curve.busy && !p.Loaded && f.curve.Covers(p.Tokens) {
		l.run.weigh(p, f.curve)
	}
}

// seconded looks for a slower server by the points of two lengths: a run that
// puts the curve in doubt, and another of a clearly different length since it
// began.
func (f *Fitter) seconded() (shift, int, bool) {
	for _, l := range f.lengths {
		if !l.doubtful() {
			continue
		}
		begun := l.run.points[0].At
		for _, other := range f.lengths {
			beside := run{points: other.run.points.since(begun), usual: other.run.usual}
			if 2*min(l.around, other.around) <= max(l.around, other.around) && beside.steady(witness) && l.odds(l.run)*other.odds(beside) <= chance {
				values := l.run.points.values()
				slices.Sort(values)
				return shift{since: begun, from: l.run.usual, to: values[quantile.Rank(0.5, len(values))]}, l.around, true
			}
		}
	}
	return shift{}, 0, false
}
