package record

import (
	"time"

	"ttftop/probe"
)

// Verdict is the line of a comparison of two targets, the last of a session.
// Differences are B − A; what is null is not known, or has no bound yet.
type Verdict struct {
	Type       string              `json:"type"`
	At         string              `json:"at"`
	A          string              `json:"a"`
	B          string              `json:"b"`
	Verdict    string              `json:"verdict"`
	Pairs      int                 `json:"pairs"`
	Beside     int                 `json:"pairs_beside"`
	More       *int                `json:"more_pairs"` // about how many more would settle it
	Median     *Millis             `json:"median_diff_ms"`
	Lo         *Millis             `json:"lo_ms"`
	Hi         *Millis             `json:"hi_ms"`
	MedianPct  *Millis             `json:"median_diff_pct"`
	LoPct      *Millis             `json:"lo_pct"`
	HiPct      *Millis             `json:"hi_pct"`
	P95        Interval            `json:"p95_diff_ms"`
	MarginPct  Millis              `json:"margin_pct"`
	Confidence float64             `json:"confidence"`
	Sentence   string              `json:"sentence"`
	BySegment  map[string]Interval `json:"by_segment"`
	Sides      []VerdictSide       `json:"sides"`
	Warnings   []string            `json:"warnings"`
}

// VerdictSide is one side of a comparison.
type VerdictSide struct {
	Name   string   `json:"name"`
	Probes int      `json:"probes"`
	Failed int      `json:"failed"`
	P50    Interval `json:"p50_ms"`
	P95    Interval `json:"p95_ms"`
	P99    Interval `json:"p99_ms"`
}

// Interval is an estimate with its bounds.
type Interval struct {
	Estimate *Millis `json:"estimate"`
	Lo       *Millis `json:"lo"`
	Hi       *Millis `json:"hi"`
}

// Between is the interval of marks.
func Between(estimate, lo, hi probe.Mark) Interval {
	return Interval{mark(estimate), mark(lo), mark(hi)}
}

// Stamp is an instant as records write it.
func Stamp(t time.Time) string { return stamp(t) }
