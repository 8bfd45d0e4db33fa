package sim

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A pacer never wakes early, alone or in a crowd larger than it has alarms.
func TestPacerIsNeverEarly(t *testing.T) {
	p := newPacer()
	defer p.close()
	var crowd sync.WaitGroup
	for i := range 3 * alarmCount {
		crowd.Go(func() {
			at := time.Now().Add(time.Duration(i) * 50 * time.Microsecond)
			if !p.until(nil, at) || time.Now().Before(at) {
				t.Error("a wait ended early")
			}
		})
	}
	crowd.Wait()
}

func TestPacerGivesUp(t *testing.T) {
	p := newPacer()
	defer p.close()
	done := make(chan struct{})
	time.AfterFunc(time.Millisecond, func() { close(done) })
	if p.until(done, time.Now().Add(time.Hour)) {
		t.Error("an hour has passed")
	}
	if p.until(done, time.Now()) {
		t.Error("a wait that was given up counts as done")
	}
}

func TestZeroPacer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if !new(pacer).until(nil, start.Add(time.Second)) || time.Since(start) != time.Second {
			t.Errorf("waited %v", time.Since(start))
		}
	})
}

func BenchmarkPacer(b *testing.B) {
	p := newPacer()
	defer p.close()
	var late time.Duration
	for b.Loop() {
		at := time.Now().Add(3 * time.Millisecond)
		p.until(nil, at)
		late += time.Since(at)
	}
	b.ReportMetric(float64(late.Microseconds())/float64(b.N), "µs-late")
}
