package ab

import (
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/anytime"
	"ttftop/probe/quantile"
)

// Outcome is what may be said.
type Outcome string

// The outcomes, as records spell them.
const (
	AFaster    Outcome = "a_faster"
	BFaster    Outcome = "b_faster"
	Same       Outcome = "same"
	AFailsMore Outcome = "a_fails_more" // the medians are the same, the failures are not
	BFailsMore Outcome = "b_fails_more"
	Undecided  Outcome = "undecided"
)

// Verdict is all that a comparison says at one moment. Differences are B − A.
type Verdict struct {
	Config
	Outcome Outcome
	Pairs   int // that count
	Beside  int // pairs that don't
	Skipped int // pairs that were not sent, since too many probes were in flight
	More    int // about how many more pairs would settle it; 0 where it is settled, or can't be said

	Diff   Span  // median of the differences
	Ratio  Ratio // median of the ratios B/A, less 1
	P95    Span  // difference of the p95 of B and of A
	Parts  []PartSpan
	Server Span // median difference of all that is not network: measured, however it is cut
	Sides  [2]SideFigures

	Warnings []string // why the two may not be comparable
}

// Span is a duration that is estimated, with its interval. A mark that is not OK
// is not there yet, or lies beyond every success.
type Span struct {
	Estimate, Lo, Hi probe.Mark
	Max              bool // there are too few values for this quantile: Estimate is their maximum
}

// Ratio is a share that is estimated, with its interval; ±Inf where there is no
// bound yet, NaN where there is no pair.
type Ratio anytime.Interval

// PartSpan is a part of the waterfall. The interval of one that is estimated holds
// as far as that of the baseline does.
type PartSpan struct {
	Part   probe.Part
	Source probe.Source // of a difference, the weaker one of both sides'
	Span
	Bound string // before a queue that is a lower or an upper bound; of a difference "~", where one of both is
}

// SideFigures are the quantiles of one side.
type SideFigures struct {
	Name          string
	P50, P95, P99 Span
	Parts         []PartSpan // medians
	Probes        int        // ranked
	Failed        int        // of these
	FailsMore     bool       // than the other, certainly
	Refused       int        // beside the ranked: by a rate limit or another 4xx
	RefusedWith   string     // of these the statuses: "HTTP 429"
	Cached        int        // with some of the prompt cached
	Silent        string     // why no probe was answered, whatever it was sent for; "" where one was
}

// Verdict says what may be said now.
func (c *Comparison) Verdict() Verdict {
	ratio := c.ratio.Interval(c.median)
	ratio.Estimate = middleRatio(&c.ratio)
	v := Verdict{
		Config: c.config, Pairs: c.Pairs(), Beside: c.beside, Skipped: c.skipped,
		Diff: span(centred(&c.diff, c.median)), Ratio: bare(ratio),
		P95: difference(c.quantile(1, c.p95Half, 0.95), c.quantile(0, c.p95Half, 0.95)),
	}
	v.Outcome = c.outcome()
	if v.Outcome == Undecided {
		v.More = c.more()
	}
	v.Parts = spans(&c.parts, func(b *bounded, i int) PartSpan {
		p := PartSpan{Part: parts[i], Source: weaker(c.sides[0].source(i), c.sides[1].source(i)), Span: span(b.shift(c.median))}
		if parts[i] == probe.QueuePart && c.sides[0].bound()+c.sides[1].bound() != "" {
			p.Bound = "~"
		}
		return p
	})
	v.Server = span(c.parts[len(parts)-1].shift(c.median))
	for i, name := range []string{c.config.A, c.config.B} {
		s := &c.sides[i]
		v.Sides[i] = SideFigures{
			Name: name, P50: c.quantile(i, c.median, 0.5), P95: c.quantile(i, c.p95, 0.95), P99: c.quantile(i, c.p99, 0.99),
			FailsMore: c.worse() == i, Refused: s.refusals(), RefusedWith: s.refusedWith(), Silent: s.silent,
			Parts: spans(&s.parts, func(b *bounded, i int) PartSpan { return s.level(b, i, c.median) }), Probes: s.ttft.N(), Failed: s.failed, Cached: s.cached,
		}
	}
	v.Warnings = c.warnings()
	return v
}

