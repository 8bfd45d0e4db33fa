package prober

import (
	"context"
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

// askTrivial finds the fastest answer to a trivial request, which tells whether
// the connection ends at the endpoint.
func (l *lane) askTrivial(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, trivialTimeout)
	defer cancel()
	for range trivialTries {
		took, err := attempt.Trivial(ctx, l.pool, l.target.Endpoint)
		if err != nil {
			return
		}
		if best := l.trivial.Load(); best == 0 || int64(took) < best {
			l.trivial.Store(int64(took))
		}
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
