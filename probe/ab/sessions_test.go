package ab

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"ttftop/probe"
)

// delays is one kind of TTFT: a sample of it at a moment of the session, in
// milliseconds. Both sides of a pair see the same level.
type delays struct {
	name    string
	drifts  bool
	session func(r *rand.Rand) (one func(level float64) float64, level func() float64)
}

func still() float64 { return 1 }

// logNormal has a median of 300 ms and a coefficient of variation.
func logNormal(r *rand.Rand, cv float64) func(float64) float64 {
	s := math.Sqrt(math.Log1p(cv * cv))
	return func(level float64) float64 { return level * 300 * math.Exp(s*r.NormFloat64()) }
}

var kinds = []delays{
	{name: "log-normal", session: func(r *rand.Rand) (func(float64) float64, func() float64) { return logNormal(r, 0.15), still }},
	{name: "bimodal", session: func(r *rand.Rand) (func(float64) float64, func() float64) {
		fast := logNormal(r, 0.1)
		return func(level float64) float64 {
			if r.IntN(10) < 3 { // a queue of another 400 ms
				return fast(level) + 400*math.Exp(0.2*r.NormFloat64())
			}
			return fast(level)
		}, still
	}},
	{name: "heavy-tailed", session: func(r *rand.Rand) (func(float64) float64, func() float64) {
		return func(float64) float64 { return 200 * math.Pow(1-r.Float64(), -1/1.5) }, still // Pareto, no variance
	}},
	{name: "drifting", drifts: true, session: func(r *rand.Rand) (func(float64) float64, func() float64) {
		walk, n := 0.0, 0.0
		return logNormal(r, 0.15), func() float64 {
			walk += 0.02 * r.NormFloat64()
			n++
			return math.Exp(walk + 0.3*math.Sin(n/150))
		}
	}},
}

func result(ms float64) *probe.Result {
	return &probe.Result{Timeline: probe.Timeline{FirstToken: probe.At(time.Duration(ms * 1e6))}}
}

// look is another way to judge the same pairs, looked at after each of them.
type look interface {
	add(a, b float64)
	says() bool // that the two differ
}

// mannWhitney is the usual rank sum test at 5 %, by its normal approximation.
type mannWhitney struct {
	a, b []float64
	u    float64 // pairs (a, b) with a < b, ties by half
}

func count2(sorted []float64, x float64) (below, upTo int) {
	return sort.SearchFloat64s(sorted, x), sort.Search(len(sorted), func(i int) bool { return sorted[i] > x })
}

func put(sorted []float64, x float64) []float64 {
	i := sort.SearchFloat64s(sorted, x)
	sorted = append(sorted, 0)
	copy(sorted[i+1:], sorted[i:])
	sorted[i] = x
	return sorted
}

func (m *mannWhitney) add(a, b float64) {
	below, upTo := count2(m.b, a)
	m.u += float64(len(m.b)) - float64(below+upTo)/2
	m.a = put(m.a, a)
	below, upTo = count2(m.a, b)
	m.u += float64(below+upTo) / 2
	m.b = put(m.b, b)
}

func (m *mannWhitney) says() bool {
	n := float64(len(m.a))
	if n < 5 { // no p-value below 5 % is possible before 4
		return false
	}
	z := (m.u - n*n/2) / math.Sqrt(n*n*(2*n+1)/12)
	return 2*distuv.UnitNormal.Survival(math.Abs(z)) < 0.05
}

// symmetric is a self-normalised bet on the differences: with x the difference
// in units of those before, exp(λΣx − λ²Σx²/2) mixed over a normal λ. It holds
// at any time if the differences are symmetric about zero.
type symmetric struct {
	sizes  []float64
	s1, s2 float64
}

func (m *symmetric) add(a, b float64) {
	d := b - a
	if n := len(m.sizes); n > 0 {
		x := d / m.sizes[n/2]
		m.s1 += x
		m.s2 += x * x
	}
	m.sizes = put(m.sizes, math.Abs(d))
}

func (m *symmetric) says() bool {
	const prior = 20
	return m.s1*m.s1/(2*(prior+m.s2))-math.Log1p(m.s2/prior)/2 >= math.Log(20)
}
