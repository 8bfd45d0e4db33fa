package sim

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// inEngine runs a test against an engine with round costs, in a bubble.
func inEngine(t *testing.T, cfg Config, test func(t *testing.T, e *engine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(cfg.filled().settings(round.Model), 0, cfg.filled().BlockTokens, 1, new(pacer), newLedger())
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { e.run(ctx) })
		test(t, e)
		cancel()
		done.Wait()
	})
}

// ask submits a request at this instant.
func ask(e *engine, id string, tokens, max int) *request {
	now := time.Now()
	r := &request{id: id, prompt: prompt{tokens: tokens, blocks: make([]uint64, tokens/e.pool.blockTokens)}, max: max, arrived: now, queued: now, wake: make(chan struct{}, 1)}
	e.submit(r)
	return r
}

// until waits for token n of a request and returns when it came.
func (r *request) untilToken(n int) time.Time {
	for int(r.ready.Load()) < n {
		<-r.wake
	}
	return time.Now()
}

// Tokens come out in real time at the instants of the timetable.
func TestEngineKeepsItsTimetable(t *testing.T) {
	inEngine(t, roundConfig(), func(t *testing.T, e *engine) {
		start := time.Now()
		r := ask(e, "a", 40, 5)
		near(t, "first token", r.untilToken(1).Sub(start), 40*time.Millisecond)
		near(t, "last token", r.untilToken(5).Sub(start), 80*time.Millisecond)
		if got, want := r.last.Sub(r.first), 4*e.decode(40); (got - want).Abs() > time.Microsecond {
			t.Errorf("four steps took %v, want %v", got, want)
		}
	})
}

// An engine that slept between requests starts at once.
func TestEngineWakesUp(t *testing.T) {
	inEngine(t, roundConfig(), func(t *testing.T, e *engine) {
		for range 3 {
			time.Sleep(time.Hour)
			start := time.Now()
			near(t, "first token", ask(e, "a", 20, 1).untilToken(1).Sub(start), 20*time.Millisecond)
		}
	})
}

// The truth of a busy engine adds up to the first token that it gave.
func TestEngineTruthAddsUp(t *testing.T) {
	cfg := roundConfig()
	cfg.StepOverhead = 3 * time.Millisecond
	inEngine(t, cfg, func(t *testing.T, e *engine) {
		ids := []string{"a", "b", "c", "d", "e", "f", "g"}
		var rs []*request
		for i, id := range ids {
			rs = append(rs, ask(e, id, 30+40*i, 1+i))
			time.Sleep(7 * time.Millisecond)
		}
		for i, r := range rs {
			r.untilToken(r.max)
			truth, ok := e.ledger.get(ids[i])
			if !ok {
				t.Fatalf("the truth of %s is not known", ids[i])
			}
			if got, want := truth.Server(), r.first.Sub(r.arrived); got != want {
				t.Errorf("%s: %+v adds up to %v, first token after %v", ids[i], truth, got, want)
			}
			if truth.OutputTokens != r.max || truth.Contention > truth.Queue {
				t.Errorf("%s: %+v", ids[i], truth)
			}
		}
		if last, _ := e.ledger.get("g"); last.Queue <= last.Contention {
			t.Errorf("the seventh of four slots did not queue: %+v", last)
		}
	})
}

// A client that goes away frees its slot in the next step.
func TestEngineCancellation(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch = 1
	inEngine(t, cfg, func(t *testing.T, e *engine) {
		first := ask(e, "a", 10, 1000)
		second := ask(e, "b", 10, 1)
		first.untilToken(3)
		time.Sleep(time.Millisecond)
		first.gone.Store(true)
		gone := time.Now()
		// The step under way has 9 ms to go, its own takes 10.
		near(t, "second's token", second.untilToken(1).Sub(gone), 19*time.Millisecond)
	})
}

// A machine that stood still makes no burst of what was missed.
func TestEngineGivesUpCatchingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(roundConfig().settings(round.Model), 0, 16, 1, new(pacer), newLedger())
		now := time.Now()
		if got := e.caughtUp(now.Add(-behindLimit)); !got.Equal(now.Add(-behindLimit)) {
			t.Errorf("within the limit the timetable moved to %v", got.Sub(now))
		}
		if got := e.caughtUp(now.Add(-behindLimit - 1)); !got.Equal(now) {
			t.Errorf("beyond the limit the next step begins %v from now", got.Sub(now))
		}
	})
}

func TestLedgerForgetsTheOldest(t *testing.T) {
	l := newLedger()
	id := func(i int) string { return requestID("", 1, uint64(i)) }
	for i := range truthKept + 10 {
		l.put(id(i), Truth{OutputTokens: 1})
		l.put(id(i), Truth{OutputTokens: 2})
	}
	if _, ok := l.get(id(9)); ok {
		t.Error("the tenth is still known")
	}
	for _, i := range []int{10, truthKept + 9} {
		if truth, ok := l.get(id(i)); !ok || truth.OutputTokens != 2 {
			t.Errorf("number %d: %+v, %v", i, truth, ok)
		}
	}
	if len(l.truth) != truthKept || len(l.order) != truthKept {
		t.Errorf("%d and %d are kept, want %d", len(l.truth), len(l.order), truthKept)
	}
}
