package quantile

import "time"

// Summary is what is shown of a sample: three quantiles and how many probes
// are behind them.
type Summary struct {
	P50, P95, P99 Estimate
	N             int // probes ranked, censored ones included
	Failed        int // of these, censored
}

// Summarize takes the usual quantiles of a sample; the arguments are those of
// Of.
func Summarize(sorted []time.Duration, censored int, limit time.Duration) Summary {
	s := newSample(sorted, censored, limit)
	return Summary{
		P50:    s.quantile(0.50),
		P95:    s.quantile(0.95),
		P99:    s.quantile(0.99),
		N:      len(s.ranked),
		Failed: max(0, censored),
	}
}

// FailedShare is the share of the ranked probes that failed, 0…1, to stand
// beside every percentile; 0 without probes.
func (s Summary) FailedShare() float64 {
	if s.N == 0 {
		return 0
	}
	return float64(s.Failed) / float64(s.N)
}
