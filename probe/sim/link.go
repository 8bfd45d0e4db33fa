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
	Loss      float64       // share of packets lost, 0 to 0.5: they come later, since they are sent again
	TLS       bool          // connections are made with a TLS 1.3 handshake: one more round trip

	// Edge is the round trip to an edge near the client that ends its
	// connections; from there a warm connection goes on to the server. Connecting
	// then takes that, and so does sending a lost packet again. 0 for none.
	Edge time.Duration
}

func (l Link) faster(speed float64) Link {
	l.RTT, l.Jitter, l.Edge = shorter(l.RTT, speed), shorter(l.Jitter, speed), shorter(l.Edge, speed)
	l.Bandwidth *= speed
	return l
}

// leg is the round trip that the client's own TCP sees.
func (l Link) leg() time.Duration {
	if l.Edge > 0 {
		return l.Edge
	}
	return l.RTT
}

// Buffers of a connection.
const (
	segmentSize   = 16 << 10 // bytes that travel together, at most
	sendBuffer    = 4 << 20  // bytes that may be on their way to the server: Linux's default limit (tcp_wmem)
	receiveBuffer = 6 << 20  // bytes that may wait for the client: Linux's default limit (tcp_rmem)
)

// Retransmission. A lost packet is missed after one round trip where at least
// three follow it (RFC 5681), else when the timer of the sender runs out: a
// round trip and at least 200 ms on Linux (TCP_RTO_MIN), doubled each time.
const (
	packetSize = 1448 // bytes in a packet of 1,500 with timestamps
	duplicates = 3
	leastRTO   = 200 * time.Millisecond
	mostRTO    = 120 * time.Second // TCP_RTO_MAX
)

// lane is one direction of a connection: a line that sends one byte after the
// other, and a way that delays them but never changes their order.
type lane struct {
	link   Link
	rng    *rand.Rand
	free   time.Time // when the line has sent all it was given
	last   time.Time // latest arrival so far
	resent int       // packets sent again
}

// send puts n bytes on the line and returns when the last of them arrives.
func (l *lane) send(now time.Time, n int) time.Time {
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(l.serialise(n))
	at := l.free.Add(l.link.RTT/2 + l.delay() + l.resend(n))
	if at.Before(l.last) {
		at = l.last
	}
	l.last = at
	return at
}

// resend is by how much lost packets delay n bytes.
func (l *lane) resend(n int) time.Duration {
	if l.link.Loss == 0 {
		return 0
	}
	var worst time.Duration
	for left := (n + packetSize - 1) / packetSize; left > 0; left-- {
		timeout := l.link.leg() + leastRTO
		wait := time.Duration(0)
		for l.rng.Float64() < l.link.Loss {
			l.resent++
			if left > duplicates && wait == 0 {
				wait = l.link.leg()
				continue
			}
			wait += timeout
			timeout = min(2*timeout, mostRTO)
		}
		worst = max(worst, wait)
	}
	return worst
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
