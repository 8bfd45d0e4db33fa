package anytime

import (
	"math"
	"slices"
	"sort"

	"ttftop/probe/quantile"
)

// Sample is a row of values, kept in order. The zero value is empty. It is not
// safe for concurrent use.
type Sample struct {
	sorted  []float64
	unknown int
}

// Interval is what is known of a quantile. A bound that does not exist yet, or
// lies on a value that is infinite, is −Inf or +Inf.
type Interval struct {
	Estimate float64 // by nearest rank; NaN without a value
	Lo, Hi   float64
}

// Add takes a value. ±Inf are values like others: a failure is slower than
// anything. NaN is a value of which it is not known on which side of anything
// it lies: it counts, and speaks for no side.
func (s *Sample) Add(x float64) {
	if math.IsNaN(x) {
		s.unknown++
		return
	}
	s.sorted = slices.Insert(s.sorted, s.Below(x), x)
}

// Values are the known values in ascending order; they belong to the sample and
// are good until the next Add.
func (s *Sample) Values() []float64 { return s.sorted }

// N is the number of values, the unknown ones included.
func (s *Sample) N() int { return len(s.sorted) + s.unknown }

// Below is the number of values known to lie below x.
func (s *Sample) Below(x float64) int { return sort.SearchFloat64s(s.sorted, x) }

// Above is the number of values known to lie above x.
func (s *Sample) Above(x float64) int {
	return len(s.sorted) - sort.Search(len(s.sorted), func(i int) bool { return s.sorted[i] > x })
}

// Middle is the median of the known values, of an even number of them the mean of
// both in the middle, so that the median of the negated values is its negative;
// NaN without a value.
func (s *Sample) Middle() float64 {
	n := len(s.sorted)
	if n == 0 {
		return math.NaN()
	}
	low, high := s.sorted[(n-1)/2], s.sorted[n/2]
	if low == high {
		return low
	}
	return low + (high-low)/2
}

// Interval is the quantile of the mixture with the interval in which it lies
// at any time of looking.
func (s *Sample) Interval(m *Mixture) Interval {
	v := Interval{Estimate: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1)}
	n := len(s.sorted)
	if n == 0 {
		return v
	}
	v.Estimate = s.sorted[quantile.Rank(m.p, n)]
	low, high := m.Ranks(s.N())
	if low <= n {
		v.Lo = s.sorted[n-low]
	}
	if high <= n {
		v.Hi = s.sorted[high-1]
	}
	return v
}
