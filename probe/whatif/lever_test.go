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
	t       testing.TB
	prober  *prober.Prober
	server  *sim.Server
	since   time.Time               // results of probes begun before are left out
	results map[int][]*probe.Result // ordinary successes by epoch
	fit     probe.Fit
	stream  time.Duration
	epoch   int
}

func begin(t testing.TB, config sim.Config, k probe.Knobs) *lab {
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
	return &lab{t: t, prober: p, server: server, results: map[int][]*probe.Result{}}
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
		if r := &e.Result; r.Kind == probe.Ordinary && r.Failure == nil && r.At.After(l.since) {
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

// pull pulls a lever of the server: what was seen before is forgotten.
func (l *lab) pull(lever, value string) {
	l.t.Helper()
	if err := l.server.Set(lever, value); err != nil {
		l.t.Fatal(err)
	}
	l.since, l.results[l.epoch] = time.Now(), nil
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

// Projected, then really done: what the simulated endpoint does when a lever is
// pulled, beside what was projected for it. It runs once, whatever b.N.
func BenchmarkProjections(b *testing.B) {
	config := sim.Config{
		Name: "sim", Models: []sim.Model{sim.Llama8B.As("sim-8.03b", 1), sim.Llama1B.As("sim-1.24b", 1)}, Hardware: sim.A100, Dialect: sim.DialectVLLM,
		Handling: 2 * time.Millisecond, Seed: 3, Levers: sim.Levers{CacheBlocks: 16_384, Link: sim.Link{RTT: 40 * time.Millisecond}, Speculation: sim.Speculation{Acceptance: 0.7, Cost: 0.05}},
	}
	k := probe.DefaultKnobs
	k.Model, k.PromptTokens, k.Rate, k.MaxTokens = "sim-8.03b", 1500, 4, 8
	const probes = 9
	l := begin(b, config, k)
	known, before := l.measure(probes, []string{"sim-8.03b", "sim-1.24b"})
	if known.Curve == nil {
		b.Fatal("no baseline")
	}
	projected := map[whatif.Lever]whatif.Projection{}
	for _, p := range whatif.Project(known) {
		projected[p.Lever] = p
	}
	off, on := func(s *lab) { s.pull("draft-tokens", "0") }, func(s *lab) { s.pull("draft-tokens", "4") }
	for _, c := range []struct {
		lever whatif.Lever
		pull  func(*lab)
		back  func(*lab) // nil where the next lever sets all that it needs
	}{
		{whatif.Speculation, on, off},
		{whatif.Quantization, func(l *lab) { l.pull("quantization", "int8") }, func(l *lab) { l.pull("quantization", "fp16") }},
		{whatif.Region, func(l *lab) { l.pull("rtt", "10ms") }, func(l *lab) { l.pull("rtt", "40ms") }},
		{whatif.Prompt, func(l *lab) { l.turn(func(k *probe.Knobs) { k.PromptTokens = 750 }) }, nil},
		{whatif.Caching, func(l *lab) { l.turn(func(k *probe.Knobs) { k.PromptTokens, k.Cache = 1500, probe.Warm }) }, nil},
		{whatif.Model, func(l *lab) { l.turn(func(k *probe.Knobs) { k.Cache, k.Model = probe.Bust, "sim-1.24b" }) }, nil},
	} {
		c.pull(l)
		_, after := l.measure(probes, nil)
		if c.back != nil {
			c.back(l)
		}
		got := projected[c.lever]
		if !got.P50.OK {
			b.Fatalf("%s: %+v", c.lever, got)
		}
		ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
		b.Logf("%s (%s): p50 was %.1f ms, projected %.1f (%.1f to %.1f), is %.1f: off by %.1f %%", c.lever, got.Does,
			ms(before), ms(got.P50.At), ms(got.P50.Lo), ms(got.P50.Hi), ms(after), 100*(float64(got.P50.At)/float64(after)-1))
	}
}

// Twice the capacity for a closed loop: a second replica. Streams of one length
// leave their slots together, and so a probe waits for what is left of a batch
// beside what is ahead of it; the formula knows nothing of that, and is cautious by
// some 40 %. It runs once, whatever b.N.
func BenchmarkCapacity(b *testing.B) {
	config := sim.Config{
		Name: "sim", Models: []sim.Model{sim.Llama1B.As("sim-1.24b", 1)}, Hardware: sim.A100, Dialect: sim.DialectVLLM, Seed: 4,
		Levers: sim.Levers{MaxBatch: 8},
	}
	k := probe.DefaultKnobs
	k.Model, k.PromptTokens, k.Rate, k.MaxTokens, k.Pressure = "sim-1.24b", 64, 2, 4, 40
	l := begin(b, config, k)
	known, before := l.measure(9, nil)
	got := whatif.Project(known)[4]
	if got.Lever != whatif.Capacity || !got.P50.OK {
		b.Fatalf("%+v", got)
	}
	l.pull("replicas", "2")
	l.measure(8, nil) // those that waited at the first replica go on there
	l.pull("replicas", "2")
	_, after := l.measure(9, nil)
	off := float64(got.P50.At)/float64(after) - 1
	b.Logf("p50 was %v, projected %v, is %v: off by %.0f %%; a stream takes %v", before, got.P50.At, after, 100*off, known.StreamTime)
}