// centred is the median of differences with its interval.
func centred(s *anytime.Sample, median *anytime.Mixture) anytime.Interval {
	v := s.Interval(median)
	v.Estimate = s.Middle()
	return v
}

// middleRatio is the median of ratios B/A, less 1; of an even number of them the
// geometric mean of both in the middle, so that that of A/B is its inverse.
func middleRatio(s *anytime.Sample) float64 {
	all := s.Values()
	if len(all) == 0 {
		return math.NaN()
	}
	low, high := all[(len(all)-1)/2], all[len(all)/2]
	if low == high {
		return low
	}
	return math.Sqrt(1+low)*math.Sqrt(1+high) - 1
}

// bare is a ratio without the −100 % and +∞ that stand for failures.
func bare(v anytime.Interval) Ratio {
	if v.Estimate <= -1 || math.IsInf(v.Estimate, 1) {
		v.Estimate = math.NaN()
	}
	if v.Lo <= -1 {
		v.Lo = math.Inf(-1)
	}
	if v.Hi <= -1 {
		v.Hi = math.Inf(1)
	}
	return Ratio(v)
}

// outcome looks at the margin first: a difference that is certain and does not
// matter is none. Medians that are the same don't make the sides the same where one
// certainly fails more.
func (c *Comparison) outcome() Outcome {
	if c.config.Margin > 0 {
		if r := c.ratio.Interval(c.median); -c.config.Margin <= r.Lo && r.Hi <= c.config.Margin {
			return [...]Outcome{AFailsMore, BFailsMore, Same}[c.worse()]
		}
	}
	switch d := c.diff.Interval(c.median); {
	case d.Hi < 0:
		return BFaster
	case d.Lo > 0:
		return AFaster
	}
	return Undecided
}

// Outcome is the outcome alone, for who looks after every pair.
func (c *Comparison) Outcome() Outcome { return c.outcome() }

// mostly is the share of the pairs that must be cut on both sides before the
// parts of the server's time are told one by one.
const mostly = 0.8

// spans are the parts that can be told: the server's time in one where it is
// mostly not cut.
func spans(samples *[len(parts)]bounded, tell func(b *bounded, i int) PartSpan) (all []PartSpan) {
	server := len(parts) - 1
	if samples[server].n() == 0 {
		return nil
	}
	divided := float64(samples[1].n()) >= mostly*float64(samples[server].n())
	for i, p := range parts {
		if p == probe.NetworkPart || (p == probe.ServerPart) != divided {
			all = append(all, tell(&samples[i], i))
		}
	}
	return all
}

// quantile is one of a side, 0 for A and 1 for B.
func (c *Comparison) quantile(side int, m *anytime.Mixture, q float64) Span {
	s := &c.sides[side].ttft
	v := span(s.Interval(m))
	v.Max = v.Estimate.OK && s.N() < quantile.Needs(q)
	return v
}

// difference is the interval of a difference from those of its ends. That of two
// maxima is none of a quantile.
func difference(b, a Span) (d Span) {
	less := func(x, y probe.Mark) probe.Mark { return probe.Mark{At: x.At - y.At, OK: x.OK && y.OK} }
	d = Span{Estimate: less(b.Estimate, a.Estimate), Lo: less(b.Lo, a.Hi), Hi: less(b.Hi, a.Lo)}
	d.Estimate.OK = d.Estimate.OK && !a.Max && !b.Max
	return d
}

func span(v anytime.Interval) Span {
	return Span{Estimate: mark(v.Estimate), Lo: mark(v.Lo), Hi: mark(v.Hi)}
}

// mark is a number of nanoseconds, not OK where it is none.
func mark(ns float64) probe.Mark {
	if math.IsNaN(ns) || math.IsInf(ns, 0) {
		return probe.Mark{}
	}
	return probe.At(time.Duration(ns))
}
