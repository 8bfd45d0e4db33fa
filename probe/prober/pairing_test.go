package prober

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// desk is a pairing of targets 0 and 1 with a clock that the test turns.
type desk struct {
	*pairing
	t     *testing.T
	poked [2]int
}

func newDesk(t *testing.T, order probe.Order) *desk {
	d := &desk{t: t}
	d.pairing = newPairing(1, func(target int) { d.poked[target]++ })
	d.set(probe.Pairs{On: true, A: 0, B: 1, Order: order})
	return d
}

// takes checks what a lane gets at a second, at one pair a second.
func (d *desk) takes(target int, second float64, want int) {
	d.t.Helper()
	half, wait := d.take(target, 1, false, at(second))
	if half.pair != want {
		d.t.Fatalf("second %v, target %d: pair %d, want %d", second, target, half.pair, want)
	}
	if half.pair == 0 && wait <= 0 || half.pair > 0 && half.due.After(at(second)) {
		d.t.Fatalf("second %v, target %d: due %v, wait %v", second, target, half.due.Sub(noon), wait)
	}
}

func TestPairsTogether(t *testing.T) {
	d := newDesk(t, probe.Together)
	d.takes(0, 0, 0) // the other isn't ready
	d.takes(1, 0.5, 1)
	if d.poked[0] == 0 {
		t.Error("the other lane isn't told")
	}
	d.takes(1, 0.5, 0)
	d.takes(0, 0.5, 1)
	d.takes(0, 0.9, 0) // both are in flight; the next is due at 1
	d.takes(0, 1.5, 2) // that does not wait for the first to end
	d.takes(1, 1.5, 2)
	d.unready(1) // held, paused
	d.takes(0, 3.2, 0)
	d.takes(1, 5.2, 0) // the schedule has stood still: no lag
	_, wait := d.take(1, 1, false, at(5.2))
	if wait > time.Second {
		t.Errorf("the next pair comes in %v", wait)
	}
	d.takes(1, 6, 3)
	d.unready(0) // its half is lost
	d.takes(0, 7.1, 4)
	d.takes(1, 7.1, 4)
	if half, _ := d.take(7, 1, false, at(9)); half.pair != 0 || d.paired(7) {
		t.Error("a target that isn't paired gets a pair")
	}
}

// byOrder is which target is first in the pair that is due.
func (d *desk) byOrder(second float64) (first, second2 int) {
	d.t.Helper()
	if half, _ := d.take(0, 1, false, at(second)); half.pair == 0 {
		if half, _ = d.take(1, 1, false, at(second)); half.pair == 0 {
			d.t.Fatalf("second %v: neither has the pair", second)
		}
		return 1, 0
	}
	if other, _ := d.take(1, 1, false, at(second)); other.pair != 0 {
		d.t.Fatalf("second %v: both at once", second)
	}
	return 0, 1
}

func TestPairsBackToBack(t *testing.T) {
	d := newDesk(t, probe.BackToBack)
	d.takes(0, 0, 0)
	firsts := [2]int{}
	for i := range 200 {
		now := float64(2 * i)
		if i == 0 {
			d.take(1, 1, false, at(0)) // both are ready
			d.halves, d.number = [2]halfState{}, 0
			d.schedule.Hold(at(0))
		}
		first, second := d.byOrder(now + 1)
		firsts[first]++
		d.takes(first, now+1.1, 0) // the next pair waits for this one
		d.landed(first, d.number, at(now+1.2))
		half, _ := d.take(second, 1, false, at(now+1.3))
		if half.pair != i+1 || !half.due.Equal(at(now+1.2)) {
			t.Fatalf("the second of pair %d: pair %d, due %v", i+1, half.pair, half.due.Sub(noon))
		}
		d.landed(second, half.pair-1, at(now+1.3)) // of an earlier pair: says nothing
		d.takes(first, now+1.35, 0)
		d.landed(second, half.pair, at(now+1.4))
	}
	if firsts[0] < 60 || firsts[1] < 60 {
		t.Errorf("first were %v of 200", firsts)
	}

	first, second := d.byOrder(1000)
	d.unready(first) // sent already: nothing is lost
	d.landed(first, d.number, at(1000.1))
	d.takes(second, 1000.2, d.number)
	d.landed(second, d.number, at(1000.3))
	d.take(first, 1, false, at(1000.4))
	first, _ = d.byOrder(1002)
	d.lost(first, d.number) // so the other half is not sent either
	was := d.number
	d.byOrder(1004)
	if d.number != was+1 {
		t.Errorf("after a lost half: pair %d, want %d", d.number, was+1)
	}
}

