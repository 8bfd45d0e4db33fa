package ab

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"ttftop/probe"
	"ttftop/probe/anytime"
)

// unknown stands for what can't be said.
const unknown = "–"

// decimals of a number of this size: "38", "3.1", "0.12".
func decimals(v float64) int {
	switch v = math.Abs(v); {
	case v >= 9.95:
		return 0
	case v >= 0.995:
		return 1
	}
	return 2
}

// number writes v with a true minus, and with a plus where signed.
func number(v float64, places int, signed bool) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', places, 64)
	switch zero := strconv.FormatFloat(0, 'f', places, 64); {
	case text == zero:
		return "0"
	case v < 0:
		return "−" + text
	case signed:
		return "+" + text
	}
	return text
}

// interval writes the bounds of an interval: "−21 … −52", the one that stands
// first first. A bound that isn't there makes it open: "≥ 3", "≤ −21".
func interval(lo, hi float64, write func(float64) string, backwards bool) string {
	switch below, above := math.IsInf(lo, -1), math.IsInf(hi, 1); {
	case below && above:
		return ""
	case below:
		return "≤ " + write(hi)
	case above:
		return "≥ " + write(lo)
	}
	if backwards {
		lo, hi = hi, lo
	}
	return write(lo) + " … " + write(hi)
}

// ms are milliseconds, and an infinity or NaN for a mark that is not OK.
func ms(m probe.Mark, missing float64) float64 {
	if !m.OK {
		return missing
	}
	return float64(m.At) / float64(time.Millisecond)
}

// numbers are the estimate and the bounds in milliseconds.
func (s Span) numbers() (estimate, lo, hi float64) {
	return ms(s.Estimate, math.NaN()), ms(s.Lo, math.Inf(-1)), ms(s.Hi, math.Inf(1))
}

// words writes an estimate with its interval: "−38 ms (−21 … −52)". Signed ones
// are differences; of one below zero the bound nearer to zero stands first.
func words(estimate, lo, hi float64, unit string, signed bool) string {
	known := !math.IsNaN(estimate) && !math.IsInf(estimate, 0)
	size := estimate
	if !known {
		size = lo
		if math.IsInf(lo, -1) {
			size = hi
		}
	}
	places := decimals(size)
	write := func(v float64) string { return number(v, places, signed) }
	text := unknown
	if known {
		text = write(estimate) + unit
	}
	if bounds := interval(lo, hi, write, signed && hi < 0); bounds != "" {
		text += " (" + bounds + ")"
	}
	return text
}

// Difference writes a span that is a difference, in milliseconds.
func (s Span) Difference(unit string) string {
	e, lo, hi := s.numbers()
	return words(e, lo, hi, unit, true)
}

// Level writes a span that is a duration, in milliseconds: "311 (301 … 325)", of
// a maximum "max 358 (≥ 340)".
func (s Span) Level(unit string) string {
	e, lo, hi := s.numbers()
	text := words(e, lo, hi, unit, false)
	if s.Max {
		text = "max " + text
	}
	return text
}

// letter is the mark of a source behind a figure: m, r or e.
func letter(s probe.Source) string {
	if s == "" {
		return ""
	}
	return string(s)[:1]
}

// Difference writes the difference of a part with the mark of its source.
func (p PartSpan) Difference() string { return p.bound(p.Span.Difference(letter(p.Source))) }

// Level writes the median of a part with the mark of its source.
func (p PartSpan) Level() string { return p.bound(p.Span.Level(letter(p.Source))) }

// bound puts the sign of a bound before a figure; the unknown stays bare.
func (p PartSpan) bound(text string) string {
	if !p.Estimate.OK {
		return text
	}
	return p.Bound + text
}

// String writes a ratio in per cent.
func (r Ratio) String() string {
	return words(100*r.Estimate, 100*r.Lo, 100*r.Hi, " %", true)
}

// turned is the span of A − B.
func (s Span) turned() Span {
	minus := func(m probe.Mark) probe.Mark { return probe.Mark{At: -m.At, OK: m.OK} }
	return Span{Estimate: minus(s.Estimate), Lo: minus(s.Hi), Hi: minus(s.Lo)}
}

// known reports whether there is an estimate.
func (r Ratio) known() bool { return !math.IsNaN(r.Estimate) && !math.IsInf(r.Estimate, 0) }

// turned is the ratio of A/B. B/A is never below 0.
func (r Ratio) turned() Ratio {
	over := func(v float64) float64 { return 1/(1+max(v, -1)) - 1 }
	return Ratio(bare(anytime.Interval{Estimate: over(r.Estimate), Lo: over(r.Hi), Hi: over(r.Lo)}))
}

// roughly rounds to two significant digits.
func roughly(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// Names are the names of both sides, told apart where they are called the same.
func Names(a, b string) (string, string) {
	if a == b {
		return a + " (A)", b + " (B)"
	}
	return a, b
}

// Count is a number of things in words: "1 pair", "84 pairs".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// percent writes a share without needless zeros.
func percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e7)/1e5, 'f', -1, 64) + " %"
}

// Terms are what is asked of a verdict: "margin ±5 %, at 95 %".
func (c Config) Terms() string {
	text := "at " + percent(c.Confidence)
	if c.Margin > 0 {
		text = "margin ±" + percent(c.Margin) + ", " + text
	}
	return text
}
