package prober

import (
	"context"
	"sync/atomic"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
)

// How often and how long the trivial request is tried.
const (
	trivialTries   = 3
	trivialTimeout = 5 * time.Second
)

// An answer to a trivial request so much later than the round trip comes from
// farther away than the other end of the connection. A server that is slow to
// list its models is below it.
const (
	fartherAtLeast = 50 * time.Millisecond
	fartherTimes   = 10
	behindProxy    = 5 * time.Millisecond // the same where a proxy is known to be there
)

// trivial is the fastest answer to a trivial request over a path, which tells
// whether the connection ends at the endpoint.
type trivial struct{ fastest atomic.Int64 }

// took is how long that was, 0 before there was one.
func (t *trivial) took() time.Duration { return time.Duration(t.fastest.Load()) }

func (t *trivial) add(took time.Duration) {
	if best := t.fastest.Load(); best == 0 || int64(took) < best {
		t.fastest.Store(int64(took))
	}
}

// askTrivial sends trivial requests over the path as it is, beside the lane.
func (l *lane) askTrivial(ctx context.Context) {
	l.asked = l.trivial.Load()
	path := l.asked
	l.flying.Go(func() {
		defer l.prober.guard()
		ctx, cancel := context.WithTimeout(ctx, trivialTimeout)
		defer cancel()
		for range trivialTries {
			took, err := attempt.Trivial(ctx, l.pool, l.target.Endpoint)
			if err != nil || l.trivial.Load() != path {
				return
			}
			path.add(took)
		}
	})
}

// askTrivialAgain asks anew where the path may have become another since.
func (l *lane) askTrivialAgain(ctx context.Context) {
	if l.asked != nil && l.asked != l.trivial.Load() {
		l.askTrivial(ctx)
	}
}

// toProxyOnly reports whether the round trip of a probe is that to a proxy or a
// terminator, and not to the endpoint. trivial is the fastest answer to a
// trivial request, 0 where it is not known.
func toProxyOnly(r *probe.Result, trivial time.Duration) bool {
	if !r.RTT.OK {
		return false
	}
	if r.Proxy != "" {
		return trivial == 0 || trivial > 2*r.RTT.At+behindProxy
	}
	return trivial > fartherAtLeast && trivial > fartherTimes*r.RTT.At
}
