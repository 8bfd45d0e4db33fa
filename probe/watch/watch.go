// Package watch has the client watch itself: how late it wakes up tells how
// busy the machine is, how far its figures can be trusted, and whether the
// program stood still.
package watch

import (
	"context"
	"slices"
	"sync"
	"time"

	"ttftop/probe/quantile"
)

// The watch wakes up every, and tells once a period.
const (
	every  = 100 * time.Millisecond
	period = 2 * time.Second
)

// kept is how many of the last standstills are remembered, each at least every
// long.
const kept = 64

// Watch is a client that watches itself. The zero value has seen nothing; Run
// it. Its methods are safe for concurrent use.
type Watch struct {
	mu    sync.Mutex
	due   time.Time // when it is to wake up next, zero while it does not run
	stood []standstill
}

// standstill is a time in which the watch should have woken up, and did not.
type standstill struct{ from, to time.Time }

// Run sleeps and wakes until ctx ends, and tells once a period how late it
// woke up: the 95th percentile.
func (w *Watch) Run(ctx context.Context, tell func(lag time.Duration)) {
	var lags []time.Duration
	timer := time.NewTimer(every)
	defer timer.Stop()
	w.set(time.Now().Add(every))
	defer w.set(time.Time{})
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		now := time.Now()
		lags = append(lags, w.woke(now))
		if len(lags) >= int(period/every) {
			slices.Sort(lags)
			tell(quantile.Of(0.95, lags, 0, 0).At)
			lags = lags[:0]
		}
		w.set(now.Add(every))
		timer.Reset(every)
	}
}

func (w *Watch) set(due time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.due = due
}

// woke notes that the watch woke up, and returns how late that was.
func (w *Watch) woke(now time.Time) (lag time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lag = max(0, now.Sub(w.due))
	if lag >= every {
		w.stood = append(w.stood, standstill{w.due, now})
		w.stood = w.stood[max(0, len(w.stood)-kept):]
	}
	return lag
}

// Stood is the longest time since an instant in which the whole program stood
// still: it was stopped, or the machine gave it no time. It knows of one that
// has just ended before the watch itself has woken up from it.
func (w *Watch) Stood(since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	longest := time.Duration(0)
	consider := func(s standstill) {
		if s.from.Before(since) {
			s.from = since
		}
		longest = max(longest, s.to.Sub(s.from))
	}
	for _, s := range w.stood {
		consider(s)
	}
	if !w.due.IsZero() {
		consider(standstill{w.due, time.Now()})
	}
	return longest
}