// A target that is compared with itself sends both halves.
func TestPairsOfOneTarget(t *testing.T) {
	for _, order := range []probe.Order{probe.Together, probe.BackToBack} {
		d := newDesk(t, order)
		d.set(probe.Pairs{On: true, A: 1, B: 1, Order: order})
		firsts := [2]int{}
		for i := range 100 {
			now := float64(i)
			if half, _ := d.take(0, 1, false, at(now)); half.pair != 0 {
				t.Fatalf("%s: another target has a half", order)
			}
			first, _ := d.take(1, 1, false, at(now))
			if first.pair != i+1 {
				t.Fatalf("%s: pair %d, want %d", order, first.pair, i+1)
			}
			firsts[first.side]++
			if order == probe.BackToBack {
				d.takes(1, now+0.1, 0)
				d.landed(first.side, first.pair, at(now+0.2))
			}
			second, _ := d.take(1, 1, false, at(now+0.2))
			if second.pair != first.pair || second.side == first.side {
				t.Fatalf("%s: after %+v came %+v", order, first, second)
			}
			d.landed(second.side, second.pair, at(now+0.3))
			d.takes(1, now+0.4, 0)
		}
		if order == probe.BackToBack && (firsts[0] < 30 || firsts[1] < 30) {
			t.Errorf("first were %v of 100", firsts)
		}
	}
	s := testserver.New(t, nil, short)
	c := onto(s, fast())
	c.Settings.Pairs = probe.Pairs{On: true, Order: probe.BackToBack}
	r := begin(t, c)
	r.until("ten pairs", func(events []probe.Event) bool { return len(results(events, probe.Ordinary)) >= 20 })
	r.stop()
	sides := map[int][2]int{}
	for _, res := range results(r.events(), probe.Ordinary) {
		n := sides[res.Pair]
		n[res.Side]++
		sides[res.Pair] = n
	}
	for pair := 1; pair <= 9; pair++ {
		if sides[pair] != [2]int{1, 1} {
			t.Errorf("pair %d: %v", pair, sides[pair])
		}
	}
}

func TestAPartnerThatLeaves(t *testing.T) {
	d := newDesk(t, probe.Together)
	d.takes(0, 0, 0)
	d.takes(1, 0, 1)
	d.leave(1)
	if d.over(0) {
		t.Error("a half that is owed is not waited for")
	}
	d.takes(0, 0.1, 1)
	if !d.over(0) || d.over(5) {
		t.Error("the end of a partner isn't seen")
	}
	d.set(probe.Pairs{})
	if d.over(0) || d.paired(0) {
		t.Error("without pairs there is no partner")
	}
}

// pairRun is a run of pairs against two test servers.
func pairRun(t *testing.T, order probe.Order, count int, toA, toB testserver.Handler) *running {
	t.Helper()
	a, b := testserver.New(t, nil, toA), testserver.New(t, nil, toB)
	ka, kb := fast(), fast()
	kb.PromptTokens, kb.MaxTokens = 64, 4 // those of A hold
	return begin(t, Config{
		Targets:  []probe.Target{{Name: "a", Endpoint: a.Endpoint()}, {Name: "b", Endpoint: b.Endpoint()}},
		Settings: probe.Settings{Knobs: []probe.Knobs{ka, kb}, Pairs: probe.Pairs{On: true, A: 0, B: 1, Order: order}},
		Timeout:  10 * time.Second, Count: count, LadderFirst: true,
	})
}

// halves are the ordinary results of a run by pair and target.
func halves(t *testing.T, r *running) map[int][2]*probe.Result {
	t.Helper()
	by := map[int][2]*probe.Result{}
	for _, res := range results(r.events(), probe.Ordinary) {
		pair := by[res.Pair]
		if res.Pair == 0 || pair[res.Target] != nil {
			t.Fatalf("probe %d of target %d is in pair %d", res.Seq, res.Target, res.Pair)
		}
		pair[res.Target] = &res
		by[res.Pair] = pair
	}
	return by
}

