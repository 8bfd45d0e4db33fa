package prober

import (
	"time"

	"ttftop/probe"
)

// Backoff after failures, doubled up to the limit.
const (
	firstBackoff = 500 * time.Millisecond
	lastBackoff  = 30 * time.Second
)

// hold says until when a target is left alone, and why.
type hold struct {
	until    time.Time
	reason   string
	failures int // in a row
}

// take folds the end of a probe in. It reports whether the hold has changed.
// A rate limit is obeyed; after the second failure in a row the prober backs
// off; a success ends it all.
func (h *hold) take(f *probe.Failure, now time.Time) bool {
	before := h.until
	switch {
	case f == nil:
		*h = hold{}
	case f.Kind == probe.FailCanceled, f.Kind == probe.FailSkipped:
	default:
		h.failures++
		h.set(f, now)
	}
	return !h.until.Equal(before)
}

func (h *hold) set(f *probe.Failure, now time.Time) {
	wait := backoff(h.failures)
	reason := "backing off after " + string(f.Kind) + " errors"
	if f.Kind == probe.FailRateLimit {
		reason = "rate limit"
		wait = max(wait, firstBackoff)
	}
	if f.RetryAfter > 0 {
		wait = f.RetryAfter
		reason = "the endpoint asks to wait"
		if f.Kind == probe.FailRateLimit {
			reason = "rate limit: the endpoint asks to wait"
		}
	}
	if until := now.Add(wait); wait > 0 && until.After(h.until) {
		h.until, h.reason = until, reason
	}
}

// backoff is the wait after so many failures in a row.
func backoff(failures int) time.Duration {
	if failures < 2 {
		return 0
	}
	wait := firstBackoff << min(failures-2, 16)
	return min(wait, lastBackoff)
}
