package load

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"ttftop/probe"
)

// sleeper is a stream that takes d and counts how many run at once.
func sleeper(d time.Duration, running, most *atomic.Int64) Stream {
	return func(ctx context.Context) error {
		n := running.Add(1)
		defer running.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func TestNeverAboveAndAlwaysFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		g := New(t.Context(), func(State) {})
		defer g.Close()
		g.Set(64, sleeper(100*time.Millisecond, &running, &most), true)
		for range 50 {
			time.Sleep(37 * time.Millisecond)
			synctest.Wait()
			if n := running.Load(); n != 64 {
				t.Fatalf("%d streams in flight, want 64", n)
			}
		}
		if most.Load() > 64 {
			t.Errorf("%d at once, want at most 64", most.Load())
		}
	})
}

// What was in flight is added up over time, gaps and turned knobs included.
func TestTheMean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		g := New(t.Context(), func(State) {})
		defer g.Close()
		time.Sleep(time.Hour) // nothing is asked for: that is no time under load
		g.Set(10, sleeper(time.Second, &running, &most), true)
		time.Sleep(10 * time.Second)
		g.Set(4, func(ctx context.Context) error { return errors.New("refused") }, true)
		synctest.Wait()
		time.Sleep(10 * time.Second)
		s := g.State()
		if s.Loaded != 20*time.Second || s.AskedTime != 140*time.Second || s.FlightTime != 100*time.Second {
			t.Errorf("%v under load, %v asked for, %v in flight", s.Loaded, s.AskedTime, s.FlightTime)
		}
		g.Set(0, nil, true)
		time.Sleep(time.Hour)
		if later := g.State(); later.Loaded != s.Loaded || later.FlightTime != s.FlightTime {
			t.Errorf("it goes on without load: %+v", later)
		}
	})
}

func TestLoweringEndsTheSurplusAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		g := New(t.Context(), func(State) {})
		defer g.Close()
		stream := sleeper(time.Hour, &running, &most)
		g.Set(100, stream, true)
		synctest.Wait()
		g.Set(3, stream, false)
		synctest.Wait()
		if n := running.Load(); n != 3 {
			t.Errorf("%d in flight, want 3", n)
		}
		if s := g.State(); s.InFlight != 3 || s.Asked != 3 || s.Failed != 0 {
			t.Errorf("state %+v", s)
		}
		g.Set(0, stream, false)
		synctest.Wait()
		if n := running.Load(); n != 0 {
			t.Errorf("%d in flight, want none", n)
		}
	})
}

func TestFailuresBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		g := New(t.Context(), func(State) {})
		defer g.Close()
		g.Set(1, func(context.Context) error { calls.Add(1); return errors.New("full") }, true)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		// At 0, 0.25, 0.75, 1.75, 3.75, 7.75 seconds.
		if n := calls.Load(); n != 6 {
			t.Errorf("%d tries in ten seconds, want 6", n)
		}
		if s := g.State(); s.Failed != 6 || s.Err == nil {
			t.Errorf("state %+v", s)
		}
	})
}

// Once no stream is asked for, nothing is told of those that failed.
func TestNoLoadHasNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(t.Context(), func(State) {})
		defer g.Close()
		g.Set(1, func(context.Context) error { time.Sleep(time.Second); return errors.New("HTTP 404") }, true)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		if s := g.State(); s.Err == nil {
			t.Fatalf("state %+v", s)
		}
		g.Set(0, nil, false)
		time.Sleep(10 * time.Second) // one that was in flight fails yet
		synctest.Wait()
		if s := g.State(); s.Failed != 0 || s.Err != nil || s.InFlight != 0 {
			t.Errorf("state %+v", s)
		}
	})
}

// While streams are replaced and their number changes, each new request waits
// for the end of one that it takes the place of.
func TestReplacingNeverAddsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		g := New(t.Context(), func(State) {})
		defer g.Close()
		stream := func(ctx context.Context) error {
			n := running.Add(1)
			defer running.Add(-1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			<-ctx.Done()
			time.Sleep(20 * time.Millisecond) // a request takes a while to end
			return ctx.Err()
		}
		for i := range 40 {
			g.Set(32, stream, true)
			if i%3 == 0 {
				g.Set(8, stream, false)
				g.Set(32, stream, false)
			}
			time.Sleep(time.Duration(i) * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := running.Load(); n != 32 {
			t.Errorf("%d in flight at the end, want 32", n)
		}
		if n := most.Load(); n > 32 {
			t.Errorf("%d at once, want at most 32", n)
		}
		if s := g.State(); s.InFlight != 32 || s.Failed != 0 {
			t.Errorf("state %+v", s)
		}
	})
}

func TestClosingEndsThoseThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		g := New(ctx, func(State) {})
		slow := func(ctx context.Context) error { <-ctx.Done(); time.Sleep(time.Hour); return nil }
		g.Set(4, slow, true)
		synctest.Wait()
		g.Set(4, slow, true)
		synctest.Wait()
		cancel()
		g.Close()
		if s := g.State(); s.InFlight != 0 {
			t.Errorf("state %+v", s)
		}
	})
}

func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		g := New(t.Context(), func(State) {})
		defer g.Close()
		g.Set(1, func(context.Context) error {
			calls.Add(1)
			return &probe.Failure{Kind: probe.FailRateLimit, RetryAfter: 7 * time.Second}
		}, true)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if n := calls.Load(); n != 3 { // at 0, 7 and 14 seconds
			t.Errorf("%d tries in twenty seconds, want 3", n)
		}
	})
}

func TestDrain(t *testing.T) {
	event := "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"usage\":null}\n\n"
	for _, c := range []struct {
		name, body string
		want       Usage
	}{
		{"usage at the end", strings.Repeat(event, 300) + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":300}}\n\ndata: [DONE]\n\n", Usage{9, 300}},
		{"no usage", strings.Repeat(event, 1000), Usage{0, 1000}},
		{"nothing", "", Usage{}},
		{"half a usage", event + `data: {"usage":{"prompt_tok`, Usage{0, 2}},
	} {
		for name, r := range map[string]io.Reader{
			"whole":     strings.NewReader(c.body),
			"bytewise":  iotest.OneByteReader(strings.NewReader(c.body)),
			"data, EOF": iotest.DataErrReader(strings.NewReader(c.body)),
		} {
			if got, err := Drain(r, 1000); err != nil || got != c.want {
				t.Errorf("%s, %s: %+v, %v; want %+v", c.name, name, got, err, c.want)
			}
		}
	}
	cut := errors.New("cut")
	if _, err := Drain(iotest.ErrReader(cut), 1); !errors.Is(err, cut) {
		t.Errorf("a cut stream gives %v", err)
	}
}

func TestAnEndlessStreamIsCut(t *testing.T) {
	endless, events := io.Pipe()
	defer endless.Close()
	go func() {
		for {
			if _, err := io.WriteString(events, "data: {\"choices\":[]}\n\n"); err != nil {
				return
			}
		}
	}()
	if usage, err := Drain(endless, 100); !errors.Is(err, ErrOverrun) || usage.Output != 101 {
		t.Errorf("%+v, %v", usage, err)
	}
}

func BenchmarkDrain(b *testing.B) {
	body := strings.Repeat("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", 256)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Drain(strings.NewReader(body), 1000); err != nil {
			b.Fatal(err)
		}
	}
}
