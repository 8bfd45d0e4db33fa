package watch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTellsOnceAPeriodAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var told []time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			new(Watch).Run(ctx, func(lag time.Duration) { told = append(told, lag) })
		}()
		time.Sleep(3*period + period/2)
		cancel()
		<-done
		if len(told) != 3 {
			t.Errorf("told %d times in three and a half periods", len(told))
		}
		for _, lag := range told {
			if lag != 0 {
				t.Errorf("a machine with nothing to do is late by %v", lag)
			}
		}
	})
}

// A standstill is known at its end, whoever asks first, and to those alone who
// began before its end.
func TestStood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Watch
		start := time.Now()
		if d := w.Stood(start); d != 0 {
			t.Errorf("a watch that does not run has seen %v", d)
		}
		w.set(start.Add(every)) // as Run does, and then the program is stopped
		time.Sleep(12 * time.Second)
		if d := w.Stood(start); d != 12*time.Second-every {
			t.Errorf("before the watch has woken up: %v", d)
		}
		w.woke(time.Now())
		end := time.Now()
		w.set(end.Add(every))
		time.Sleep(every / 2)
		for since, want := range map[time.Time]time.Duration{start: 12*time.Second - every, end.Add(-3 * time.Second): 3 * time.Second, end: 0, time.Now(): 0} {
			if d := w.Stood(since); d != want {
				t.Errorf("since %v: %v, want %v", since.Sub(start), d, want)
			}
		}
	})
}

func TestAProgramThatGoesOnNeverStood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Watch
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Run(ctx, func(time.Duration) {})
		}()
		start := time.Now()
		time.Sleep(10*time.Second + every/2)
		if d := w.Stood(start); d != 0 {
			t.Errorf("%v", d)
		}
		cancel()
		<-done
	})
}
