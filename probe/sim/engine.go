package sim

import (
	"context"
	"sync"
	"time"
)

// behindLimit is how late the engine may be before it gives up catching up: a
// machine that stood still makes the engine stand still too.
const behindLimit = 250 * time.Millisecond

// engine runs the steps of one model, one after the other, in real time.
type engine struct {
	pace   *pacer
	ledger *ledger
	stats  *stats
	kick   chan struct{}

	mu       sync.Mutex
	arriving []*request

	schedule                     // the loop's alone
	late     func(time.Duration) // told how late each step's end was noticed; nil for nobody
}

func newEngine(c Config, m Model, pace *pacer, l *ledger) *engine {
	return &engine{
		pace:   pace,
		ledger: l,
		stats:  newStats(),
		kick:   make(chan struct{}, 1),
		schedule: schedule{
			costs:       costs{model: m, hardware: c.Hardware.under(m), overhead: c.StepOverhead, budget: c.TokenBudget},
			maxBatch:    c.MaxBatch,
			blockTokens: c.BlockTokens,
			cache:       newPrefixCache(c.CacheBlocks),
		},
	}
}

// submit hands a request over. Set its gone to take it back.
func (e *engine) submit(r *request) {
	e.mu.Lock()
	e.arriving = append(e.arriving, r)
	e.mu.Unlock()
	select {
	case e.kick <- struct{}{}:
	default:
	}
}

// run makes steps until ctx ends. Steps follow a timetable of their own, in
// which each begins exactly where the last one ended; the timer only wakes the
// loop when a step's end has come.
func (e *engine) run(ctx context.Context) {
	var free time.Time // when the last step ended
	for {
		e.accept()
		start, ok := e.start(free)
		if !ok {
			e.stats.occupied(0, 0)
			select {
			case <-e.kick:
				continue
			case <-ctx.Done():
				return
			}
		}
		work := e.plan(start)
		end := start.Add(e.step(work))
		e.stats.occupied(len(e.running), len(e.waiting))
		if !e.pace.until(ctx.Done(), end) {
			return
		}
		e.finish(end, e.produced)
		free = e.caughtUp(end)
	}
}

// accept takes over what was submitted and drops what was given up.
func (e *engine) accept() {
	e.mu.Lock()
	arriving := e.arriving
	e.arriving = nil
	e.mu.Unlock()
	for _, r := range arriving {
		e.enqueue(r)
	}
	e.drop()
}

// produced keeps the figures of a request that got its nth token.
func (e *engine) produced(r *request, n int) {
	e.stats.token(r, n)
	if r.wake != nil && (n == 1 || n == r.max) {
		e.ledger.put(r.id, r.truth(e.costs, n))
	}
}

// caughtUp is when the next step may begin after one that ended at end.
func (e *engine) caughtUp(end time.Time) time.Time {
	now := time.Now()
	if e.late != nil {
		e.late(now.Sub(end))
	}
	if now.Sub(end) > behindLimit {
		return now
	}
	return end
}
