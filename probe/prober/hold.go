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
	limited  bool      // a rate limit set it
	failures int       // in a row
	noted    time.Time // when the last of them was: what began before knew nothing of it
}

// take folds in the end of a probe that had begun at begun. It reports whether
// the hold has changed. A rate limit is obeyed; after the second failure in a
// row the prober backs off; a success ends it all. Probes that were in flight
// together fail together: they count as one failure, and their success says
// nothing of what the endpoint has asked for since.
func (h *hold) take(f *probe.Failure, begun, now time.Time) bool {
	before := h.until
	fresh := !begun.Before(h.noted)
	switch {
	case f == nil && fresh:
		*h = hold{}
	case f == nil, f.Kind == probe.FailCanceled, f.Kind == probe.FailSkipped:
	default:
		if fresh {
			h.failures++
			h.noted = now
		}
		if fresh || f.RetryAfter > 0 {
			h.set(f, now)
		}
	}
	return !h.until.Equal(before)
}

func (h *hold) set(f *probe.Failure, now time.Time) {
	wait := backoff(h.failures)
	reason := "backing off after " + string(f.Kind) + " errors"
	limited := f.Kind == probe.FailRateLimit
	if limited {
		reason = "rate limit"
		wait = max(wait, firstBackoff)
	}
	if f.RetryAfter > 0 {
		wait = f.RetryAfter
		reason = "the endpoint asks to wait"
		if limited {
			reason = "rate limit: the endpoint asks to wait"
		}
	}
	if until := now.Add(wait); wait > 0 && until.After(h.until) {
		h.until, h.reason, h.limited = until, reason, limited
	}
}

// active reports whether the target is left alone now.
func (h *hold) active(now time.Time) bool { return now.Before(h.until) }

// backoff is the wait after so many failures in a row.
func backoff(failures int) time.Duration {
	if failures < 2 {
		return 0
	}
	wait := firstBackoff << min(failures-2, 16)
	return min(wait, lastBackoff)
}
