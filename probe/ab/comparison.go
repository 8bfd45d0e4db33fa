package ab

import (
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/anytime"
)

// Defaults of a comparison.
const (
	DefaultMargin     = 0.05
	DefaultConfidence = 0.95
)

// Config says what is compared.
type Config struct {
	A, B       string  // names
	Margin     float64 // a ratio of 1 ± this is the same, above 0
	Confidence float64 // of each interval, at any time of looking; above 0, below 1
	TwoModels  bool    // other models are the point, and nothing to warn of
	Unpaired   bool    // the sides are two recordings
}

// Comparison is what has been found so far. It is not safe for concurrent use.
type Comparison struct {
	config  Config
	diff    anytime.Sample      // B − A, in nanoseconds; +Inf where B failed
	ratio   anytime.Sample      // B/A − 1
	parts   [len(parts)]bounded // B − A
	sides   [2]side
	beside  int
	skipped int   // pairs that were not sent, since too many probes were in flight
	alone   int   // probes without a partner
	queue   queue // of pairs that were sent
	pace    pace  // at which they were

	history []Moment
	stride  int // every so many pairs are noted

	median, p95, p99 *anytime.Mixture
	p95Half          *anytime.Mixture // at half the error
	failures         *anytime.Mixture // of the failures below
	onlyA, onlyB     int              // pairs in which one side failed
}

// parts are what a difference is cut into. ServerPart is here all that is not
// network, cut further or not.
var parts = [...]probe.Part{
	probe.NetworkPart, probe.HandlingPart, probe.QueuePart, probe.PrefillPart, probe.FirstDecodePart, probe.ServerPart,
}

// New starts a comparison.
func New(c Config) *Comparison {
	alpha := 1 - c.Confidence
	return &Comparison{
		config: c, stride: 1,
		median: anytime.New(0.5, alpha), p95: anytime.New(0.95, alpha), p99: anytime.New(0.99, alpha), p95Half: anytime.New(0.95, alpha/2),
		failures: anytime.New(0.5, alpha),
	}
}

// Add takes a pair of results, which it does not keep.
func (c *Comparison) Add(a, b *probe.Result) {
	if skipped(a) || skipped(b) {
		c.skipped++
		return
	}
	if !counts(a) || !counts(b) {
		c.leave(0, a)
		c.leave(1, b)
		c.beside++
		return
	}
	c.sides[0].add(a)
	c.sides[1].add(b)
	ta, tb := ttft(a), ttft(b)
	c.diff.Add(tb - ta) // ∞ − ∞ is a tie of which nothing more is known
	c.note(ta, tb)
	switch failedA, failedB := math.IsInf(ta, 1), math.IsInf(tb, 1); {
	case failedA && failedB:
		c.ratio.Add(math.NaN())
	case failedA:
		c.onlyA++
		c.ratio.Add(-1)
	case failedB:
		c.onlyB++
		c.ratio.Add(math.Inf(1))
	default:
		c.ratio.Add(tb/ta - 1)
		c.cut(a.Waterfall, b.Waterfall)
	}
}

// leave notes why a pair does not count.
func (c *Comparison) leave(side int, r *probe.Result) {
	if !counts(r) {
		c.sides[side].refuse(r)
	}
}

// Tried takes any result of a side, of whatever kind: one that is never answered
// has no pair to say so.
func (c *Comparison) Tried(side int, r *probe.Result) {
	s := &c.sides[side]
	switch {
	case r.Failure == nil:
		s.heard, s.silent = true, ""
	case !s.heard && r.Failure.Kind != probe.FailCanceled && r.Failure.Kind != probe.FailSkipped:
		s.silent = r.Failure.Error()
	}
}

// Alone takes a result that has no partner: it counts for the quantiles of its
// side, 0 for A and 1 for B.
func (c *Comparison) Alone(side int, r *probe.Result) {
	if counts(r) {
		c.sides[side].add(r)
		c.alone++
		return
	}
	c.leave(side, r)
}

// Pairs is the number of pairs that count.
func (c *Comparison) Pairs() int { return c.diff.N() }

// cut takes the difference of two waterfalls, part by part. Where one is not
// cut, only its network and all the rest can be compared.
func (c *Comparison) cut(a, b probe.Waterfall) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	whole := undivided(a) || undivided(b)
	for i, p := range parts {
		if p == probe.ServerPart || p == probe.NetworkPart || !whole {
			d := pieceOf(b, p).less(pieceOf(a, p))
			c.parts[i].add(d.value, d.least, d.most)
		}
	}
}

// counts reports whether a result has a place in the ranking. One that was not sent,
// since this program had too many in flight, says nothing of the endpoint.
func counts(r *probe.Result) bool {
	return !r.KeptOut() && !skipped(r) && (r.Failure.Censored() || r.Failure == nil && r.TTFT().OK && r.TTFT().At > 0)
}

// ttft is the TTFT in nanoseconds, +Inf for a failure: slower than anything.
func ttft(r *probe.Result) float64 {
	if r.Failure != nil {
		return math.Inf(1)
	}
	return float64(r.TTFT().At)
}

func undivided(w probe.Waterfall) bool { return w.Of(probe.ServerPart) > 0 }

func serverTime(w probe.Waterfall) time.Duration { return w.Total() - w.Of(probe.NetworkPart) }
