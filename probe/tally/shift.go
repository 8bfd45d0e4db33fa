package tally

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"ttftop/probe"
	"ttftop/probe/cut"
)

// Confidence is that of every interval of a shift.
const Confidence = 0.95

// Enough is how many probes must rank in an epoch before the shift of its p50
// has an interval: with fewer, the p50 may lie outside of all of them with a
// probability of more than 1 − Confidence. EnoughP95 is the same for the p95.
var (
	Enough    = leastFor(0.50)
	EnoughP95 = leastFor(0.95)
)

// leastFor is the least n of which the largest exceeds the quantile q, and the
// smallest is below it, each with a probability of 1 − (1−Confidence)/2: qⁿ and
// (1−q)ⁿ are the probabilities that they don't.
func leastFor(q float64) int {
	return int(math.Ceil(math.Log((1-Confidence)/2) / math.Log(max(q, 1-q))))
}

// Change is by how much a time has changed, with its interval; not OK as long
// as too little is known.
type Change struct {
	At, Lo, Hi time.Duration
	OK         bool
}

// Clear reports whether the change is one at all: its interval is on one side
// of 0.
func (c Change) Clear() bool { return c.OK && (c.Lo > 0 || c.Hi < 0) }

// Shift is what has changed from the epoch before to the present one.
type Shift struct {
	P50, P95 Change
	Parts    []PartChange // of the p50 waterfall, in its order
}

// PartChange is the change of one part. Where one of the two epochs isn't cut,
// there are two parts: the network and the server.
type PartChange struct {
	Part probe.Part
	Change
}

// draws is how often an epoch is resampled.
const draws = 400

// resampled are draws of what an epoch could have been.
type resampled struct {
	of       int // probes of the epoch at that time
	p50, p95 []probe.Waterfall
}

// resample draws the epoch anew once it has a sixteenth more probes than at the
// last time: fewer would hardly move an interval, and a long epoch costs little.
// The source is fixed: the same probes give the same draws.
func (e *epoch) resample(seed uint64) *resampled {
	e.refresh()
	if e.probes-e.drawn.of > e.drawn.of/16 {
		source := rand.NewPCG(seed, 1)
		e.drawn = resampled{of: e.probes, p50: cut.Resample(0.5, e.ranked, e.censored, e.waterfall, draws, source)}
		if e.numbers.P95.N >= EnoughP95 {
			e.drawn.p95 = cut.Resample(0.95, e.ranked, e.censored, e.waterfall, draws, source)
		}
	}
	return &e.drawn
}

// shifted is a shift that was found, and of what.
type shifted struct {
	before, after *epoch
	of            [2]int // their probes at that time
	shift         Shift
}

// Shift compares the present epoch with the one before. What is not OK in it
// can't be known yet.
func (t *Target) Shift() Shift {
	if t.compared == nil {
		return Shift{}
	}
	before, after := t.compared, t.current
	if of := [2]int{before.probes, after.probes}; t.shifted.before != before || t.shifted.after != after || t.shifted.of != of {
		t.shifted = shifted{before, after, of, shiftOf(before, after)}
	}
	return t.shifted.shift
}

func shiftOf(before, after *epoch) Shift {
	b, a := before.figures(), after.figures()
	if min(b.P50.N, a.P50.N) < Enough {
		return Shift{}
	}
	from, to := before.resample(1), after.resample(2)
	var s Shift
	if !b.P50.Censored && !a.P50.Censored {
		s.P50 = changeOf(a.P50.At-b.P50.At, from.p50, to.p50, probe.Waterfall.Total)
	}
	if len(from.p95) > 0 && len(to.p95) > 0 && !b.P95.Censored && !a.P95.Censored {
		s.P95 = changeOf(a.P95.At-b.P95.At, from.p95, to.p95, probe.Waterfall.Total)
	}
	if s.P50.OK && len(before.median) > 0 && len(after.median) > 0 {
		s.Parts = partsOf(before.median, after.median, from.p50, to.p50)
	}
	return s
}

// partsOf compares waterfalls part by part.
func partsOf(before, after probe.Waterfall, from, to []probe.Waterfall) []PartChange {
	var list []PartChange
	add := func(p probe.Part, of func(probe.Waterfall) time.Duration) {
		list = append(list, PartChange{p, changeOf(of(after)-of(before), from, to, of)})
	}
	if before.Of(probe.ServerPart) > 0 || after.Of(probe.ServerPart) > 0 {
		network := func(w probe.Waterfall) time.Duration { return w.Of(probe.NetworkPart) }
		add(probe.NetworkPart, network)
		add(probe.ServerPart, func(w probe.Waterfall) time.Duration { return w.Total() - network(w) })
		return list
	}
	for _, p := range probe.Parts[:len(probe.Parts)-1] {
		add(p, func(w probe.Waterfall) time.Duration { return w.Of(p) })
	}
	return list
}

// changeOf is the percentile interval of the differences of paired draws. A
// draw that falls on a failure exceeds everything; an interval that would need
// such a draw is not known.
func changeOf(at time.Duration, from, to []probe.Waterfall, of func(probe.Waterfall) time.Duration) Change {
	differences := make([]float64, 0, len(from))
	for i := range min(len(from), len(to)) {
		switch {
		case from[i] == nil && to[i] == nil:
		case from[i] == nil:
			differences = append(differences, math.Inf(-1))
		case to[i] == nil:
			differences = append(differences, math.Inf(1))
		default:
			differences = append(differences, float64(of(to[i])-of(from[i])))
		}
	}
	if len(differences) == 0 {
		return Change{}
	}
	slices.Sort(differences)
	lo := stat.Quantile((1-Confidence)/2, stat.Empirical, differences, nil)
	hi := stat.Quantile((1+Confidence)/2, stat.Empirical, differences, nil)
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return Change{}
	}
	return Change{At: at, Lo: min(at, time.Duration(lo)), Hi: max(at, time.Duration(hi)), OK: true}
}
