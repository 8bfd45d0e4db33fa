package baseline

import (
	"math"
	"slices"
	"time"

	"ttftop/probe/quantile"
)

const (
	doubtful = 5    // so many dear points of one length in a row, all about as dear, put the curve in doubt
	witness  = 2    // so many of another length beside them show a slower server
	drifting = 12   // the latest so many of a longer run, about as dear, are doubtful too: a server that becomes slower little by little has no level for long
	runCap   = 32   // dear points kept of a run
	seldom   = 1e-3 // a run that comes by chance no oftener than this is worth a doubt
)

// run is the latest points of one length that were all dearer than the curve
// says, in order of arrival. Those under load of our own are not in it.
type run struct {
	points series    // the latest
	begun  time.Time // when the first came
	count  int       // of all of them
	usual  float64   // what the curve has for the length, ns
	limit  float64   // up to here a cost was that of an idle server when the run began, ns
}

// weigh takes a point, by the curve last asked for. The points of a run also widen
// that curve's interval, so what they have to exceed is the one it had before.
func (r *run) weigh(p Point, c Curve) {
	mid, _, hi := c.At(p.Tokens)
	usual, v := float64(mid), float64(p.Server)
	if r.count == 0 {
		r.begun, r.limit = p.At, float64(hi)
	}
	if v <= r.limit || v < dearLimit(cluster{mid: usual}) {
		*r = run{}
		return
	}
	r.usual = usual
	r.count++
	r.points = append(r.points, p)
	r.points = r.points[max(0, len(r.points)-runCap):]
}

// latest is the run with no more than its latest n points.
func (r run) latest(n int) run {
	r.points = r.points[max(0, len(r.points)-n):]
	return r
}

// beside is what came of the run since an instant.
func (r run) beside(since time.Time) run {
	r.points = r.points.since(since)
	r.count = len(r.points)
	if r.count > 0 {
		r.begun = r.points[0].At
	}
	return r
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
	if r.count == 0 {
		return 1
	}
	return l.oddsOf(r.begun, dearLimit(cluster{mid: r.usual}), r.count)
}

// oddsOf is how often so many points in a row that cost no less than the limit
// come by chance, given how often those before an instant did.
func (l *length) oddsOf(begun time.Time, limit float64, count int) float64 {
	often, n := 1.0, 1.0
	for _, p := range l.quiet {
		if !p.At.Before(begun) {
			break
		}
		n++
		if float64(p.Server) >= limit {
			often++
		}
	}
	return math.Pow(often/n, float64(count))
}

// doubt is a run that puts the curve in doubt, and how often such a one comes by
// chance.
type doubt struct {
	run
	odds float64
}

// doubtful is the doubt that the length raises, if any. Of a server that others
// keep busy only a long run raises one: where so few points before it were dear,
// or where so few were as dear as all of the latest, as of a server that becomes
// slower little by little.
func (l *length) doubtful(busy bool) (doubt, bool) {
	odds := l.odds(l.run)
	if !busy && l.run.steady(doubtful) && odds <= seldom {
		return doubt{l.run, odds}, true
	}
	r := l.run.latest(drifting)
	if !r.steady(drifting) {
		return doubt{}, false
	}
	odds = min(odds, l.oddsOf(r.points[0].At, slices.Min(r.points.values()), drifting))
	return doubt{r, odds}, odds <= chance
}

// InDoubt reports whether the latest points of a prompt length all lie above
// the curve by a steady amount: they wait, or the server has become slower.
// Points of another length decide it.
func (f *Fitter) InDoubt() bool {
	return slices.ContainsFunc(f.lengths, func(l *length) bool {
		_, ok := l.doubtful(f.curve.busy)
		return ok
	})
}

// weigh holds a point against the curve.
func (f *Fitter) weigh(l *length, p Point) {
	if f.known && !p.Loaded && f.curve.Covers(p.Tokens) {
		l.run.weigh(p, f.curve)
	}
}

// seconded looks for a slower server by the points of two lengths: a run that
// puts the curve in doubt, and another of a clearly different length since it
// began.
func (f *Fitter) seconded() (shift, int, bool) {
	for _, l := range f.lengths {
		r, ok := l.doubtful(f.curve.busy)
		if !ok {
			continue
		}
		begun := r.points[0].At
		for _, other := range f.lengths {
			beside := other.run.beside(begun)
			if 2*min(l.around, other.around) <= max(l.around, other.around) && beside.steady(witness) && r.odds*other.odds(beside) <= chance {
				values := r.points.values()
				slices.Sort(values)
				return shift{since: begun, from: r.usual, to: values[quantile.Rank(0.5, len(values))]}, l.around, true
			}
		}
	}
	return shift{}, 0, false
}
