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
// at which it saw zero. When ctx ends it asks once more. It returns false when
// the path can't tell, the connection fails, or the bytes have not left by then.
//
// A caller that comes late, or is held up between two questions, would see zero
// late. What the kernel knows about the last sending then brings the instant
// back, as far as its milliseconds allow: never before unsent, when something of
// the request was known not to have left, such as right before its last write.
func WaitSent(ctx context.Context, c Conn, unsent time.Time) (time.Time, bool) {
	var tick *time.Ticker
	for {
		last := ctx.Err() != nil
		asked := time.Now()
		info, err := c.Info()
		if err != nil || !info.Known || info.NotSent < 0 {
			return time.Time{}, false
		}
		if info.NotSent == 0 {
			return LeftAt(unsent, time.Now(), info.SinceSend), true
		}
		if last {
			return time.Time{}, false
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
}

// LeftAt is when the last byte left, seen as gone at now and as not gone at
// unsent, by a kernel that last sent since ago (Info.SinceSend).
func LeftAt(unsent, now time.Time, since time.Duration) time.Time {
	const held = 4 * sentPoll // longer than this between two questions: the caller was held up
	if now.Sub(unsent) <= held {
		return now
	}
	if left := now.Add(-since); left.After(unsent) {
		return left
	}
	return unsent
}
