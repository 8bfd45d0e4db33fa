package sim

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// behindLimit is how late the engine may be before it gives up catching up: a
// machine that stood still makes the engine stand still too.
const behindLimit = 250 * time.Millisecond

// engine runs the steps of one replica of a model, one after the other, in real
// time.
type engine struct {
	number int // among the replicas of its model
	pace   *pacer
	ledger *ledger
	stats  *stats
	lag    *lagMeter
	kick   chan struct{}
	load   atomic.Int64             // requests that it was given and has not ended
	last   atomic.Bool              // it gets no more of them
	asked  atomic.Pointer[settings] // what the levers are set to; it counts from the next step on

	mu       sync.Mutex
	arriving []*request
	queued   backlog // those that wait, as of the step under way, and those arriving

	schedule           // the loop's alone
	applied  *settings // of schedule
}

func newEngine(s *settings, number, blockTokens int, seed uint64, pace *pacer, l *ledger) *engine {
	e := &engine{
		number:   number,
		pace:     pace,
		ledger:   l,
		stats:    newStats(),
		lag:      newLagMeter(),
		kick:     make(chan struct{}, 1),
		schedule: *newSchedule(*s, blockTokens, seed),
		applied:  s,
	}
	e.asked.Store(s)
	return e
}

// submit hands a request over, or returns false where the queue is full. Set
// its gone to take it back.
func (e *engine) submit(r *request) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.queued.full(e.asked.Load().maxWaiting) {
		return false
	}
	e.arriving = append(e.arriving, r)
	e.queued.add(r)
	e.load.Add(1)
	tell(e.kick)
	return true
}

// full reports whether submit would refuse a request.
func (e *engine) full() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.queued.full(e.asked.Load().maxWaiting)
}

// set changes the settings from the next step on.
func (e *engine) set(s *settings) {
	e.asked.Store(s)
	tell(e.kick)
}

// retire has the engine end once it has ended what it was given. Nothing may be
// submitted any more.
func (e *engine) retire() {
	e.last.Store(true)
	tell(e.kick)
}

// run makes steps until ctx ends, or the engine is retired and has no more to
// do. Steps follow a timetable of their own, in
// which each begins exactly where the last one ended; the timer only wakes the
// loop when a step's end has come.
func (e *engine) run(ctx context.Context) {
	var free time.Time // when the last step ended
	for {
		last := e.last.Load() // asked first: what came before it is accepted then
		e.accept()
		start, ok := e.start(free)
		if last && !ok {
			return
		}
		if !ok || start.After(time.Now()) {
			e.stats.occupied(e.occupation())
			if !e.idle(ctx, start, ok) {
				return
			}
			continue
		}
		w := e.plan(start)
		e.count()
		end := start.Add(e.step(w))
		e.stats.occupied(e.occupation())
		if !e.pace.until(ctx.Done(), end) {
			return
		}
		writes := e.lag.step(time.Since(end))
		e.finish(end, func(r *request, from, to int) { e.produced(r, from, to, writes) })
		writes.sealed()
		free = e.caughtUp(end)
	}
}

// idle waits for a request or other settings, or for the start of a step where
// there is one. It returns false when ctx ends.
func (e *engine) idle(ctx context.Context, start time.Time, known bool) bool {
	var due <-chan time.Time
	if known {
		t := time.NewTimer(time.Until(start))
		defer t.Stop()
		due = t.C
	}
	select {
	case <-e.kick:
	case <-due:
	case <-ctx.Done():
		return false
	}
	return true
}

// accept takes over what was submitted and set, and drops what was given up.
func (e *engine) accept() {
	s := e.asked.Load()
	turned := s != e.applied
	if turned {
		e.configure(*s)
		e.applied = s
	}
	e.mu.Lock()
	arriving := e.arriving
	e.arriving = nil
	for _, r := range arriving {
		e.enqueue(r)
	}
	e.drop()
	if turned {
		e.shed()
	}
	e.load.Store(int64(len(e.running) + len(e.waiting)))
	e.mu.Unlock()
	e.count()
}

// count notes what waits.
func (e *engine) count() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.queued = backlog{}
	for _, list := range [][]*request{e.waiting, e.arriving} {
		for _, r := range list {
			e.queued.add(r)
		}
	}
}

// produced keeps the figures of a request that got tokens from the one number
// to the other.
func (e *engine) produced(r *request, from, to int, writes *stepWrites) {
	e.stats.tokens(r, from, to)
	if r.wake == nil {
		return
	}
	if from == 1 || to == r.max {
		e.ledger.put(r.id, r.truth(e.costs, to))
	}
	if r.streamed {
		writes.owe(r)
	}
}

// caughtUp is when the next step may begin after one that ended at end.
func (e *engine) caughtUp(end time.Time) time.Time {
	now := time.Now()
	if late := now.Sub(end); late > behindLimit {
		e.lag.stood(late)
		return now
	}
	return end
}

// occupation is what the gauges show.
func (e *engine) occupation() occupation {
	o := occupation{
		running: len(e.running), waiting: len(e.waiting), preempted: e.preempted,
		drafted: e.drafted, proven: e.proven,
	}
	if e.pool.total < noLimit && e.pool.total > 0 {
		o.memory = float64(e.pool.used) / float64(e.pool.total)
	}
	return o
}
