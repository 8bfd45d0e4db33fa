package quantile

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

// Estimate is one quantile of a sample.
type Estimate struct {
	At       time.Duration // the quantile; of a censored one, what it is known to exceed
	OK       bool          // false without any probe: nothing to show
	Censored bool          // it falls on a censored probe: read ">At"
	Max      bool          // the sample is too small for this quantile: this is its maximum, to be marked
	N        int           // probes ranked, censored ones included
}

// Of takes the quantile q of a sample: the latencies of its successes in
// ascending order, and the number of probes that are censored. A quantile that
// falls on one of these reads as exceeding limit (the timeout), or the slowest
// success where that is larger; limit is 0 where it is not known. The result
// is not OK where the sample is empty or q is not within 0…1.
func Of(q float64, sorted []time.Duration, censored int, limit time.Duration) Estimate {
	return newSample(sorted, censored, limit).quantile(q)
}

// Needs is the size a sample must have before its quantile q is shown without
// a mark: 20 for 0.95, 100 for 0.99. Below it, nearest rank gives the maximum.
// Quantiles up to the median need one value.
func Needs(q float64) int {
	switch {
	case !(q > 0.5): // NaN too
		return 1
	case q >= 1:
		return math.MaxInt
	}
	// The tiny step down keeps 1/(1−0.9) = 10.000000000000002 at 10.
	return int(math.Ceil(1/(1-q) - 1e-6))
}

// Rank is the index of the quantile q, 0…1, among n ≥ 1 values in ascending
// order: the rule of Of for those who hold the values and need it often.
func Rank(q float64, n int) int {
	return min(max(0, int(math.Ceil(hairLess(q)*float64(n)))-1), n-1)
}

// hairLess keeps 0.28·300 = 84.00000000000001 at rank 84.
func hairLess(q float64) float64 { return q * (1 - 1e-12) }

// sample is a ranked sample: successes in order, then an infinity for each
// censored probe.
type sample struct {
	ranked []float64 // nanoseconds
	beyond time.Duration
}

func newSample(sorted []time.Duration, censored int, limit time.Duration) sample {
	s := sample{ranked: make([]float64, 0, len(sorted)+max(0, censored)), beyond: max(0, limit)}
	for _, d := range sorted {
		s.ranked = append(s.ranked, float64(d))
	}
	if !slices.IsSorted(s.ranked) {
		slices.Sort(s.ranked)
	}
	if n := len(s.ranked); n > 0 {
		s.beyond = max(s.beyond, time.Duration(s.ranked[n-1]))
	}
	for range max(0, censored) {
		s.ranked = append(s.ranked, math.Inf(1))
	}
	return s
}

func (s sample) quantile(q float64) Estimate {
	n := len(s.ranked)
	if n == 0 || !(q >= 0 && q <= 1) {
		return Estimate{N: n}
	}
	e := Estimate{OK: true, Max: n < Needs(q), N: n}
	v := stat.Quantile(hairLess(q), stat.Empirical, s.ranked, nil)
	if math.IsInf(v, 1) {
		e.At, e.Censored = s.beyond, true
		return e
	}
	e.At = time.Duration(v)
	return e
}
