// Package slo reads the limits that a person sets: "p95=600ms", "tpot=40ms",
// "failures=1%". What has become of them is for others to find out.
//
// Start with Parse, or with ParseAll for several.
package slo

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"ttftop/probe"
)

// SLO is one limit: a quantile of a metric that is to stay at or below it.
type SLO = probe.SLO

// Longest is the longest limit of a time.
const Longest = time.Hour

// examples ends the sentence about a text that is no SLO.
const examples = "write a quantile of the TTFT and its limit, such as p95=600ms, or ttft_per_1k=80ms, tpot=40ms, failures=1%"

// Parse reads one SLO. A quantile without a metric is that of the TTFT, from
// p1 to p99.9; the TTFT per 1,000 tokens and the TPOT are taken at their p50;
// failures are a share of the probes. "<=" and "≤" do for "=". The error is a
// sentence that says what to write instead.
func Parse(text string) (SLO, error) {
	name, limit, found := strings.Cut(strings.NewReplacer("<=", "=", "≤", "=").Replace(text), "=")
	name, limit = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(limit)
	if !found || name == "" || limit == "" {
		return SLO{}, fmt.Errorf("%q is no SLO: %s", text, examples)
	}
	s := SLO{Metric: probe.Metric(name), Quantile: 0.5}
	switch s.Metric {
	case probe.FailuresMetric:
		s.Quantile = 0
		var err error
		s.Share, err = share(limit)
		return s, about(text, err)
	case probe.Per1kMetric, probe.TPOTMetric:
	default:
		q, ok := quantile(name)
		if !ok {
			return SLO{}, fmt.Errorf("%q limits nothing that is measured: %s", name, examples)
		}
		s.Metric, s.Quantile = probe.TTFTMetric, q
	}
	var err error
	s.Limit, err = Limit(limit)
	return s, about(text, err)
}

// ParseAll reads several SLOs, of which no two may limit the same.
func ParseAll(texts []string) ([]SLO, error) {
	var all []SLO
	for _, text := range texts {
		s, err := Parse(text)
		if err != nil {
			return nil, err
		}
		for _, other := range all {
			if Same(other, s) {
				return nil, fmt.Errorf("%s and %s limit the same: leave one of them away", other, s)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// Same reports whether two SLOs limit the same quantile of the same metric.
func Same(a, b SLO) bool { return a.Metric == b.Metric && a.Quantile == b.Quantile }

// Limit reads a length of time above 0, with its unit.
func Limit(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		if _, bare := strconv.ParseFloat(text, 64); bare == nil {
			return 0, fmt.Errorf("%s has no unit: write %sms or %ss", text, text, text)
		}
		return 0, fmt.Errorf("%q is no length of time: write one such as 600ms or 1.5s", text)
	}
	if d <= 0 || d > Longest {
		return 0, fmt.Errorf("%v is out of range: a limit is above 0 and at most %v", d, Longest)
	}
	return d, nil
}

// share reads a percentage from 0 to 100.
func share(text string) (float64, error) {
	number, found := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no share: write a percentage such as 1%%", text)
	case !found:
		return 0, fmt.Errorf("%s could be a share or a percentage: write %s%%", text, text)
	case !(v >= 0 && v < 100):
		return 0, errors.New("a share of failures is from 0% to below 100%")
	}
	return hundredths(v), nil
}

// quantile reads "p95" or "p99.9".
func quantile(name string) (float64, bool) {
	digits, found := strings.CutPrefix(name, "p")
	v, err := strconv.ParseFloat(digits, 64)
	if !found || err != nil || !(v >= 1 && v <= 99.9) || math.Abs(100*hundredths(v)-v) > 1e-9 {
		return 0, false
	}
	return hundredths(v), true
}

// hundredths is a percentage as a share, to four decimals of the percentage.
func hundredths(percent float64) float64 { return math.Round(percent*1e4) / 1e6 }

// about puts the text that was meant before a sentence.
func about(text string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", text, err)
}
