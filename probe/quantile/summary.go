package quantile

import "time"

// Summary is the quantiles that are shown of a sample.
type Summary struct {
	P50, P95, P99 Estimate
}

// Summarize takes the usual quantiles of a sample; the arguments are those of
// Of.
func Summarize(sorted []time.Duration, censored int, limit time.Duration) Summary {
	s := newSample(sorted, censored, limit)
	return Summary{
		P50: s.quantile(0.50),
		P95: s.quantile(0.95),
		P99: s.quantile(0.99),
	}
}
