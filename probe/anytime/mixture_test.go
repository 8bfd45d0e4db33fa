package anytime

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var inf = math.Inf(1)

func close(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

func binomial(n, k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c = c * float64(n-k+i) / float64(i)
	}
	return c
}

// The prior of the median is Beta(4, 4), whose density is 140 q³(1−q)³; that of
// p95 is Beta(0.95, 0.05).
func TestMixtureByHand(t *testing.T) {
	m := New(0.5, 0.05)
	e := func(k, n int) float64 { return math.Exp(m.above.logE(k, n)) }
	// No value: half of the prior lies above ½.
	close(t, "n = 0", e(0, 0), 0.5)
	// One value: ∫½¹ 2q·140q³(1−q)³ dq = 163/256, and with 2(1−q) in place of
	// 2q the rest to 1, 93/256.
	close(t, "n = 1, below", e(1, 1), 163.0/256)
	close(t, "n = 1, above", e(0, 1), 93.0/256)
	// Two values, one on each side: ∫½¹ 4q(1−q)·140q³(1−q)³ dq is half of
	// 4·140·B(5, 5) = 560/630.
	close(t, "n = 2, one of each", e(1, 2), 4.0/9)
	// All on one side: both halves together are 2ⁿB(n+4, 4)/B(4, 4)
	// = 2ⁿ·840/((n+4)(n+5)(n+6)(n+7)), which passes 20 at n = 11.
	for n := 1; n <= 40; n++ {
		f := float64(n)
		want := math.Pow(2, f) * 840 / ((f + 4) * (f + 5) * (f + 6) * (f + 7))
		close(t, "all one sign", e(n, n)+e(0, n), want)
		if low, high := m.Ranks(n); (high <= n) != (n >= 11) || low != high {
			t.Errorf("%d values on one side: ranks %d and %d", n, low, high)
		}
	}
	// For p95 one value below gives ∫q/0.95 = 1, and three values above
	// ∫(1−q)³/0.05³ = 0.05·1.05·2.05/(1·2·3)/0.05³, which passes 20, where two
	// give 0.05·1.05/(1·2)/0.05².
	p95 := New(0.95, 0.05)
	both := func(below, n int) float64 {
		return math.Exp(p95.above.logE(below, n)) + math.Exp(p95.below.logE(n-below, n))
	}
	close(t, "p95, one below", both(1, 1), 1)
	close(t, "p95, two above", both(0, 2), 10.5)
	close(t, "p95, three above", both(0, 3), 143.5)
	if low, high := p95.First(); high != 64 || low != 3 {
		t.Errorf("p95 has bounds from %d and %d values on", low, high)
	}
	if _, high := New(0.99, 0.05).First(); high != 305 {
		t.Errorf("p99 has an upper bound from %d values on", high)
	}
}

// Against the sum over the polynomial of the density: an independent way to
// the same integral.
func TestMixtureAgainstASum(t *testing.T) {
	m := New(0.5, 0.05)
	for n := range 30 {
		for k := range n + 1 {
			// ∫½¹ qˣ⁻¹(1−q)ʸ⁻¹ dq for whole x and y is B(x, y) times the chance of
			// fewer than x of x+y−1 fair coins.
			x, y := k+4, n-k+4
			chance := 0.0
			for i := range x {
				chance += binomial(x+y-1, i) / math.Pow(2, float64(x+y-1))
			}
			beta := 1 / (float64(x) * binomial(x+y-1, x))
			close(t, "M(k, n)", math.Exp(m.above.logE(k, n)), 140*math.Pow(2, float64(n))*beta*chance)
		}
	}
}

// One more value multiplies the mixture by an expected factor of at most 1 when
// the chance is at most p: the property that everything rests on.
func TestSupermartingale(t *testing.T) {
	for _, p := range []float64{0.05, 0.5, 0.95, 0.99} {
		m := New(p, 0.05)
		for _, chance := range []float64{p, p / 2, 0} {
			for n := range 60 {
				for k := range n + 1 {
					now := m.above.logE(k, n)
					next := chance*math.Exp(m.above.logE(k+1, n+1)-now) + (1-chance)*math.Exp(m.above.logE(k, n+1)-now)
					if next > 1+1e-9 || chance == p && next < 1-1e-9 {
						t.Fatalf("p %v, chance %v: %d of %d grows by %v", p, chance, k, n, next)
					}
				}
			}
		}
	}
}

// A rank is the same whichever way the number of values came about.
func TestRanksFollowOrJump(t *testing.T) {
	for _, p := range []float64{0.5, 0.95, 0.99} {
		follow := New(p, 0.05)
		for n := 0; n < 3000; n++ {
			low, high := follow.Ranks(n)
			jump := New(p, 0.05)
			if l, h := jump.Ranks(n); l != low || h != high {
				t.Fatalf("p %v, n %d: %d %d one by one, %d %d at once", p, n, low, high, l, h)
			}
		}
		if low, high := follow.Ranks(0); low != 1 || high != 1 {
			t.Errorf("back to none: %d %d", low, high)
		}
	}
}

