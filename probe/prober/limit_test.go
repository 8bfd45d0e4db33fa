//go:build unix

package prober

import (
	"testing"

	"golang.org/x/sys/unix"

	"ttftop/probe"
	"ttftop/probe/limits"
)

// Whoever turns the knobs, no more load streams are asked for than the limit of
// open files has room for, and a notice says so.
func TestPressureIsCappedToTheLimit(t *testing.T) {
	l := restingLane(t, 10)
	p := l.prober
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Skip(err)
	}
	lower := was
	lower.Cur = 200
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &lower); err != nil {
		t.Skip(err)
	}
	p.room = limits.Look()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	s := p.Settings()
	s.Knobs[0].Pressure = 512
	p.Apply(t.Context(), s)
	got := p.Settings().Knobs[0].Pressure
	if got == 0 || got > 200 {
		t.Errorf("%d load streams with 200 open files", got)
	}
	notices := 0
	for len(p.events) > 0 {
		switch e := (<-p.events).(type) {
		case probe.Notice:
			notices++
		case probe.Changed:
			if e.Settings.Knobs[0].Pressure != got {
				t.Errorf("told of %d load streams, set %d", e.Settings.Knobs[0].Pressure, got)
			}
		}
	}
	if notices != 1 {
		t.Errorf("%d notices", notices)
	}
}
