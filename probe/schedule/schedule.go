// Package schedule says when probes are due: an open loop, whose due times do
// not depend on how long earlier probes take.
package schedule

import "time"

// Schedule is a row of due times at a rate. The zero value is not started.
// It is not safe for concurrent use.
type Schedule struct {
	interval time.Duration
	next     time.Time
}

// longest is the longest interval, so that no rate overflows it.
const longest = 365 * 24 * time.Hour

// Interval is the time between two due times at a rate in probes per second,
// above 0; at most a year.
func Interval(rate float64) time.Duration {
	return time.Duration(min(float64(time.Second)/rate, float64(longest)))
}

// Set starts the schedule, or changes its rate (probes per second, above 0).
// After a change the next probe is due one new interval after the last one,
// but not in the past.
func (s *Schedule) Set(rate float64, now time.Time) {
	interval := Interval(rate)
	switch {
	case s.next.IsZero():
		s.next = now
	case interval != s.interval:
		s.next = s.next.Add(interval - s.interval)
		if s.next.Before(now) {
			s.next = now
		}
	}
	s.interval = interval
}

// Next is when the next probe is due.
func (s *Schedule) Next() time.Time { return s.next }

// Take returns the due time of a probe that starts now and moves on. Due times
// that a stall of this program has swallowed are passed over, so that probes
// never bunch, and counted as missed; the probe that starts late has the
// earliest of them, so that its lag tells of the stall.
func (s *Schedule) Take(now time.Time) (due time.Time, missed int) {
	due = s.next
	s.next = s.next.Add(s.interval)
	if late := now.Sub(s.next); late > 0 {
		missed = int(late/s.interval) + 1
		s.next = s.next.Add(late.Truncate(s.interval) + s.interval)
	}
	return due, missed
}

// Hold moves the schedule to a time at or after until.
func (s *Schedule) Hold(until time.Time) {
	if wait := until.Sub(s.next); wait > 0 {
		s.next = s.next.Add(wait.Truncate(s.interval))
		if s.next.Before(until) {
			s.next = s.next.Add(s.interval)
		}
	}
}
