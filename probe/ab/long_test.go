package ab

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ttftop/probe/anytime"
)

// long asks for the whole trial: go test ./probe/ab -run Trial -long -v
var long = flag.Bool("long", false, "run the whole trial of the verdict: some minutes")

// trial is how much is simulated.
type trial struct{ sessions, pairs int }

func size(small trial) trial {
	if *long {
		return trial{2000, 1000}
	}
	return small
}

// said is in how many sessions a way of judging ever said that the two differ,
// and after how many pairs.
type said struct {
	name  string
	after []int // of the sessions in which it did
}

// tolerated is how often something with a chance of at most 5 % may be seen in
// so many sessions: three standard errors more.
func tolerated(sessions int) float64 { return 0.05 + 3*math.Sqrt(0.05*0.95/float64(sessions)) }

func (s *said) share(of int) float64 { return float64(len(s.after)) / float64(of) }

// median is the number of pairs after which half of the sessions had said it,
// 0 where fewer did.
func (s *said) median(of int) int {
	slices.Sort(s.after)
	if i := (of+1)/2 - 1; i < len(s.after) {
		return s.after[i]
	}
	return 0
}

// judge runs sessions of pairs and notes when each way of judging first says
// that A and B differ. With a margin of 0 nothing is ever the same.
func judge(t trial, seed uint64, pair func(r *rand.Rand) func() (a, b float64)) (signs, ranks, bets said) {
	signs.name, ranks.name, bets.name = "signs", "Mann-Whitney", "symmetric bet"
	for i := range t.sessions {
		next := pair(rand.New(rand.NewPCG(seed, uint64(i))))
		c := New(Config{A: "a", B: "b", Confidence: DefaultConfidence})
		others := []look{&mannWhitney{}, &symmetric{}}
		notes := []*said{&signs, &ranks, &bets}
		var done [3]bool
		for n := 1; n <= t.pairs && done != [3]bool{true, true, true}; n++ {
			a, b := next()
			c.Add(result(a), result(b))
			for k := range done {
				if done[k] {
					continue
				}
				if k > 0 {
					others[k-1].add(a, b)
				}
				if k == 0 && c.Outcome() != Undecided || k > 0 && others[k-1].says() {
					done[k] = true
					notes[k].after = append(notes[k].after, n)
				}
			}
		}
	}
	return signs, ranks, bets
}

// A against A: how often is one of two equal ones ever called faster?
func TestTrialOfEqualSides(t *testing.T) {
	of := size(trial{250, 200})
	for i, kind := range kinds {
		signs, ranks, bets := judge(of, uint64(i), func(r *rand.Rand) func() (a, b float64) {
			one, level := kind.session(r)
			return func() (a, b float64) { l := level(); return one(l), one(l) }
		})
		t.Logf("%d × %d pairs, %-12s  ever said faster: signs %.1f %%, symmetric bet %.1f %%, Mann-Whitney looked at after every pair %.1f %%",
			of.sessions, of.pairs, kind.name, 100*signs.share(of.sessions), 100*bets.share(of.sessions), 100*ranks.share(of.sessions))
		if signs.share(of.sessions) > tolerated(of.sessions) {
			t.Errorf("%s: %.1f %% of the sessions call one of two equal ones faster", kind.name, 100*signs.share(of.sessions))
		}
		if ranks.share(of.sessions) < 0.1 && !kind.drifts {
			t.Errorf("%s: Mann-Whitney errs in %.1f %%: the trial can't tell good from bad", kind.name, 100*ranks.share(of.sessions))
		}
	}
}

// How soon is a B that is slower found out?
func TestTrialOfASlowerSide(t *testing.T) {
	of := size(trial{400, 600})
	for i, c := range []struct {
		slower      float64
		least, most int // of the median
	}{{1.05, 150, 280}, {1.10, 40, 68}, {1.20, 14, 30}} {
		signs, ranks, bets := judge(of, uint64(100+i), func(r *rand.Rand) func() (a, b float64) {
			one := logNormal(r, 0.15)
			return func() (a, b float64) { return one(1), c.slower * one(1) }
		})
		t.Logf("B %.0f %% slower, CV 15 %%: median pairs to the verdict: signs %d (%.0f %% of the sessions settle within %d), symmetric bet %d, Mann-Whitney looked at after every pair %d",
			100*(c.slower-1), signs.median(of.sessions), 100*signs.share(of.sessions), of.pairs, bets.median(of.sessions), ranks.median(of.sessions))
		if m := signs.median(of.sessions); m < c.least || m > c.most {
			t.Errorf("B %.0f %% slower is found after %d pairs at the median, not %d to %d", 100*(c.slower-1), m, c.least, c.most)
		}
	}
}

// clinging is a side whose delays cling to their last: an autoregression of first
// order with a coefficient, of which each by itself looks like any other.
func clinging(r *rand.Rand, coefficient float64) func() float64 {
	s, x := math.Sqrt(math.Log1p(0.15*0.15)), r.NormFloat64()
	return func() float64 {
		x = coefficient*x + math.Sqrt(1-coefficient*coefficient)*r.NormFloat64()
		return 300 * math.Exp(s*x)
	}
}

