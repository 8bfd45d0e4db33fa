package attempt

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ttftop/probe"
)

// guard ends an attempt when one of its waits takes too long: for the headers,
// for the first token, or between tokens.
type guard struct {
	cancel context.CancelCauseFunc
	limit  time.Duration

	mu     sync.Mutex
	timer  *time.Timer
	phase  probe.Phase
	tokens int
}

// newGuard starts the wait for the headers. The context it returns ends with a
// *probe.Failure as its cause when a wait is over.
func newGuard(ctx context.Context, limit time.Duration) (context.Context, *guard) {
	ctx, cancel := context.WithCancelCause(ctx)
	g := &guard{cancel: cancel, limit: limit, phase: probe.PhaseHeaders}
	g.timer = time.AfterFunc(limit, g.over)
	return ctx, g
}

// enter starts the next wait.
func (g *guard) enter(phase probe.Phase, tokens int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.phase, g.tokens = phase, tokens
	g.timer.Reset(g.limit)
}

// stop ends the guard and its context.
func (g *guard) stop() {
	g.timer.Stop()
	g.cancel(nil)
}

func (g *guard) over() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cancel(&probe.Failure{Kind: probe.FailTimeout, Phase: g.phase, Message: g.sentence()})
}

func (g *guard) sentence() string {
	switch g.phase {
	case probe.PhaseHeaders:
		return fmt.Sprintf("no response headers after %v", g.limit)
	case probe.PhaseFirstToken:
		return fmt.Sprintf("no first token after %v", g.limit)
	default:
		return fmt.Sprintf("stalled after %d tokens: nothing for %v", g.tokens, g.limit)
	}
}
