package schedule

import (
	"testing"
	"time"
)

const ms = time.Millisecond

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func at(d time.Duration) time.Time { return start.Add(d) }

func check(t *testing.T, what string, got time.Time, want time.Duration) {
	t.Helper()
	if !got.Equal(at(want)) {
		t.Errorf("%s: %v, want %v", what, got.Sub(start), want)
	}
}

func TestDueTimesDoNotDrift(t *testing.T) {
	var s Schedule
	s.Set(4, start)
	for i := range 20 {
		due := time.Duration(i) * 250 * ms
		got, missed := s.Take(at(due + 7*ms))
		check(t, "due", got, due)
		if missed != 0 {
			t.Errorf("%d due times are missed by a probe that is a little late", missed)
		}
	}
}

func TestAStallDoesNotBunch(t *testing.T) {
	var s Schedule
	s.Set(10, start)
	s.Take(start)
	got, missed := s.Take(at(1040 * ms))
	check(t, "first after the stall", got, 100*ms)
	if missed != 9 {
		t.Errorf("%d due times are missed, want 9", missed)
	}
	check(t, "next", s.Next(), 1100*ms)
}

func TestAStallThatEndsOnADueTime(t *testing.T) {
	var s Schedule
	s.Set(10, start)
	s.Take(at(1000 * ms))
	if !s.Next().After(at(1000 * ms)) {
		t.Errorf("next is due at %v, which is not later than now", s.Next().Sub(start))
	}
}

func TestRateChange(t *testing.T) {
	var s Schedule
	s.Set(1, start)
	s.Take(start)
	s.Set(10, at(20*ms))
	check(t, "faster", s.Next(), 100*ms)
	s.Set(0.5, at(30*ms))
	check(t, "slower", s.Next(), 2000*ms)
	s.Set(0.5, at(40*ms))
	check(t, "unchanged", s.Next(), 2000*ms)
	s.Set(100, at(900*ms))
	check(t, "never in the past", s.Next(), 900*ms)
}

func TestHold(t *testing.T) {
	var s Schedule
	s.Set(1, start)
	s.Hold(at(7200 * ms))
	check(t, "held", s.Next(), 8000*ms)
	s.Hold(at(3000 * ms))
	check(t, "held for less", s.Next(), 8000*ms)
}