// What each assumption is worth: a median difference of zero with a long tail on
// one side breaks the tests that weigh sizes; delays of each side that cling to
// their last, and drift that hits one side alone, break all.
func TestTrialOfWhatBreaks(t *testing.T) {
	of := size(trial{150, 250})
	skewed := func(r *rand.Rand) func() (a, b float64) {
		return func() (a, b float64) { // the median of an exponential is ln 2
			return 300 + 5*r.NormFloat64(), 300 + 60*(r.ExpFloat64()-math.Ln2)
		}
	}
	alone := func(r *rand.Rand) func() (a, b float64) {
		one, level := kinds[3].session(r)
		_, other := kinds[3].session(r)
		return func() (a, b float64) { return one(level()), one(other()) }
	}
	cling := func(coefficient float64) func(r *rand.Rand) func() (a, b float64) {
		return func(r *rand.Rand) func() (a, b float64) {
			one, other := clinging(r, coefficient), clinging(r, coefficient)
			return func() (a, b float64) { return one(), other() }
		}
	}
	for _, c := range []struct {
		name                  string
		pair                  func(*rand.Rand) func() (a, b float64)
		signsBreak, signsHold bool // whether that must be seen
		betBreaks             bool
	}{
		{"median difference zero, one tail longer", skewed, false, true, true},
		{"each side clings to its last, 0.3", cling(0.3), false, false, false},
		{"each side clings to its last, 0.7", cling(0.7), true, false, true},
		{"drift of each side alone", alone, true, false, true},
	} {
		name := c.name
		signs, ranks, bets := judge(of, 200, c.pair)
		t.Logf("%s: ever said faster: signs %.1f %%, symmetric bet %.1f %%, Mann-Whitney looked at after every pair %.1f %%",
			name, 100*signs.share(of.sessions), 100*bets.share(of.sessions), 100*ranks.share(of.sessions))
		over := signs.share(of.sessions) > tolerated(of.sessions)
		if c.signsBreak && !over || c.signsHold && over || c.betBreaks && bets.share(of.sessions) < 0.3 {
			t.Errorf("%s: signs err in %.1f %%, the bet in %.1f %%", name, 100*signs.share(of.sessions), 100*bets.share(of.sessions))
		}
	}
}

// Does the interval of a quantile ever miss the truth?
func TestTrialOfQuantiles(t *testing.T) {
	of := size(trial{100, 320})
	for i, kind := range kinds {
		if kind.drifts {
			continue
		}
		truth := truths(kind)
		for k, p := range []float64{0.5, 0.95, 0.99} {
			missed := 0
			for s := range of.sessions {
				one, _ := kind.session(rand.New(rand.NewPCG(uint64(300+i), uint64(s))))
				if misses(p, truth[k], of.pairs, func() float64 { return one(1) }) {
					missed++
				}
			}
			share := float64(missed) / float64(of.sessions)
			t.Logf("%d × %d, %-12s p%.0f: the interval ever misses the truth in %.1f %%", of.sessions, of.pairs, kind.name, 100*p, 100*share)
			if share > tolerated(of.sessions) {
				t.Errorf("%s: the interval of p%.0f misses in %.1f %%", kind.name, 100*p, 100*share)
			}
		}
	}
}

func misses(p, truth float64, n int, next func() float64) bool {
	m := anytime.New(p, 0.05)
	var s anytime.Sample
	for range n {
		s.Add(next())
		if v := s.Interval(m); truth < v.Lo || truth > v.Hi {
			return true
		}
	}
	return false
}

// truths are p50, p95 and p99 of a kind, from many samples of its own.
func truths(kind delays) (q [3]float64) {
	many := 200_000
	if *long {
		many = 5_000_000
	}
	one, _ := kind.session(rand.New(rand.NewPCG(99, 99)))
	values := make([]float64, many)
	for i := range values {
		values[i] = one(1)
	}
	slices.Sort(values)
	for i, p := range []float64{0.5, 0.95, 0.99} {
		q[i] = values[int(p*float64(many))]
	}
	return q
}

// A pair and the outcome after it, in a session of 1,000 pairs.
func BenchmarkPair(b *testing.B) {
	one := logNormal(rand.New(rand.NewPCG(1, 1)), 0.15)
	for b.Loop() {
		c := New(Config{A: "a", B: "b", Confidence: DefaultConfidence, Margin: DefaultMargin})
		for range 1000 {
			c.Add(result(one(1)), result(one(1)))
			c.Outcome()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/pair")
}

// The whole verdict with a forecast after 1,000 pairs.
func BenchmarkVerdict(b *testing.B) {
	one := logNormal(rand.New(rand.NewPCG(1, 1)), 0.15)
	c := New(Config{A: "a", B: "b", Confidence: DefaultConfidence, Margin: DefaultMargin})
	for range 1000 {
		c.Add(result(one(1)), result(one(1)))
	}
	for b.Loop() {
		_ = fmt.Sprint(c.Verdict().Sentence())
	}
}
