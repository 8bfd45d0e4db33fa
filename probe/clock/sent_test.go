package clock

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// scripted is a path that answers from a function of the number of the
// question, from 0.
type scripted struct {
	net.Conn
	asked int
	info  func(n int) (Info, error)
}

func (*scripted) Arrival() Arrival { return Arrival{} }

func (s *scripted) Info() (Info, error) {
	s.asked++
	return s.info(s.asked - 1)
}

func unsent(n int) (Info, error) { return Info{Known: true, NotSent: n}, nil }

func TestWaitSentAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c := &scripted{info: func(int) (Info, error) { return unsent(0) }}
		at, ok := WaitSent(t.Context(), c, start)
		if !ok || at != start || c.asked != 1 {
			t.Errorf("%v, %v after %d questions", at.Sub(start), ok, c.asked)
		}
	})
}

func TestWaitSentPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c := &scripted{info: func(n int) (Info, error) { return unsent(10 - n) }}
		at, ok := WaitSent(t.Context(), c, start)
		if want := 10 * 500 * time.Microsecond; !ok || at.Sub(start) != want {
			t.Errorf("%v, %v; want %v", at.Sub(start), ok, want)
		}
	})
}

func TestWaitSentCantTell(t *testing.T) {
	for name, info := range map[string]func(int) (Info, error){
		"unknown path":     func(int) (Info, error) { return Info{}, nil },
		"unknown unsent":   func(int) (Info, error) { return unsent(-1) },
		"error":            func(int) (Info, error) { return Info{}, net.ErrClosed },
		"error on retry":   func(n int) (Info, error) { return Info{Known: true, NotSent: 1}, []error{nil, net.ErrClosed}[n] },
		"unknown on retry": func(n int) (Info, error) { return Info{Known: n == 0, NotSent: 1 - n}, nil },
	} {
		if at, ok := WaitSent(t.Context(), &scripted{info: info}, time.Now()); ok || !at.IsZero() {
			t.Errorf("%s: %v, %v", name, at, ok)
		}
	}
}

func TestWaitSentContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, ok := WaitSent(ctx, &scripted{info: func(int) (Info, error) { return unsent(1) }}, start); ok {
			t.Error("sent although it never was")
		}
		if got := time.Since(start); got != time.Second {
			t.Errorf("gave up after %v", got)
		}
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Error(ctx.Err())
		}
	})
}

// TestWaitSentHeldUp has the caller held up for 100 ms between two questions,
// while the last byte left 60 ms before the second.
func TestWaitSentHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		at, ok := WaitSent(t.Context(), &scripted{info: func(n int) (Info, error) {
			if n == 0 {
				return unsent(1)
			}
			time.Sleep(100 * time.Millisecond)
			return Info{Known: true, SinceSend: 60 * time.Millisecond}, nil
		}}, start)
		if want := 40*time.Millisecond + sentPoll; !ok || at.Sub(start) != want {
			t.Errorf("%v, %v; want %v", at.Sub(start), ok, want)
		}
	})
}

// A caller that gets its turn only when all is over still learns when the last
// byte left.
func TestWaitSentTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		time.Sleep(100 * time.Millisecond)
		gone := &scripted{info: func(int) (Info, error) { return Info{Known: true, SinceSend: 60 * time.Millisecond}, nil }}
		if at, ok := WaitSent(ctx, gone, start); !ok || at.Sub(start) != 40*time.Millisecond {
			t.Errorf("%v, %v; want 40 ms", at.Sub(start), ok)
		}
		if _, ok := WaitSent(ctx, &scripted{info: func(int) (Info, error) { return unsent(1) }}, start); ok {
			t.Error("sent although it never was")
		}
	})
}

func TestLeftAt(t *testing.T) {
	now := time.Now()
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		gap, since, want time.Duration // before now
	}{
		"prompt":                     {ms, 40 * ms, 0},
		"held up":                    {100 * ms, 40 * ms, 40 * ms},
		"held up, nothing known":     {100 * ms, 0, 0},
		"never before it was unsent": {100 * ms, 200 * ms, 100 * ms},
	} {
		if got := now.Sub(LeftAt(now.Add(-c.gap), now, c.since)); got != c.want {
			t.Errorf("%s: %v before now, want %v", name, got, c.want)
		}
	}
}
