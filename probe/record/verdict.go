package record

import (
	"time"

	"ttftop/probe"
)

// Verdict is the line of a comparison of two targets, the last of a session.
// Differences are B − A; what is null is not known, or has no bound yet.
type Verdict struct {
	Type       string          `json:"type"`
	At         string          `json:"at"`
	A          string          `json:"a"`
	B          string          `json:"b"`
	Verdict    string          `json:"verdict"` // a_faster, b_faster, same, a_fails_more, b_fails_more or undecided
	Pairs      int             `json:"pairs"`
	Beside     int             `json:"pairs_beside"`   // that don't count: one side was refused, limited or at fault
	Skipped    int             `json:"pairs_skipped"`  // not sent, since too many probes were in flight
	More       *int            `json:"more_pairs"`     // about how many more would settle it
	Median     *Millis         `json:"median_diff_ms"` // median of the paired differences B − A
	Lo         *Millis         `json:"lo_ms"`
	Hi         *Millis         `json:"hi_ms"`
	MedianPct  *Millis         `json:"median_diff_pct"` // 100·(median of B/A − 1): below 0 where B is faster, of which A is the 100 %
	LoPct      *Millis         `json:"lo_pct"`
	HiPct      *Millis         `json:"hi_pct"`
	P95        Interval        `json:"p95_diff_ms"` // p95 of B less p95 of A
	MarginPct  Millis          `json:"margin_pct"`
	Confidence float64         `json:"confidence"`
	Sentence   string          `json:"sentence"`
	BySegment  map[string]Part `json:"by_segment"` // medians of the paired differences
	Sides      []VerdictSide   `json:"sides"`
	Warnings   []string        `json:"warnings"`
}

// VerdictSide is one side of a comparison.
type VerdictSide struct {
	Name    string   `json:"name"`
	Probes  int      `json:"probes"`
	Failed  int      `json:"failed"`
	Refused int      `json:"refused"` // beside the probes: by a rate limit or another 4xx
	P50     Interval `json:"p50_ms"`
	P95     Interval `json:"p95_ms"`
	P99     Interval `json:"p99_ms"`
}

// Interval is an estimate with its bounds.
type Interval struct {
	Estimate *Millis `json:"estimate"`
	Lo       *Millis `json:"lo"`
	Hi       *Millis `json:"hi"`
	Max      bool    `json:"max,omitempty"` // too few values for this quantile: the estimate is their maximum
}

// Part is the difference of a part, with the weaker one of both sides' sources. The
// bounds of an estimated one hold as far as the baseline's do.
type Part struct {
	Interval
	Source probe.Source `json:"source,omitempty"`
}

// Between is the interval of marks.
func Between(estimate, lo, hi probe.Mark) Interval {
	return Interval{Estimate: mark(estimate), Lo: mark(lo), Hi: mark(hi)}
}

// Stamp is an instant as records write it.
func Stamp(t time.Time) string { return stamp(t) }