// The ranks stay sound where the numbers are large.
func TestManyValues(t *testing.T) {
	for _, p := range []float64{0.5, 0.95, 0.99} {
		for _, n := range []int{1e5, 1e6, 1e7} {
			low, high := New(p, 0.05).Ranks(n)
			sd := math.Sqrt(p * (1 - p) * float64(n))
			above, below := (float64(high)-p*float64(n))/sd, (float64(n-low)-p*float64(n))/-sd
			if !(above > 3 && above < 5.5 && below > 3 && below < 5.5) {
				t.Errorf("p %v of %d: %v and %v standard deviations away", p, n, below, above)
			}
		}
	}
}

func TestInterval(t *testing.T) {
	median := New(0.5, 0.05)
	up := func(n int) (s Sample) {
		for i := range n {
			s.Add(float64(i + 1))
		}
		return s
	}
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		want   Interval
	}{
		{"none", nil, Interval{nan, -inf, inf}},
		{"one", []float64{7}, Interval{7, -inf, inf}},
		{"ten", []float64{3, 1, 2, 10, 9, 8, 7, 6, 5, 4}, Interval{5, -inf, inf}},
		{"eleven", []float64{11, 3, 1, 2, 10, 9, 8, 7, 6, 5, 4}, Interval{6, 1, 11}},
		{"eleven alike", slices.Repeat([]float64{4}, 11), Interval{4, 4, 4}},
		{"only unknown", []float64{nan, nan}, Interval{nan, -inf, inf}},
		{"eleven and one unknown", append(up(11).sorted, nan), Interval{6, -inf, inf}},
		{"a failure is the slowest", append(up(10).sorted, inf), Interval{6, 1, inf}},
	} {
		var s Sample
		for _, x := range c.values {
			s.Add(x)
		}
		got := s.Interval(median)
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !same(got.Estimate, c.want.Estimate) || !same(got.Lo, c.want.Lo) || !same(got.Hi, c.want.Hi) || s.N() != len(c.values) {
			t.Errorf("%s: %v of %d, want %v", c.name, got, s.N(), c.want)
		}
	}
}

// The interval is what the tests leave: a candidate outside is rejected by its
// counts, one inside is not, ties and unknown values among them.
func TestTheIntervalInvertsTheTest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range []float64{0.5, 0.9} {
		var s Sample
		m := New(p, 0.05)
		for n := 1; n <= 400; n++ {
			switch x := r.IntN(30); x {
			case 0:
				s.Add(math.NaN())
			case 1:
				s.Add(inf)
			default:
				s.Add(float64(x))
			}
			v := s.Interval(m)
			for theta := 0.5; theta < 31; theta += 0.5 {
				rejected := m.above.rejects(s.Below(theta), n) || m.below.rejects(s.Above(theta), n)
				if inside := v.Lo <= theta && theta <= v.Hi; inside == rejected {
					t.Fatalf("p %v, n %d: %v in %v is %v, rejected %v", p, n, theta, v, inside, rejected)
				}
			}
		}
	}
}

func TestAFaultOfTheCallerIsSaid(t *testing.T) {
	for _, c := range [][2]float64{{0, 0.05}, {1, 0.05}, {0.5, 0}, {0.5, 1}, {math.NaN(), 0.05}, {0.5, math.NaN()}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is taken", c)
				}
			}()
			New(c[0], c[1])
		}()
	}
}

// A value and a look at the interval, in a session of 10,000.
func BenchmarkAddAndLook(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	m := New(0.5, 0.05)
	for b.Loop() {
		var s Sample
		for range 10_000 {
			s.Add(r.ExpFloat64())
			s.Interval(m)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/value")
}

// The chance of ever missing the truth, exactly: the distribution of the count
// of values below the quantile, with what has missed taken out at each step.
func TestChanceOfEverMissing(t *testing.T) {
	const alpha, values = 0.05, 1500
	for _, p := range []float64{0.5, 0.95, 0.99} {
		m := New(p, alpha)
		missed, alive := 0.0, []float64{1}
		for n := 1; n <= values; n++ {
			next := make([]float64, n+1)
			for k, chance := range alive {
				next[k] += chance * (1 - p)
				next[k+1] += chance * p
			}
			low, high := m.Ranks(n)
			for k := range next {
				if k >= high || n-k >= low {
					missed += next[k]
					next[k] = 0
				}
			}
			alive = next
		}
		t.Logf("p%.0f: the interval ever misses within %d values with a chance of %.2f %%", 100*p, values, 100*missed)
		if missed > alpha || missed < alpha/2 {
			t.Errorf("p%.0f: the chance of ever missing is %v", 100*p, missed)
		}
	}
}
