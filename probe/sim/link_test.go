package sim

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

func newLane(l Link) lane { return lane{link: l, rng: rand.New(rand.NewPCG(1, 1))} }

func TestLaneDelaysByHalfARoundTrip(t *testing.T) {
	l := newLane(Link{RTT: 40 * time.Millisecond})
	now := time.Unix(0, 0)
	if got := l.send(now, 1000).Sub(now); got != 20*time.Millisecond {
		t.Errorf("arrives after %v, want 20 ms", got)
	}
	if l.unsent(now) != 0 {
		t.Errorf("%d bytes unsent on a line without limit", l.unsent(now))
	}
}

// 400 kB at 8 Mbit/s take 400 ms to send, one byte after the other.
func TestLaneSerialises(t *testing.T) {
	l := newLane(Link{RTT: 20 * time.Millisecond, Bandwidth: 8e6})
	now := time.Unix(0, 0)
	var last time.Time
	for range 40 {
		last = l.send(now, 10_000)
	}
	near(t, "arrival of the last byte", last.Sub(now), 410*time.Millisecond)
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{0, 400_000}, {100 * time.Millisecond, 300_000}, {400*time.Millisecond - time.Microsecond, 1}, {400 * time.Millisecond, 0}, {time.Second, 0}} {
		if got := l.unsent(now.Add(tt.after)); got != tt.want {
			t.Errorf("after %v %d bytes are unsent, want %d", tt.after, got, tt.want)
		}
	}
	near(t, "a later byte", l.send(now.Add(time.Second), 1).Sub(now), 1010*time.Millisecond+time.Microsecond)
}

// Jitter delays but never reorders; on average it adds half its mean each way.
func TestLaneJitter(t *testing.T) {
	l := newLane(Link{RTT: 20 * time.Millisecond, Jitter: 4 * time.Millisecond})
	now := time.Unix(0, 0)
	const n = 20_000
	var sum time.Duration
	for i := range n {
		at := now.Add(time.Duration(i) * time.Second)
		sum += l.send(at, 1).Sub(at) - 10*time.Millisecond
	}
	if mean := sum / n; mean < 1900*time.Microsecond || mean > 2100*time.Microsecond {
		t.Errorf("jitter adds %v on average, want 2 ms", mean)
	}
	var before time.Time
	for i := range n {
		at := l.send(now.Add(100_000*time.Second+time.Duration(i)*time.Microsecond), 1)
		if at.Before(before) {
			t.Fatalf("byte %d overtook the one before it", i)
		}
		before = at
	}
}

func TestRoundTripsKeepTheSmallest(t *testing.T) {
	now := time.Unix(0, 0)
	r := roundTrips{least: 50 * time.Millisecond}
	r.expect(now, echo{back: now.Add(40 * time.Millisecond), rtt: 40 * time.Millisecond})
	r.expect(now, echo{back: now.Add(90 * time.Millisecond), rtt: 45 * time.Millisecond})
	for _, tt := range []struct{ after, want time.Duration }{
		{0, 50 * time.Millisecond}, {39 * time.Millisecond, 50 * time.Millisecond},
		{40 * time.Millisecond, 40 * time.Millisecond}, {time.Second, 40 * time.Millisecond},
	} {
		if got := r.min(now.Add(tt.after)); got != tt.want {
			t.Errorf("after %v: %v, want %v", tt.after, got, tt.want)
		}
	}
	if len(r.pending) != 0 {
		t.Errorf("%d round trips are still pending", len(r.pending))
	}
}

// pathOf is a path that never changes.
func pathOf(l Link) *atomic.Pointer[Link] {
	p := new(atomic.Pointer[Link])
	p.Store(&l)
	return p
}
