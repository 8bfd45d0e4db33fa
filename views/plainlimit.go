package views

import (
	"fmt"
	"strconv"

	"ttftop/probe"
	"ttftop/probe/kept"
	"ttftop/probe/quantile"
	"ttftop/themes"
)

// PlainLimit is an SLO with how the figures stand to it, as a line below
// PlainSummary: "  SLO p95 ≤ 600 ms: p95 512 ms, 98 % of the probes within".
// share is that of the probes within an SLO of the TTFT.
func PlainLimit(s probe.SLO, share Share, f Figures, th themes.Theme) string {
	sym := th.Symbols
	line := ""
	switch s.Metric {
	case probe.TTFTMetric:
		line = fmt.Sprintf("SLO %s: ", limitName(Limit{SLO: s}, sym))
		if e, ok := rankOf(s, f); ok {
			line += s.Rank() + " " + estimate(e, sym) + " ms, "
		}
		line += within(share, sym) + " of the probes within"
	case probe.Per1kMetric:
		line = fmt.Sprintf("SLO TTFT per 1k ≤ %s: p50 %s ms", Duration(s.Limit, sym), mark(f.Per1k, sym))
	case probe.TPOTMetric:
		line = fmt.Sprintf("SLO TPOT ≤ %s: p50 %s ms", Duration(s.Limit, sym), mark(f.TPOT, sym))
	case probe.FailuresMetric:
		line = fmt.Sprintf("SLO %s: %s failed", s, failedShare(&f, sym))
	}
	return "  " + Clean(line, sym.ASCII)
}

// PlainState says behind PlainLimit whether the SLO is kept: "; kept: between 480
// and 590 ms, 95 % at any time of looking".
func PlainState(j *kept.Judge, th themes.Theme) string {
	sym := th.Symbols
	text := "; " + j.State().String()
	e, lo, hi := j.Interval()
	if _, shown := rankOf(j.SLO, Figures{}); !shown && e.OK {
		text = "; " + j.SLO.Rank() + " " + mark(e, sym) + " ms" + text
	}
	switch {
	case lo.OK && hi.OK:
		text += ": between " + mark(lo, sym) + " and " + mark(hi, sym) + " ms"
	case lo.OK:
		text += ": at least " + mark(lo, sym) + " ms"
	case hi.OK:
		text += ": at most " + mark(hi, sym) + " ms"
	}
	if j.State() == kept.Undecided {
		switch needs := j.Needs(); {
		case needs == 0:
			text += ": that nothing ever fails can't be proved"
		case j.N() < needs:
			text += fmt.Sprintf(" (%s say nothing yet: it takes %d to prove it kept)", plural(int64(j.N()), "probe"), needs)
		}
	}
	if n := j.Skipped(); n > 0 {
		text += fmt.Sprintf(", %s skipped: too many in flight", Count(int64(n)))
	}
	return Clean(fmt.Sprintf("%s, %s %% at any time of looking", text, strconv.FormatFloat(100*j.Confidence, 'g', 6, 64)), sym.ASCII)
}

// rankOf is the quantile of an SLO, false where it is not among the figures.
func rankOf(s probe.SLO, f Figures) (e quantile.Estimate, ok bool) {
	e, ok = map[float64]quantile.Estimate{0.5: f.P50, 0.95: f.P95, 0.99: f.P99}[s.Quantile]
	return e, ok
}
