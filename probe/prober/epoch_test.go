package prober

import (
	"context"
	"sync"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// gate is a test server whose answers wait for leave.
type gate struct {
	*testserver.Server
	open chan struct{}
}

// gated serves short answers; from the first ordinary request on each waits
// for leave.
func gated(t *testing.T) *gate {
	g := &gate{open: make(chan struct{})}
	g.Server = testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.MaxTokens == fast().MaxTokens {
			select {
			case <-g.open:
			case <-r.Context().Done():
				return
			}
		}
		a.Short()
	})
	return g
}

// Probes in flight finish in the epoch they began in, with the knobs of then.
func TestProbesFinishInTheirEpoch(t *testing.T) {
	g := gated(t)
	k := fast()
	r := begin(t, onto(g.Server, k))
	r.until("probes in flight", func(events []probe.Event) bool { return ordinaryBegun(events) >= 2 })
	r.turn(func(k *probe.Knobs) { k.PromptTokens = 256 })
	r.until("a probe of the next epoch", func(events []probe.Event) bool {
		begun := of[probe.Started](events)
		return begun[len(begun)-1].Epoch == 1
	})
	close(g.open)
	r.until("results of both", func(events []probe.Event) bool {
		all := results(events, probe.Ordinary)
		return len(all) > 0 && all[len(all)-1].Epoch == 1
	})
	r.stop()
	counts := map[int]int{}
	for _, res := range results(r.events(), probe.Ordinary) {
		counts[res.Epoch]++
		if want := []int{64, 256}[res.Epoch]; res.Knobs.PromptTokens != want {
			t.Errorf("a probe of epoch %d has the knobs %+v", res.Epoch, res.Knobs)
		}
	}
	if counts[0] < 2 || counts[1] < 1 {
		t.Errorf("results by epoch: %v", counts)
	}
	checkEvents(t, r.events())
}

func ordinaryBegun(events []probe.Event) int {
	n := 0
	for _, e := range of[probe.Started](events) {
		if e.Kind == probe.Ordinary {
			n++
		}
	}
	return n
}

// Several turns before a probe begins make one epoch, whose Before tells the
// whole way.
func TestTurnsMakeOneEpoch(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	r := begin(t, onto(s, fast()))
	r.ordinary(2)
	r.pause(true) // so that nothing begins between the turns
	for _, n := range []int{128, 512, 256} {
		r.turn(func(k *probe.Knobs) { k.PromptTokens = n })
	}
	r.turn(func(k *probe.Knobs) { k.Pressure = 1 })
	r.pause(false)
	r.until("a probe of the epoch", func(events []probe.Event) bool {
		all := results(events, probe.Ordinary)
		return all[len(all)-1].Epoch == 1
	})
	r.stop()
	changes := of[probe.Changed](r.events())
	if len(changes) != 6 {
		t.Fatalf("%d changes, want 6: %+v", len(changes), changes)
	}
	for i, c := range changes[1:5] {
		if c.Epoch != 1 || c.Before.Knobs[0].PromptTokens != 64 || c.Before.Knobs[0].Pressure != 0 {
			t.Errorf("turn %d: epoch %d, before %+v", i, c.Epoch, c.Before.Knobs[0])
		}
	}
	if k := changes[4].Settings.Knobs[0]; k.PromptTokens != 256 || k.Pressure != 1 {
		t.Errorf("the last turn: %+v", k)
	}
	for i, c := range []probe.Changed{changes[0], changes[5]} { // pausing is no turn
		if c.Epoch != i || c.Before.Paused == c.Settings.Paused || c.Before.Knobs[0] != c.Settings.Knobs[0] {
			t.Errorf("pausing: %+v", c)
		}
	}
	checkEvents(t, r.events())
}

// A change of the SLO is told, and begins no epoch.
func TestSLOIsNoTurn(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	r := begin(t, onto(s, fast()))
	r.until("a probe", func(events []probe.Event) bool { return len(results(events, probe.Ordinary)) > 0 })
	next := r.Prober.Settings()
	next.SLO = []probe.SLO{{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: time.Second}}
	r.Prober.Apply(t.Context(), next)
	r.Prober.Apply(t.Context(), next)
	r.stop()
	changes := of[probe.Changed](r.events())
	if len(changes) != 1 || changes[0].Epoch != 0 || len(changes[0].Settings.SLO) != 1 || len(changes[0].Before.SLO) != 0 {
		t.Errorf("%+v", changes)
	}
}

