package tally

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"ttftop/probe"
)

// waterful is a success with a round trip of 10 ms, and a queue and a prefill
// in milliseconds.
func waterful(seq, epoch int, queue, prefill float64) probe.Result {
	r := success(seq, 0)
	r.Epoch = epoch
	r.Waterfall = probe.Waterfall{
		{Name: probe.RTT, Duration: 10 * ms, Source: probe.Measured}, {Name: probe.Queue, Duration: millis(queue), Source: probe.Reported},
		{Name: probe.Prefill, Duration: millis(prefill), Source: probe.Reported},
	}
	r.Timeline.FirstToken = probe.At(r.Waterfall.Total())
	return r
}

func millis(v float64) time.Duration { return time.Duration(v * float64(ms)) }

// turned is a session with probes before and after a turn of a knob; each of
// them has a queue drawn from an exponential distribution of a mean.
func turned(r *rand.Rand, before, after int, queueBefore, queueAfter, prefillBefore, prefillAfter float64) *Tally {
	s := session()
	for i := range before {
		finish(s, waterful(i, 0, queueBefore*r.ExpFloat64(), prefillBefore))
	}
	s.Fold(probe.Changed{Epoch: 1, Before: s.Settings(), Settings: knobs(s.Settings().Knobs[0].PromptTokens + 1)})
	for i := range after {
		finish(s, waterful(before+i, 1, queueAfter*r.ExpFloat64(), prefillAfter))
	}
	return s
}

// Of many sessions, about so many intervals hold the true shift as is said.
func TestIntervalsHoldTheTruth(t *testing.T) {
	const sessions = 100
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		n     int
		least float64
	}{{Enough, 0.88}, {10, 0.90}, {20, 0.90}, {100, 0.90}} {
		held, found, p95, part := 0, 0, 0, 0
		shift, tail := millis(50+60*math.Ln2), millis(50+60*math.Log(20)) // the quantiles of an exponential distribution
		for range sessions {
			s := turned(r, c.n, c.n, 20, 80, 30, 80).Target(0).Shift()
			if !s.P50.OK {
				t.Fatalf("n %d: nothing is known", c.n)
			}
			if s.P50.Lo <= shift && shift <= s.P50.Hi {
				held++
			}
			if s.P95.OK {
				found++
				if s.P95.Lo <= tail && tail <= s.P95.Hi {
					p95++
				}
			}
			queue := millis(60 * math.Ln2)
			for _, p := range s.Parts {
				if p.Part == probe.QueuePart && p.Lo <= queue && queue <= p.Hi {
					part++
				}
			}
		}
		t.Logf("n %3d: p50 %.3f, queue %.3f, p95 %d of %d", c.n, float64(held)/sessions, float64(part)/sessions, p95, found)
		if float64(held) < c.least*sessions || float64(part) < c.least*sessions || float64(p95) < c.least*float64(found) {
			t.Errorf("n %d: too few intervals hold the truth", c.n)
		}
		if (found > 0) != (c.n >= EnoughP95) {
			t.Errorf("n %d: the p95 has an interval in %d sessions", c.n, found)
		}
	}
}

// A turn that does nothing is seldom taken for one that did.
func TestNothingIsSeldomClear(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const sessions = 200
	clear := 0
	for range sessions {
		if turned(r, 30, 30, 40, 40, 30, 30).Target(0).Shift().P50.Clear() {
			clear++
		}
	}
	if clear > sessions/10 {
		t.Errorf("%d of %d turns that do nothing seem to have done something", clear, sessions)
	}
}

// Before enough has come there is no shift; the same probes give the same.
func TestShiftIsNotKnownYet(t *testing.T) {
	if Enough != 6 || EnoughP95 != 72 { // 0.5⁶ and 0.95⁷² are the first below 0.025
		t.Errorf("enough are %d and %d", Enough, EnoughP95)
	}
	if s := session().Target(0).Shift(); s.P50.OK || len(s.Parts) > 0 {
		t.Errorf("before any turn: %+v", s)
	}
	r := func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
	for _, n := range [][2]int{{Enough, Enough - 1}, {Enough - 1, Enough}, {0, 50}, {50, 0}} {
		if s := turned(r(), n[0], n[1], 20, 80, 30, 80).Target(0).Shift(); s.P50.OK || s.P95.OK || len(s.Parts) > 0 {
			t.Errorf("%d before and %d after: %+v", n[0], n[1], s)
		}
	}
	a, b := turned(r(), 20, 20, 20, 80, 30, 80).Target(0), turned(r(), 20, 20, 20, 80, 30, 80).Target(0)
	if s := a.Shift(); !reflect.DeepEqual(s, b.Shift()) || !reflect.DeepEqual(s, a.Shift()) || len(s.Parts) != 5 {
		t.Errorf("%+v, then %+v", s, b.Shift())
	}
}

// The interval gets narrower as probes come in.
func TestShiftSharpens(t *testing.T) {
	width := func(n int) time.Duration {
		r := rand.New(rand.NewPCG(3, 4))
		var sum time.Duration
		for range 20 {
			s := turned(r, n, n, 20, 80, 30, 80).Target(0).Shift()
			sum += s.P50.Hi - s.P50.Lo
		}
		return sum
	}
	if few, many := width(10), width(160); many > few/2 {
		t.Errorf("the intervals of 160 probes are %v wide, those of 10 probes %v", many/20, few/20)
	}
}

// A quantile that may fall on a failure has no interval.
func TestShiftAmidFailures(t *testing.T) {
	s := turned(rand.New(rand.NewPCG(1, 2)), 20, 11, 20, 80, 30, 80)
	for i := range 9 {
		f := failure(100+i, probe.Failure{Kind: probe.FailTimeout})
		f.Epoch = 1
		finish(s, f)
	}
	if got := s.Target(0).Shift(); got.P50.OK {
		t.Errorf("the p50 is near failures, and its shift is %+v", got.P50)
	}
}

func TestPartsOfAShift(t *testing.T) {
	cut := waterful(0, 0, 5, 85).Waterfall
	whole := probe.Waterfall{{Name: probe.RTT, Duration: 12 * ms}, {Name: probe.Server, Duration: 68 * ms}}
	one := func(w probe.Waterfall) []probe.Waterfall { return []probe.Waterfall{w} }
	list := partsOf(whole, cut, one(whole), one(cut))
	if len(list) != 2 || list[0].Part != probe.NetworkPart || list[0].At != -2*ms || list[1].Part != probe.ServerPart || list[1].At != 22*ms {
		t.Errorf("where one is not cut: %+v", list)
	}
}

func BenchmarkShift(b *testing.B) {
	s := turned(rand.New(rand.NewPCG(1, 2)), 2000, 2000, 20, 80, 30, 80)
	i := 5000
	for b.Loop() {
		finish(s, waterful(i, 1, 30, 80))
		s.Target(0).Shift()
		i++
	}
}
