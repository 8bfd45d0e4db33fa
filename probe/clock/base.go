package clock

import (
	"time"

	"ttftop/probe"
)

// Base is the start of a request on both clocks. It turns instants into
// offsets from that start: kernel stamps on the wall clock, all else on the
// monotonic one. The zero value is of no use.
type Base struct {
	start time.Time // with its monotonic reading
	wall  time.Time // the same instant, wall clock only
}

// Start is a base at this instant.
func Start() Base { return StartAt(time.Now()) }

// StartAt is a base at t, which must carry a monotonic reading, as time.Now
// gives it, for clock steps to be seen.
func StartAt(t time.Time) Base { return Base{start: t, wall: t.Round(0)} }

// Time returns the start.
func (b Base) Time() time.Time { return b.start }

// Offset is the time from the start to the arrival: a wall difference for a
// kernel stamp, a monotonic one otherwise. It is never negative, and never
// later than the read itself: only a step of the wall clock could make it so.
func (b Base) Offset(a Arrival) time.Duration {
	if a.Kind != probe.KernelClock {
		return max(0, a.At.Sub(b.start))
	}
	d := a.At.Round(0).Sub(b.wall)
	if !a.Read.IsZero() {
		d = min(d, a.Read.Sub(b.start))
	}
	return max(0, d)
}

// Since is the monotonic time from the start to t, negative for an earlier t.
func (b Base) Since(t time.Time) time.Duration { return t.Sub(b.start) }

// Step is by how much wall and monotonic clock disagree about the time from
// the start to end: the clock was set, or the machine slept. Above a
// millisecond the kernel stamps in between can't be trusted. end must carry a
// monotonic reading; without one nothing can be seen and Step is 0.
func (b Base) Step(end time.Time) time.Duration {
	wall := end.Round(0).Sub(b.wall)
	mono := end.Sub(b.start)
	return (wall - mono).Abs()
}
