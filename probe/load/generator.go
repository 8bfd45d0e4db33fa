// Package load keeps a number of load streams in flight against an endpoint:
// unmeasured requests that keep it busy, and whose bytes are thrown away.
package load

import (
	"context"
	"errors"
	"sync"
	"time"

	"ttftop/probe"
)

// Backoff of a load stream that failed, doubled up to the limit.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 5 * time.Second
)

// Stream runs one load stream to its end. Where it returns a *probe.Failure
// with RetryAfter, that is how long it is not run again.
type Stream func(ctx context.Context) error

// Generator keeps load streams in flight. New makes one; Close ends it.
type Generator struct {
	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup
	notify func(State)

	mu      sync.Mutex
	room    *sync.Cond // a request has ended, or more are asked for
	workers []context.CancelFunc
	state   State
}

// State is what the load streams are doing.
type State struct {
	Asked    int
	InFlight int   // requests that are out now
	Failed   int   // streams that failed since the last Set with another stream
	Err      error // of the last failure

	// Added up over time since New: what was asked for, what was in flight, and
	// how long any were asked for. The second by the third is the mean.
	AskedTime, FlightTime, Loaded time.Duration
	at                            time.Time // added up until then
}

// addUp brings the sums up to now, before what they add up changes.
func (s *State) addUp(now time.Time) {
	if s.Asked > 0 && !s.at.IsZero() {
		d := now.Sub(s.at)
		s.AskedTime += d * time.Duration(s.Asked)
		s.FlightTime += d * time.Duration(s.InFlight)
		s.Loaded += d
	}
	s.at = now
}

// New makes a generator with no streams. notify is told after each change of
// the state; it is called with no lock held and must not block for long.
func New(ctx context.Context, notify func(State)) *Generator {
	ctx, cancel := context.WithCancel(ctx)
	g := &Generator{ctx: ctx, cancel: cancel, notify: notify}
	g.room = sync.NewCond(&g.mu)
	context.AfterFunc(ctx, g.wake)
	return g
}

// Set asks for n streams, each running stream again and again. Surplus ones
// end at once. fresh ends all that run, since they are not what is asked for
// any more. A new stream waits until the request that it takes the place of
// has ended, so that no more than n are ever out beside those that are ending.
func (g *Generator) Set(n int, stream Stream, fresh bool) {
	g.mu.Lock()
	g.state.addUp(time.Now())
	keep := min(n, len(g.workers))
	if fresh {
		keep = 0
	}
	if fresh || n == 0 { // what failed says nothing of what is asked for now
		g.state.Failed, g.state.Err = 0, nil
	}
	for _, end := range g.workers[keep:] {
		end()
	}
	g.workers = g.workers[:keep]
	for range n - keep {
		ctx, end := context.WithCancel(g.ctx)
		g.workers = append(g.workers, end)
		g.wait.Go(func() { g.work(ctx, stream) })
	}
	g.state.Asked = n
	state := g.state
	g.room.Broadcast()
	g.mu.Unlock()
	g.notify(state)
}

// State is the present state.
func (g *Generator) State() State {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.state.addUp(time.Now())
	return g.state
}

// Close ends every stream and waits for them.
func (g *Generator) Close() {
	g.cancel()
	g.wait.Wait()
}

func (g *Generator) work(ctx context.Context, stream Stream) {
	pause := firstPause
	for g.enter(ctx) {
		err := stream(ctx)
		failed := err != nil && ctx.Err() == nil
		g.leave(err, failed)
		if !failed {
			pause = firstPause
			continue
		}
		select {
		case <-time.After(max(pause, asked(err))):
		case <-ctx.Done():
		}
		pause = min(2*pause, lastPause)
	}
}

// asked is how long the endpoint asks to be left alone.
func asked(err error) time.Duration {
	if f, ok := errors.AsType[*probe.Failure](err); ok {
		return f.RetryAfter
	}
	return 0
}

// enter waits until one more request may be out, and counts it. It returns
// false once ctx has ended.
func (g *Generator) enter(ctx context.Context) bool {
	g.mu.Lock()
	for ctx.Err() == nil && g.state.InFlight >= g.state.Asked {
		g.room.Wait()
	}
	if ctx.Err() != nil {
		g.room.Signal() // the place may be another's
		g.mu.Unlock()
		return false
	}
	g.state.addUp(time.Now())
	g.state.InFlight++
	state := g.state
	g.mu.Unlock()
	g.notify(state)
	return true
}

// leave counts a request that has ended.
func (g *Generator) leave(err error, failed bool) {
	g.mu.Lock()
	g.state.addUp(time.Now())
	g.state.InFlight--
	if failed && g.state.Asked > 0 {
		g.state.Failed++
		g.state.Err = err
	}
	state := g.state
	g.room.Signal()
	g.mu.Unlock()
	g.notify(state)
}

// wake makes those that wait for room see that all is over.
func (g *Generator) wake() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.room.Broadcast()
}
