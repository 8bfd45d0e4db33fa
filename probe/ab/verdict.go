package ab

import (
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/anytime"
)

// Outcome is what may be said.
type Outcome string

// The outcomes, as records spell them.
const (
	AFaster   Outcome = "a_faster"
	BFaster   Outcome = "b_faster"
	Same      Outcome = "same"
	Undecided Outcome = "undecided"
)

// Verdict is all that a comparison says at one moment. Differences are B − A.
type Verdict struct {
	Config
	Outcome Outcome
	Pairs   int // that count
	Beside  int // pairs that don't
	More    int // about how many more pairs would settle it; 0 where it is settled, or can't be said

	Diff   Span  // median of the differences
	Ratio  Ratio // median of the ratios B/A, less 1
	P95    Span  // difference of the p95 of B and of A
	Parts  []PartSpan
	Server Span // median difference of all that is not network
	Sides  [2]SideFigures

	Warnings []string // why the two may not be comparable
}

// Span is a duration that is estimated, with its interval. A mark that is not OK
// is not there yet, or lies beyond every success.
type Span struct{ Estimate, Lo, Hi probe.Mark }

// Ratio is a share that is estimated, with its interval; ±Inf where there is no
// bound yet, NaN where there is no pair.
type Ratio anytime.Interval

// PartSpan is a part of the waterfall.
type PartSpan struct {
	Part probe.Part
	Span
}

// SideFigures are the quantiles of one side.
type SideFigures struct {
	Name          string
	P50, P95, P99 Span
	Parts         []PartSpan // medians
	Probes        int        // ranked
	Failed        int        // of these
	Cached        int        // with some of the prompt cached
}

// Verdict says what may be said now.
func (c *Comparison) Verdict() Verdict {
	ratio := c.ratio.Interval(c.median)
	v := Verdict{
		Config: c.config, Pairs: c.Pairs(), Beside: c.beside,
		Diff: span(c.diff.Interval(c.median)), Ratio: Ratio(ratio),
		P95: difference(c.sides[1].ttft.Interval(c.p95Half), c.sides[0].ttft.Interval(c.p95Half)),
	}
	v.Outcome = c.outcome()
	if v.Outcome == Undecided {
		v.More = c.more()
	}
	v.Parts = spans(&c.parts, c.median)
	v.Server = span(c.parts[len(parts)-1].Interval(c.median))
	for i, name := range []string{c.config.A, c.config.B} {
		s := &c.sides[i]
		v.Sides[i] = SideFigures{
			Name: name, P50: span(s.ttft.Interval(c.median)), P95: span(s.ttft.Interval(c.p95)), P99: span(s.ttft.Interval(c.p99)),
			Parts: spans(&s.parts, c.median), Probes: s.ttft.N(), Failed: s.failed, Cached: s.cached,
		}
	}
	v.Warnings = c.warnings()
	return v
}

// outcome looks at the margin first: a difference that is certain and does not
// matter is none.
func (c *Comparison) outcome() Outcome {
	if c.config.Margin > 0 {
		if r := c.ratio.Interval(c.median); -c.config.Margin <= r.Lo && r.Hi <= c.config.Margin {
			return Same
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
func spans(samples *[len(parts)]anytime.Sample, median *anytime.Mixture) (all []PartSpan) {
	server := len(parts) - 1
	if samples[server].N() == 0 {
		return nil
	}
	divided := float64(samples[1].N()) >= mostly*float64(samples[server].N())
	for i, p := range parts {
		if p == probe.NetworkPart || (p == probe.ServerPart) != divided {
			all = append(all, PartSpan{p, span(samples[i].Interval(median))})
		}
	}
	return all
}

// difference is the interval of a difference from those of its ends.
func difference(b, a anytime.Interval) Span {
	return span(anytime.Interval{Estimate: b.Estimate - a.Estimate, Lo: b.Lo - a.Hi, Hi: b.Hi - a.Lo})
}

func span(v anytime.Interval) Span { return Span{mark(v.Estimate), mark(v.Lo), mark(v.Hi)} }

// mark is a number of nanoseconds, not OK where it is none.
func mark(ns float64) probe.Mark {
	if math.IsNaN(ns) || math.IsInf(ns, 0) {
		return probe.Mark{}
	}
	return probe.At(time.Duration(ns))
}
