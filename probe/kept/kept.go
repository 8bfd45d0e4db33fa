// Package kept says whether SLOs are kept, with a confidence that holds however
// often somebody looks.
//
// An SLO is kept once the confidence sequence of its quantile lies at or below
// the limit, broken once it lies above it, and undecided until then: few probes
// prove nothing, and a p99 can't be proved with fewer than 305. Failures that
// rank are slower than every limit of the TTFT. Each SLO holds by itself at the
// confidence asked for. Package anytime says what is assumed.
//
// Start with New, tell Began of every probe that was sent, give every result to Take,
// and read State.
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
	skipped int
	line    line
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

// Began tells that a probe of the target was sent.
func (j *Judge) Began(e probe.Started) {
	if e.Kind == probe.Ordinary {
		j.line.begin(e.Seq)
	}
}

// Take takes a result of the target. It counts once every probe that was sent before
// it has ended: otherwise quick ones would be looked at while slow ones are in flight.
func (j *Judge) Take(r *probe.Result) {
	if r.Kind != probe.Ordinary {
		return
	}
	j.line.end(r)
	for r, ok := j.line.next(); ok; r, ok = j.line.next() {
		switch v, state := j.value(r); {
		case r.KeptOut():
		case state == known:
			j.sample.Add(v)
		case state == cutOff:
			j.line.close()
		}
	}
}

// standing says whether a result tells what an SLO limits.
type standing int

const (
	none standing = iota // there is no such thing in it
	known
	cutOff // it was cancelled before that could be said
)

// value is what the SLO limits. A probe that was not sent, since this program had too
// many in flight, is no failure of the endpoint's.
func (j *Judge) value(r *probe.Result) (float64, standing) {
	if r.Failure != nil {
		switch kind := r.Failure.Kind; {
		case kind == probe.FailCanceled:
			return j.canceled(r)
		case kind == probe.FailSkipped:
			j.skipped++
		}
	}
	if j.SLO.Metric == probe.FailuresMetric {
		switch {
		case r.Failure == nil:
			return 0, known
		case r.Failure.ByEndpoint():
			return 1, known
		}
		return 0, none
	}
	if r.Failure != nil {
		return math.Inf(1), there(r.Failure.Censored() && j.SLO.Metric != probe.TPOTMetric)
	}
	if j.SLO.Metric == probe.TPOTMetric {
		m := r.TPOT()
		return float64(m.At), there(m.OK)
	}
	v, ok := j.of(r, r.TTFT())
	return v, there(ok)
}

func there(ok bool) standing {
	if ok {
		return known
	}
	return none
}

// of is a TTFT as the SLO limits it.
func (j *Judge) of(r *probe.Result, m probe.Mark) (float64, bool) {
	if j.SLO.Metric == probe.Per1kMetric {
		if !r.UncachedKnown() || r.UncachedTokens() <= 0 {
			return 0, false
		}
		m.At = m.At * 1000 / time.Duration(r.UncachedTokens())
	}
	return float64(m.At), m.OK
}

// canceled is what a probe tells that was in flight when the session ended: its TTFT
// where it had come to one, or that it lies beyond the limit where it had waited
// longer.
func (j *Judge) canceled(r *probe.Result) (float64, standing) {
	if j.SLO.Metric == probe.FailuresMetric || j.SLO.Metric == probe.TPOTMetric {
		return 0, cutOff
	}
	if v, ok := j.of(r, r.TTFT()); ok {
		return v, known
	}
	if waited, ok := j.of(r, r.Timeline.Done); ok && waited > j.limit {
		return math.Inf(1), known
	}
	return 0, cutOff
}

// Skipped is the number of probes that were not sent, since too many were in flight.
func (j *Judge) Skipped() int { return j.skipped }

// Settled reports whether nothing more is to be found out: it is kept or broken, or
// can't be proved kept by any number of probes.
func (j *Judge) Settled() bool { return j.mixture == nil || j.State() != Undecided }

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
		Probes: j.N(), Skipped: j.skipped, Value: record.Between(estimate, lo, hi), Failed: j.failed(), Confidence: j.Confidence,
	}
}

// failed is the share of failures in per cent where the SLO limits it, else nil.
func (j *Judge) failed() *record.Millis {
	if j.SLO.Metric != probe.FailuresMetric || j.N() == 0 {
		return nil
	}
	v := record.Millis(100 * float64(j.sample.Above(j.limit)) / float64(j.N()))
	return &v
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
