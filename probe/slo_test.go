package probe

import (
	"testing"
	"time"
)

func TestSLOString(t *testing.T) {
	for want, s := range map[string]SLO{
		"p95=600ms":        {Metric: TTFTMetric, Quantile: 0.95, Limit: 600 * time.Millisecond},
		"p99.9=2m":         {Metric: TTFTMetric, Quantile: 0.999, Limit: 2 * time.Minute},
		"p50=1h":           {Metric: TTFTMetric, Quantile: 0.5, Limit: time.Hour},
		"p50=10s":          {Metric: TTFTMetric, Quantile: 0.5, Limit: 10 * time.Second},
		"p50=0s":           {Metric: TTFTMetric, Quantile: 0.5},
		"ttft_per_1k=80ms": {Metric: Per1kMetric, Quantile: 0.5, Limit: 80 * time.Millisecond},
		"failures=0.5%":    {Metric: FailuresMetric, Share: 0.005},
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v reads %q, want %q", s, got, want)
		}
	}
}
