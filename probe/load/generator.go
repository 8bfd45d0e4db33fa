// Package load keeps a number of load streams in flight against an endpoint:
// unmeasured requests that keep it busy, and whose bytes are thrown away.
package load

import (
	"context"
	"sync"
	"time"
)

// Backoff of a load stream that failed, doubled up to the limit.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 5 * time.Second
)

// Stream runs one load stream to its end.
type Stream func(ctx context.Context) error

// Generator keeps load streams in flight. New makes one; Close ends it.
type Generator struct {
	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup
	notify func(State)

	mu      sync.Mutex
	stream  Stream
	workers []context.CancelFunc
	state   State
}

// State is what the load streams are doing.
type State struct {
	Asked    int
	InFlight int   // requests that are out now
	Failed   int   // streams that failed since the last Set with another stream
	Err      error // of the last failure
}

// New makes a generator with no streams. notify is told after each change of
// the state; it is called with no lock held and must not block for long.
func New(ctx context.Context, notify func(State)) *Generator {
	ctx, cancel := context.WithCancel(ctx)
	return &Generator{ctx: ctx, cancel: cancel, notify: notify}
}

// Set asks for n streams, each running stream again and again. Surplus ones
// end at once. fresh ends all that run, since they are not what is asked for
// any more.
func (g *Generator) Set(n int, stream Stream, fresh bool) {
	g.mu.Lock()
	g.stream = stream
	keep := min(n, len(g.workers))
	if fresh {
		keep = 0
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
	g.mu.Unlock()
	g.notify(state)
}

// State is the present state.
func (g *Generator) State() State {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state
}

// Close ends every stream and waits for them.
func (g *Generator) Close() {
	g.cancel()
	g.wait.Wait()
}

func (g *Generator) work(ctx context.Context, stream Stream) {
	pause := firstPause
	for ctx.Err() == nil {
		g.change(func(s *State) { s.InFlight++ })
		err := stream(ctx)
		failed := err != nil && ctx.Err() == nil
		g.change(func(s *State) {
			s.InFlight--
			if failed {
				s.Failed++
				s.Err = err
			}
		})
		if !failed {
			pause = firstPause
			continue
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = min(2*pause, lastPause)
	}
}

func (g *Generator) change(f func(*State)) {
	g.mu.Lock()
	f(&g.state)
	state := g.state
	g.mu.Unlock()
	g.notify(state)
}
