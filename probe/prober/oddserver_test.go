package prober

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"ttftop/probe/prober/testserver"
	"ttftop/probe/sim"
)

// odd is a server in real time that need not behave as the estimate assumes,
// and keeps books.
type odd struct {
	handling time.Duration
	prefill  func(tokens int) time.Duration // beside the first decode
	step     time.Duration
	paced    func() time.Duration // in place of step, where it changes; nil where it doesn't
	first    time.Duration        // the first decode step; 0 for step
	slots    int
	lifo     bool // the last one to come is served first
	others   int  // so many other clients keep it busy, each with up to 300 ms of work at a time
	leave    leave
	before   func(r *testserver.Request) time.Duration // anything more that comes first, counted as handling; nil for nothing

	mu      sync.Mutex
	busy    int
	waiting []chan struct{}
	truth   map[string]sim.Truth
}

// leave says when an odd server's headers leave.
type leave int

const (
	withToken leave = iota
	onAcceptance
	onSlot
)

func (o *odd) start(t testing.TB) *testserver.Server {
	o.truth = map[string]sim.Truth{}
	var wait sync.WaitGroup
	for range o.others {
		wait.Go(func() {
			for o.take(t.Context()) {
				time.Sleep(rand.N(300 * time.Millisecond))
				o.free()
			}
		})
	}
	s := testserver.New(t, []string{"m"}, o.serve)
	t.Cleanup(wait.Wait) // runs before the server closes: their context has ended
	return s
}

func (o *odd) serve(a *testserver.Answer, r *testserver.Request) {
	begun := time.Now()
	id := strconv.Itoa(r.N)
	a.Header().Set("X-Request-Id", id)
	if o.before != nil {
		time.Sleep(o.before(r))
	}
	time.Sleep(o.handling)
	queued := time.Now()
	o.flush(a, onAcceptance)
	if !o.take(r.Context()) {
		return
	}
	defer o.free()
	started := time.Now()
	o.flush(a, onSlot)
	n := r.Words()
	time.Sleep(o.prefill(n))
	prefilled := time.Now()
	time.Sleep(max(o.first, o.pace()))
	o.book(id, sim.Truth{Handling: queued.Sub(begun), Queue: started.Sub(queued), Prefill: prefilled.Sub(started), FirstDecode: time.Since(prefilled)})
	for i := range r.MaxTokens {
		if i > 0 {
			time.Sleep(o.pace())
		}
		if r.Context().Err() != nil {
			return
		}
		a.Token("A")
	}
	a.End(n)
}

// pace is how long a decode step takes now.
func (o *odd) pace() time.Duration {
	if o.paced != nil {
		return o.paced()
	}
	return o.step
}

func (o *odd) flush(a *testserver.Answer, at leave) {
	if o.leave == at {
		a.Header().Set("Content-Type", "text/event-stream")
		a.ResponseWriter.(http.Flusher).Flush()
	}
}

func (o *odd) book(id string, t sim.Truth) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.truth[id] = t
}

// Truth is where the time of a request went.
func (o *odd) Truth(id string) (sim.Truth, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t, ok := o.truth[id]
	return t, ok
}

// take waits for a slot; false where the client has gone.
func (o *odd) take(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	o.mu.Lock()
	if o.busy < o.slots {
		o.busy++
		o.mu.Unlock()
		return true
	}
	turn := make(chan struct{})
	o.waiting = append(o.waiting, turn)
	o.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-ctx.Done():
		o.leaveQueue(turn)
		return false
	}
}

// leaveQueue gives up a place in the queue, or the slot that has just come.
func (o *odd) leaveQueue(turn chan struct{}) {
	o.mu.Lock()
	for i, w := range o.waiting {
		if w == turn {
			o.waiting = append(o.waiting[:i], o.waiting[i+1:]...)
			o.mu.Unlock()
			return
		}
	}
	o.mu.Unlock()
	o.free()
}

// free hands the slot on.
func (o *odd) free() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) == 0 {
		o.busy--
		return
	}
	i := 0
	if o.lifo {
		i = len(o.waiting) - 1
	}
	close(o.waiting[i])
	o.waiting = append(o.waiting[:i], o.waiting[i+1:]...)
}

// perToken is a prefill that is linear in the prompt.
func perToken(d time.Duration) func(int) time.Duration {
	return func(n int) time.Duration { return time.Duration(n) * d }
}