// Markers are told in order; clearing begins an epoch that nothing was turned
// for, and a turn after it is from the knobs as they were.
func TestMarkAndClear(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	r := begin(t, onto(s, fast()))
	r.until("a probe", func(events []probe.Event) bool { return len(results(events, probe.Ordinary)) > 0 })
	r.Prober.Mark(t.Context(), "deploy")
	r.Prober.Clear(t.Context())
	r.until("a probe of the new epoch", func(events []probe.Event) bool {
		all := results(events, probe.Ordinary)
		return all[len(all)-1].Epoch == 1
	})
	was := r.Prober.Settings().Knobs[0].Pressure
	r.turn(func(k *probe.Knobs) { k.Pressure = 1 })
	r.stop()
	marks, clears, changes := of[probe.Marked](r.events()), of[probe.Cleared](r.events()), of[probe.Changed](r.events())
	if len(marks) != 1 || marks[0].Note != "deploy" || len(clears) != 1 || clears[0].Epoch != 1 {
		t.Fatalf("%+v, %+v", marks, clears)
	}
	if len(changes) != 1 || changes[0].Epoch != 2 || changes[0].Before.Knobs[0].Pressure != was {
		t.Errorf("%+v", changes)
	}
	r.Prober.Mark(t.Context(), "too late")
	r.Prober.Clear(t.Context())
}

// However knobs are turned, a probe has the knobs that its epoch was told with.
func TestEpochsUnderConstantTurning(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	k := fast()
	k.Rate = 500
	r := begin(t, onto(s, k))
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 25 {
				r.turn(func(k *probe.Knobs) { k.PromptTokens = rungs[(worker+i)%len(rungs)] })
				time.Sleep(3 * time.Millisecond)
			}
		})
	}
	wait.Wait()
	r.stop()
	checkEvents(t, r.events())
	asked := map[int]int{0: k.PromptTokens}
	for _, e := range r.events() {
		switch e := e.(type) {
		case probe.Changed:
			asked[e.Epoch] = e.Settings.Knobs[0].PromptTokens
		case probe.Finished:
			if res := e.Result; res.Kind == probe.Ordinary && res.Knobs.PromptTokens != asked[res.Epoch] {
				t.Errorf("a probe of %d tokens in epoch %d of %d", res.Knobs.PromptTokens, res.Epoch, asked[res.Epoch])
			}
		}
	}
}

// Pausing starts nothing new and ends the load streams; nothing of the pause
// is booked as lag.
func TestPause(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Load() {
			a.Hold()
			return
		}
		a.Short()
	})
	k := fast()
	k.Pressure = 6
	r := begin(t, onto(s, k))
	r.ordinary(3)
	eventually(t, "six load streams", func() bool { now, _ := s.Load(); return now == 6 })
	r.pause(true)
	eventually(t, "no load stream", func() bool { now, _ := s.Load(); return now == 0 })
	time.Sleep(600 * time.Millisecond)
	paused := false
	for _, e := range r.events() {
		switch e := e.(type) {
		case probe.Changed:
			paused = e.Settings.Paused
		case probe.Started:
			if paused {
				t.Errorf("probe %d begins during the pause", e.Seq)
			}
		}
	}
	before := len(results(r.events(), probe.Ordinary))
	r.pause(false)
	all := r.ordinary(before + 3)
	for _, res := range all[before:] {
		if res.Lag > 300*time.Millisecond {
			t.Errorf("a lag of %v after the pause", res.Lag)
		}
	}
	eventually(t, "the load again", func() bool { now, _ := s.Load(); return now == 6 })
}

// Values that can't be are moved into their bounds; a change of nothing is
// none.
func TestApplyTakesOnlyWhatCanBe(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	k := fast()
	k.PromptTokens = 1
	r := begin(t, onto(s, k))
	r.ordinary(1)
	r.Apply(context.Background(), r.Settings())
	r.Apply(context.Background(), probe.Settings{})
	if n := len(of[probe.Changed](r.events())); n != 0 {
		t.Errorf("%d changes of nothing", n)
	}
	r.pause(true) // so many streams are not to run
	r.turn(func(k *probe.Knobs) {
		*k = probe.Knobs{PromptTokens: -3, Pressure: 100_000, MaxTokens: 0, Rate: 0, CacheShare: 7, Cache: probe.Bust, Conn: probe.WarmConn}
	})
	want := probe.Knobs{Model: "m", PromptTokens: 1, Pressure: probe.MaxPressure, MaxTokens: 1, Rate: 50, CacheShare: 1, Cache: probe.Bust, Conn: probe.WarmConn}
	if got := r.Settings().Knobs[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
