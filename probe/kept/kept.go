// Package kept says whether SLOs are kept, with a confidence that holds however
// often somebody looks.
//
// An SLO is kept once the confidence sequence of its quantile lies at or below
// the limit, broken once it lies above it, and undecided until then: few probes
// prove nothing, and a p99 can't be proved with fewer than 305. Failures that
// rank are slower than every limit of the TTFT. Each SLO holds by itself at the
// confidence asked for. Package anytime says what is assumed.
//
// Start with New, give every result to Take, and read State.
package kept

import (
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/anytime"
	"ttftop/probe/record"
)

// State is what may be said of an SLO.
type State int

// The states.
const (
	Undecided State = iota
	Kept
	Broken
)

// String is the state as records spell it.
func (s State) String() string { return [...]string{"undecided", "kept", "broken"}[s] }

// Judge looks at one SLO of one target. It is not safe for concurrent use.
type Judge struct {
	SLO        probe.SLO
	Confidence float64

	mixture *anytime.Mixture // nil for no failure at all
	sample  anytime.Sample
	limit   float64
}

// New starts to look at an SLO with a confidence above 0 and below 1.
func New(s probe.SLO, confidence float64) *Judge {
	j := &Judge{SLO: s, Confidence: confidence, limit: float64(s.Limit)}
	q := s.Quantile
	if s.Metric == probe.FailuresMetric { // of values that are 1 for a failure: at most a share of them is above ½
		q, j.limit = 1-s.Share, 0.5
	}
	if q > 0 && q < 1 {
		j.mixture = anytime.New(q, 1-confidence)
	}
	return j
}

// Take takes an ordinary result of the target.
func (j *Judge) Take(r *probe.Result) {
	if r.Kind != probe.Ordinary || r.KeptOut() || r.Failure != nil && r.Failure.Kind == probe.FailCanceled {
		return
	}
	if v, ok := j.value(r); ok {
		j.sample.Add(v)
	}
}

// value is what the SLO limits, false where the result has no such thing.
func (j *Judge) value(r *probe.Result) (float64, bool) {
	if j.SLO.Metric == probe.FailuresMetric {
		if r.Failure != nil {
			return 1, r.Failure.Kind != probe.FailClient
		}
		return 0, true
	}
	if r.Failure != nil {
		return math.Inf(1), r.Failure.Censored() && j.SLO.Metric != probe.TPOTMetric
	}
	m := r.TTFT()
	switch j.SLO.Metric {
	case probe.TPOTMetric:
		m = r.TPOT()
	case probe.Per1kMetric:
		if r.UncachedTokens() <= 0 {
			return 0, false
		}
		m.At = m.At * 1000 / time.Duration(r.UncachedTokens())
	}
	return float64(m.At), m.OK
}

// N is the number of probes that say something of the SLO.
func (j *Judge) N() int { return j.sample.N() }

// State is what may be said now. That nothing ever fails can't be proved: such
// an SLO is broken by the first failure, and never certain to be kept.
func (j *Judge) State() State {
	if j.mixture == nil {
		if j.sample.Above(j.limit) > 0 {
			return Broken
		}
		return Undecided
	}
	switch v := j.interval(); {
	case v.Hi <= j.limit:
		return Kept
	case v.Lo > j.limit:
		return Broken
	}
	return Undecided
}

func (j *Judge) interval() anytime.Interval { return j.sample.Interval(j.mixture) }

// Interval is the quantile that the SLO limits, with the interval in which it lies
// at any time of looking. What is not known or has no bound yet is not OK; nothing
// is of failures.
func (j *Judge) Interval() (estimate, lo, hi probe.Mark) {
	if j.SLO.Metric == probe.FailuresMetric {
		return
	}
	v := j.interval()
	return mark(v.Estimate), mark(v.Lo), mark(v.Hi)
}

// mark is a number of nanoseconds, not OK where it is none.
func mark(ns float64) probe.Mark {
	if math.IsNaN(ns) || math.IsInf(ns, 0) {
		return probe.Mark{}
	}
	return probe.At(time.Duration(ns))
}

// Record is what may be said now as a line of a session.
func (j *Judge) Record(target string, at time.Time) record.SLO {
	estimate, lo, hi := j.Interval()
	return record.SLO{
		Type: "slo", At: record.Stamp(at), Target: target, SLO: j.SLO.String(), State: j.State().String(),
		Probes: j.N(), Value: record.Between(estimate, lo, hi), Confidence: j.Confidence,
	}
}

// Needs is the least number of probes that can prove the SLO kept, 0 where none
// can.
func (j *Judge) Needs() int {
	if j.mixture == nil {
		return 0
	}
	_, high := j.mixture.First()
	return high
}
