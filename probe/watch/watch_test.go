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
			Run(ctx, func(lag time.Duration) { told = append(told, lag) })
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
