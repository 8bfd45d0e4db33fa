package probe

import (
	"strconv"
	"strings"
	"time"
)

// Metric is what an SLO limits.
type Metric string

// The metrics, as a person writes them.
const (
	TTFTMetric     Metric = "ttft"
	Per1kMetric    Metric = "ttft_per_1k" // TTFT per 1,000 uncached prompt tokens
	TPOTMetric     Metric = "tpot"
	FailuresMetric Metric = "failures" // share of the probes
)

// SLO is a quantile of a metric and its limit, such as p95 of the TTFT at
// 600 ms. Package slo reads them.
type SLO struct {
	Metric   Metric
	Quantile float64       // 0…1; 0 of failures
	Limit    time.Duration // 0 of failures
	Share    float64       // limit of failures, 0…1; 0 of all else
}

// String is the SLO as a person writes it: "p95=600ms", "tpot=40ms",
// "failures=1%".
func (s SLO) String() string {
	if s.Metric == FailuresMetric {
		return string(s.Metric) + "=" + strconv.FormatFloat(100*s.Share, 'g', 6, 64) + "%"
	}
	name := string(s.Metric)
	if s.Metric == TTFTMetric {
		name = s.Rank()
	}
	limit := s.Limit.String()
	for _, zero := range []string{"0s", "0m"} { // of 2m0s and 1h0m0s
		if rest, found := strings.CutSuffix(limit, zero); found && rest != "" && strings.ContainsAny(rest[len(rest)-1:], "hm") {
			limit = rest
		}
	}
	return name + "=" + limit
}

// Rank is the quantile as a person says it: "p95".
func (s SLO) Rank() string { return "p" + strconv.FormatFloat(100*s.Quantile, 'g', 6, 64) }