func TestARunOfPairs(t *testing.T) {
	t.Parallel()
	for _, order := range []probe.Order{probe.Together, probe.BackToBack} {
		var flying, most atomic.Int32
		var mu sync.Mutex
		prompts := map[string]bool{}
		answer := func(a *testserver.Answer, q *testserver.Request) {
			n := flying.Add(1)
			defer flying.Add(-1)
			if q.MaxTokens == fast().MaxTokens {
				most.Store(max(most.Load(), n))
				mu.Lock()
				prompts[q.Prompt[:40]] = true
				mu.Unlock()
			}
			a.Short()
		}
		r := pairRun(t, order, 12, answer, answer)
		r.wait()
		by := halves(t, r)
		if len(by) != 12 {
			t.Errorf("%s: %d pairs, want 12", order, len(by))
		}
		for pair, h := range by {
			if h[0] == nil || h[1] == nil {
				t.Errorf("%s: pair %d has one half", order, pair)
				continue
			}
			if h[0].Knobs != h[1].Knobs || h[0].Epoch != h[1].Epoch {
				t.Errorf("%s: pair %d at %+v and %+v", order, pair, h[0].Knobs, h[1].Knobs)
			}
		}
		if order == probe.BackToBack && most.Load() > 1 {
			t.Errorf("%d probes of one pair at once", most.Load())
		}
		if len(prompts) != 24 {
			t.Errorf("%s: %d prompts of 24 are unique", order, len(prompts))
		}
	}
}

// One target gives up: the other ends too.
func TestARunOfPairsWhoseOneSideIsRefused(t *testing.T) {
	t.Parallel()
	r := pairRun(t, probe.BackToBack, 0, short, func(a *testserver.Answer, q *testserver.Request) {
		if q.MaxTokens == fast().MaxTokens {
			a.WriteHeader(http.StatusUnauthorized)
			return
		}
		a.Short()
	})
	r.wait()
	if by := halves(t, r); len(by) < giveUpAfter || len(by) > giveUpAfter+2 {
		t.Errorf("%d pairs were sent before B was given up", len(by))
	}
}

func short(a *testserver.Answer, _ *testserver.Request) { a.Short() }

// Pairs can be begun and ended while the prober runs, without a new epoch.
func TestPairsAreTurned(t *testing.T) {
	t.Parallel()
	r := pairRun(t, probe.Together, 0, short, short)
	r.until("a pair", func(events []probe.Event) bool { return len(results(events, probe.Ordinary)) > 3 })
	s := r.Settings()
	s.Pairs = probe.Pairs{On: true, A: 1, B: 2}
	r.Apply(t.Context(), s)
	if p := r.Settings().Pairs; p.On {
		t.Errorf("paired with a target that isn't there: %+v", p)
	}
	r.until("probes without a pair", func(events []probe.Event) bool {
		alone := [2]int{}
		for _, res := range results(events, probe.Ordinary) {
			if res.Pair == 0 {
				alone[res.Target]++
			}
		}
		return alone[0] > 2 && alone[1] > 2
	})
	for _, res := range results(r.events(), probe.Ordinary) {
		if res.Epoch != 0 {
			t.Errorf("epoch %d", res.Epoch)
		}
	}
}

// A pair of which one side has too many probes in flight is due, but neither half
// is sent.
func TestPairsThatAreSkipped(t *testing.T) {
	for _, order := range []probe.Order{probe.Together, probe.BackToBack} {
		d := newDesk(t, order)
		d.take(0, 1, true, at(0))
		for i := range 3 {
			now := at(float64(i))
			b, _ := d.take(1, 1, false, now)
			a, _ := d.take(0, 1, true, now)
			if a.pair != i+1 || b.pair != i+1 || !a.skip || !b.skip {
				t.Fatalf("%s, second %d: %+v and %+v", order, i, a, b)
			}
			d.lost(0, a.pair)
			d.lost(1, b.pair)
		}
		number := 0
		for range 2 {
			for lane := range 2 {
				half, _ := d.take(lane, 1, false, at(3))
				if number = max(number, half.pair); half.skip {
					t.Errorf("%s: %+v is skipped although there is room again", order, half)
				}
			}
		}
		if number != 4 {
			t.Errorf("%s: pair %d", order, number)
		}
	}
}
