package sim

import (
	"sync"
	"time"
)

// Truth is where the server time of one request went, by the engine's own
// timetable: from the moment the whole request was there to the moment its
// first token was produced. Durations are never negative.
type Truth struct {
	Handling    time.Duration // parsing, template, tokens: until it could be scheduled
	Queue       time.Duration // until its first step, and Contention
	Contention  time.Duration // the part of Queue by which other requests slowed its prefill
	Prefill     time.Duration // what an idle prefill takes above FirstDecode
	FirstDecode time.Duration // what one decode step of this stream alone takes, with the drafts for the next one

	PromptTokens int
	CachedTokens int // of the prompt, found in the prefix cache
	OutputTokens int // produced so far
}

// Server is the whole server time.
func (t Truth) Server() time.Duration {
	return t.Handling + t.Queue + t.Prefill + t.FirstDecode
}

// truthKept is how many requests the ledger remembers.
const truthKept = 4096

// ledger remembers the truth of the latest requests by their identifier.
type ledger struct {
	mu    sync.Mutex
	truth map[string]Truth
	order []string // a ring once it is full
	next  int
}

func newLedger() *ledger {
	return &ledger{truth: make(map[string]Truth)}
}

// put keeps the truth of a request, in place of what was known of it.
func (l *ledger) put(id string, t Truth) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.truth[id]; !ok {
		l.enter(id)
	}
	l.truth[id] = t
}

// enter gives an identifier a place, the oldest one's where there is none left.
func (l *ledger) enter(id string) {
	if len(l.order) < truthKept {
		l.order = append(l.order, id)
		return
	}
	delete(l.truth, l.order[l.next])
	l.order[l.next] = id
	l.next = (l.next + 1) % truthKept
}

// get returns the truth of a request that has its first token and is not
// forgotten yet.
func (l *ledger) get(id string) (Truth, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, ok := l.truth[id]
	return t, ok
}
