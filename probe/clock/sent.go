package clock

import (
	"context"
	"time"
)

// sentPoll is how often WaitSent asks. The timers of an idle Go program come
// at about twice that.
const sentPoll = 500 * time.Microsecond

// WaitSent finds when the last byte of a request left the host. Call it as
// soon as the request is fully written: it asks for Info().NotSent at once and
// then every half millisecond while it is above zero, and returns the instant
// at which it saw zero. It returns false when the path can't tell, the
// connection fails, or ctx ends.
//
// A caller that is held up between two questions would see zero late. What the
// kernel knows about the last sending then brings the instant back, as far as
// its milliseconds allow.
func WaitSent(ctx context.Context, c Conn) (time.Time, bool) {
	var unsent time.Time // when NotSent was last known to be above zero
	var tick *time.Ticker
	for ctx.Err() == nil {
		asked := time.Now()
		info, err := c.Info()
		if err != nil || !info.Known || info.NotSent < 0 {
			return time.Time{}, false
		}
		if info.NotSent == 0 {
			return leftAt(unsent, time.Now(), info.SinceSend), true
		}
		unsent = asked
		if tick == nil {
			tick = time.NewTicker(sentPoll)
			defer tick.Stop()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	return time.Time{}, false
}

// leftAt is when the last byte left, seen as gone at now and as not gone at
// unsent (zero if it never was), by a kernel that last sent since ago.
func leftAt(unsent, now time.Time, since time.Duration) time.Time {
	const held = 4 * sentPoll // longer than this between two questions: the caller was held up
	if unsent.IsZero() || now.Sub(unsent) <= held {
		return now
	}
	if left := now.Add(-since); left.After(unsent) {
		return left
	}
	return unsent
}
