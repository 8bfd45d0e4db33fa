package anytime

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// Weights of the mixture, as a number of values that the prior is worth: the
// larger, the sooner a small deviation shows and the later a large one does.
// That of the median was chosen so that a shift seen in two pairs of three
// (10 % at a coefficient of variation of 15 %) is found soonest; the extreme
// quantiles need an upper bound as soon as there can be one.
const (
	medianWeight = 8
	weight       = 1
)

// Mixture is the pair of e-processes for one quantile p at one level α, one
// for each side on which a candidate can be wrong. It remembers where it was
// last: it is not safe for concurrent use.
type Mixture struct {
	p     float64
	above half // finds candidates that lie above the quantile
	below half // finds those that lie below it
}

// New makes the mixture for the quantile p, 0 < p < 1, whose interval misses
// the truth at any time with a chance of at most alpha, 0 < alpha < 1. Other
// values are a fault of the caller and panic.
func New(p, alpha float64) *Mixture {
	if !(p > 0 && p < 1 && alpha > 0 && alpha < 1) {
		panic(fmt.Sprintf("anytime: no quantile %v at level %v", p, alpha))
	}
	w := float64(weight)
	if p == 0.5 {
		w = medianWeight
	}
	return &Mixture{p: p, above: newHalf(p, w, alpha), below: newHalf(1-p, w, alpha)}
}

// Ranks are the places of the bounds among n values: the interval runs from
// the low-th largest value to the high-th smallest. A rank of n+1 says that
// there is no such bound yet.
func (m *Mixture) Ranks(n int) (low, high int) { return m.below.rank(n), m.above.rank(n) }

// First is the number of values before which the interval has no lower, or no
// upper bound: 11 for the median at 95 %, 305 for the upper bound of p99.
func (m *Mixture) First() (low, high int) { return m.below.first(), m.above.first() }

// half is the part of the mixture that speaks against a candidate θ above the
// p-quantile, from the number k of n values below θ:
//
//	M(k, n) = ∫ₚ¹ (q/p)ᵏ ((1−q)/(1−p))ⁿ⁻ᵏ dBeta(q; a, b),  a = w·p, b = w·(1−p)
//	        = B(k+a, n−k+b) / (B(a, b) pᵏ (1−p)ⁿ⁻ᵏ) · (1 − Iₚ(k+a, n−k+b))
//
// with Beta function B and regularised incomplete Beta function I. The chance
// of a value below θ is at most p, and (q/p) is the larger factor for q ≥ p:
// so each step multiplies M by an expected factor of at most 1. The two halves
// start at the two shares of the prior, which add up to 1; so the levels at
// which they err add up to α.
type half struct {
	p, a, b   float64
	logPrior  float64
	logBelow  float64 // log p
	logAbove  float64 // log(1−p)
	threshold float64 // log(1/α)

	n, k int // k is the rank among n values, the last that was found
}

func newHalf(p, w, alpha float64) half {
	a, b := w*p, w*(1-p)
	return half{
		p: p, a: a, b: b, logPrior: mathext.Lbeta(a, b), logBelow: math.Log(p), logAbove: math.Log1p(-p), threshold: -math.Log(alpha), k: 1,
	}
}

// logE is log M(k, n). Far below k = p·n it is not to be had: the incomplete
// Beta function is smaller than its own error there.
func (h *half) logE(k, n int) float64 {
	below, above := float64(k), float64(n-k)
	x, y := below+h.a, above+h.b
	return mathext.Lbeta(x, y) - h.logPrior - below*h.logBelow - above*h.logAbove + math.Log(mathext.RegIncBeta(y, x, 1-h.p))
}

// near is how many values a rank is followed for, one by one; farther away it
// is searched for.
const near = 16

// rank is the smallest k for which M(k, n) ≥ 1/α, n+1 where none is. M grows
// with k; with one more value the rank stays or grows by one.
func (h *half) rank(n int) int {
	if n < h.n || n-h.n > near {
		h.k = sort.Search(n+1, func(k int) bool { return h.rejects(k, n) })
		h.n = n
		return h.k
	}
	for h.n < n {
		h.n++
		if !h.rejects(h.k, h.n) {
			h.k++
		}
	}
	return h.k
}

// rejects reports whether M(k, n) ≥ 1/α. At k ≤ p·n no likelihood ratio of the
// mixture is above 1.
func (h *half) rejects(k, n int) bool {
	return k <= n && float64(k) > h.p*float64(n) && h.logE(k, n) >= h.threshold
}

// first is the smallest n for which n values on one side are enough.
func (h *half) first() int {
	n := 1
	for !h.rejects(n, n) {
		n++
	}
	return n
}
