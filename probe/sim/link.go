package sim

import (
	"math"
	"math/rand/v2"
	"time"
)

// Link is the path between a client and the simulated server, as each
// connection sees it for itself.
type Link struct {
	RTT       time.Duration // round trip of an empty path
	Jitter    time.Duration // mean of the random delay on top of RTT, exponentially distributed, half of it each way
	Bandwidth float64       // bits per second in each direction; 0 for no limit
}

// Buffers of a connection.
const (
	segmentSize   = 16 << 10 // bytes that travel together, at most
	sendBuffer    = 4 << 20  // bytes that may be on their way to the server: Linux's default limit (tcp_wmem)
	receiveBuffer = 6 << 20  // bytes that may wait for the client: Linux's default limit (tcp_rmem)
)

// lane is one direction of a connection: a line that sends one byte after the
// other, and a way that delays them but never changes their order.
type lane struct {
	link Link
	rng  *rand.Rand
	free time.Time // when the line has sent all it was given
	last time.Time // latest arrival so far
}

// send puts n bytes on the line and returns when the last of them arrives.
func (l *lane) send(now time.Time, n int) time.Time {
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(l.serialise(n))
	at := l.free.Add(l.link.RTT/2 + l.delay())
	if at.Before(l.last) {
		at = l.last
	}
	l.last = at
	return at
}

// serialise is how long the line needs for n bytes.
func (l *lane) serialise(n int) time.Duration {
	if l.link.Bandwidth <= 0 {
		return 0
	}
	return time.Duration(float64(n) * 8 / l.link.Bandwidth * float64(time.Second))
}

// delay draws the random delay of one way.
func (l *lane) delay() time.Duration {
	return time.Duration(l.rng.ExpFloat64() * float64(l.link.Jitter) / 2)
}

// unsent is how many bytes the line still has to send.
func (l *lane) unsent(now time.Time) int {
	left := l.free.Sub(now)
	if left <= 0 || l.link.Bandwidth <= 0 {
		return 0
	}
	return int(math.Ceil(left.Seconds() * l.link.Bandwidth / 8))
}

// echo is a round trip that is known once its answer is back.
type echo struct {
	back time.Time
	rtt  time.Duration
}

// roundTrips keeps the smallest round trip that a connection has seen, as TCP
// does from its acknowledgements.
type roundTrips struct {
	least   time.Duration
	pending []echo
}

// expect adds a round trip that will be known at its end.
func (r *roundTrips) expect(now time.Time, e echo) {
	r.min(now)
	r.pending = append(r.pending, e)
}

// min is the smallest round trip known by now.
func (r *roundTrips) min(now time.Time) time.Duration {
	kept := r.pending[:0]
	for _, e := range r.pending {
		if e.back.After(now) {
			kept = append(kept, e)
			continue
		}
		r.least = min(r.least, e.rtt)
	}
	r.pending = kept
	return r.least
}
