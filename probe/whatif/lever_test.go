package whatif_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ttftop/probe"
	"ttftop/probe/cut"
	"ttftop/probe/prober"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/sim"
	"ttftop/probe/transport"
	"ttftop/probe/whatif"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a session on a simulated endpoint whose levers can really be pulled.
type lab struct {
	t       *testing.T
	prober  *prober.Prober
	results map[int][]*probe.Result // ordinary successes by epoch
	fit     probe.Fit
	stream  time.Duration
	epoch   int
}

func begin(t *testing.T, config sim.Config, k probe.Knobs) *lab {
	t.Helper()
	server, err := sim.Start(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	p, err := prober.New(prober.Config{
		Targets:  []probe.Target{{Name: "sim", Endpoint: testserver.Endpoint(server.URL(), ""), Models: []string{k.Model}}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: time.Minute, LadderFirst: true,
		Dial: func(probe.Target) transport.DialFunc { return server.Dial },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		for range p.Events() {
		}
		<-ended
	})
	return &lab{t: t, prober: p, results: map[int][]*probe.Result{}}
}

// measure waits for so many probes at the knobs, and is what is known then.
func (l *lab) measure(n int, models []string) (whatif.Known, time.Duration) {
	l.t.Helper()
	l.until(func() bool { return len(l.results[l.epoch]) >= n })
	seen := l.results[l.epoch]
	p50, ok := cut.Near(0.5, seen)
	if !ok {
		l.t.Fatal("no p50")
	}
	last := seen[len(seen)-1]
	return whatif.Known{
		P50: p50, Curve: l.fit.Curve, Knobs: last.Knobs, Models: models,
		Prompt: last.PromptTokens, Cached: last.CachedTokens, StreamTime: l.stream,
	}, p50.Total()
}

func (l *lab) take(e probe.Event) {
	switch e := e.(type) {
	case probe.Finished:
		if r := &e.Result; r.Kind == probe.Ordinary && r.Failure == nil {
			l.results[r.Epoch] = append(l.results[r.Epoch], r)
			l.fit = e.Fit
		}
	case probe.Load:
		l.stream = e.StreamTime
	case probe.Changed:
		l.epoch = e.Epoch
	}
}

// turn changes the knobs, in a new epoch.
func (l *lab) turn(change func(*probe.Knobs)) {
	s := l.prober.Settings()
	change(&s.Knobs[0])
	go l.prober.Apply(context.Background(), s)
	was := l.epoch
	l.until(func() bool { return l.epoch > was })
}

// until takes events until something holds.
func (l *lab) until(holds func() bool) {
	l.t.Helper()
	late := time.After(time.Minute)
	for !holds() {
		select {
		case e, ok := <-l.prober.Events():
			if !ok {
				l.t.Fatal("the session ended")
			}
			l.take(e)
		case <-late:
			l.t.Fatalf("never, with %d results", len(l.results[l.epoch]))
		}
	}
}

// Projected, then really done: what the simulated endpoint does is within a
// tenth of what was projected for it, where nothing but the lever moves. The
// step's overhead and the round trip are what the assumptions leave out.
func TestProjectionsHold(t *testing.T) {
	if testing.Short() {
		t.Skip("it probes for some seconds")
	}
	config := sim.Config{
		Name: "sim", Models: []sim.Model{sim.Llama8B.As("sim-8.03b", 1), sim.Llama1B.As("sim-1.24b", 1)}, Hardware: sim.A100, CacheBlocks: 16_384, Dialect: sim.DialectVLLM,
		Handling: 2 * time.Millisecond, Link: sim.Link{RTT: 8 * time.Millisecond}, Seed: 3,
	}
	k := probe.DefaultKnobs
	k.Model, k.PromptTokens, k.Rate, k.MaxTokens = "sim-8.03b", 1500, 4, 8
	const probes = 9
	l := begin(t, config, k)
	known, before := l.measure(probes, []string{"sim-8.03b", "sim-1.24b"})
	if known.Curve == nil {
		t.Fatal("no baseline")
	}
	projected := map[whatif.Lever]whatif.Projection{}
	for _, p := range whatif.Project(known) {
		projected[p.Lever] = p
	}
	for _, c := range []struct {
		lever  whatif.Lever
		pull   func(*probe.Knobs)
		within float64 // of the projection
	}{
		{whatif.Prompt, func(k *probe.Knobs) { k.PromptTokens = 750 }, 0.10},
		{whatif.Caching, func(k *probe.Knobs) { k.PromptTokens, k.Cache = 1500, probe.Warm }, 0.15},
		{whatif.Model, func(k *probe.Knobs) { k.Cache, k.Model = probe.Bust, "sim-1.24b" }, 0.15},
	} {
		l.turn(c.pull)
		_, after := l.measure(probes, nil)
		got := projected[c.lever]
		if !got.P50.OK {
			t.Fatalf("%s: %+v", c.lever, got)
		}
		off := float64(got.P50.At)/float64(after) - 1
		t.Logf("%s (%s): p50 was %v, projected %v (%v to %v), is %v: off by %.1f %%", c.lever, got.Does,
			before.Round(time.Microsecond), got.P50.At.Round(time.Microsecond), got.P50.Lo.Round(time.Microsecond), got.P50.Hi.Round(time.Microsecond), after.Round(time.Microsecond), 100*off)
		if off > c.within || off < -c.within {
			t.Errorf("%s is off by %.0f %%", c.lever, 100*off)
		}
	}
}

// Twice the capacity for a closed loop is half of its streams at each server:
// that can be tried by turning the pressure to a half. Streams of one length
// leave their slots together, and so a probe waits for what is left of a batch
// beside what is ahead of it; the formula knows nothing of that, and says a
// third too much here.
func TestCapacityHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("it probes for some seconds")
	}
	config := sim.Config{
		Name: "sim", Models: []sim.Model{sim.Llama1B.As("sim-1.24b", 1)}, Hardware: sim.A100, MaxBatch: 8, Dialect: sim.DialectVLLM, Seed: 4,
	}
	k := probe.DefaultKnobs
	k.Model, k.PromptTokens, k.Rate, k.MaxTokens, k.Pressure = "sim-1.24b", 64, 2, 2, 40
	l := begin(t, config, k)
	known, before := l.measure(9, nil)
	got := whatif.Project(known)[5]
	if got.Lever != whatif.Capacity || !got.P50.OK {
		t.Fatalf("%+v", got)
	}
	l.turn(func(k *probe.Knobs) { k.Pressure = 20 })
	_, after := l.measure(9, nil)
	off := float64(got.P50.At)/float64(after) - 1
	t.Logf("p50 was %v, projected %v, is %v: off by %.0f %%; a stream takes %v", before, got.P50.At, after, 100*off, known.StreamTime)
	if off > 0.45 || off < -0.2 {
		t.Errorf("off by %.0f %%", 100*off)
	}
}
