package ab

import (
	"math"
	"strings"
	"time"

	"ttftop/probe/record"
)

// Record is the verdict as a line of a session.
func (v Verdict) Record(at time.Time) record.Verdict {
	between := func(s Span) record.Interval {
		r := record.Between(s.Estimate, s.Lo, s.Hi)
		r.Max = s.Max
		return r
	}
	d := between(v.Diff)
	line := record.Verdict{
		Type: "verdict", At: record.Stamp(at), A: v.A, B: v.B, Verdict: string(v.Outcome), Pairs: v.Pairs, Beside: v.Beside, Skipped: v.Skipped,
		Median: d.Estimate, Lo: d.Lo, Hi: d.Hi, MedianPct: pct(v.Ratio.Estimate), LoPct: pct(v.Ratio.Lo), HiPct: pct(v.Ratio.Hi),
		P95: between(v.P95), MarginPct: record.Millis(100 * v.Margin), Confidence: v.Confidence, Sentence: v.Sentence(),
		BySegment: map[string]record.Part{}, Warnings: append([]string{}, v.Warnings...),
	}
	if v.More > 0 {
		line.More = &v.More
	}
	for _, p := range v.Parts {
		line.BySegment[strings.ReplaceAll(string(p.Part), " ", "_")] = record.Part{Interval: between(p.Span), Source: p.Source}
	}
	for _, s := range v.Sides {
		line.Sides = append(line.Sides, record.VerdictSide{Name: s.Name, Probes: s.Probes, Failed: s.Failed, Refused: s.Refused, P50: between(s.P50), P95: between(s.P95), P99: between(s.P99)})
	}
	return line
}

// pct is a share in per cent, nil where it is none.
func pct(share float64) *record.Millis {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return nil
	}
	v := record.Millis(100 * share)
	return &v
}
