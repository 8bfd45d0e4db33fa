package tui

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/probe/prober"
	"ttftop/probe/session"
	"ttftop/probe/tally"
	"ttftop/views"
)

// busySnapshot is what is shown of 12 targets that have sent 100,000 probes.
func busySnapshot(tb testing.TB, v mode) views.Snapshot {
	tb.Helper()
	const probesSent = 100_000
	var targets []probe.Target
	for i := range 12 {
		targets = append(targets, targetAt(tb, fmt.Sprintf("target-%d.example.com", i), atReal, "model"))
	}
	s, err := session.New(session.Config{Prober: prober.Config{Targets: targets, Settings: settingsFor(targets), Timeout: 30 * time.Second}})
	if err != nil {
		tb.Fatal(err)
	}
	var start time.Time
	s.View(func(t *tally.Tally, _ error) {
		start = t.Start()
		r := rand.New(rand.NewPCG(5, 6))
		for i := range probesSent {
			t.Fold(probe.Finished{Result: busyResult(r, i, start), Fit: probe.Fit{
				Fixed: probe.At(20 * ms), Per1k: probe.At(80 * ms), Line: []probe.LinePoint{{Tokens: 16, Cost: 21 * ms}, {Tokens: 8192, Cost: 700 * ms}},
			}})
		}
		for i := range targets {
			t.Fold(probe.Started{Seq: probesSent + i, Target: i, Kind: probe.Ordinary, At: start.Add(probesSent * 100 * time.Millisecond)})
		}
	})
	m := model{targets: targets, settings: settingsFor(targets), theme: looks(tb)["dark"], mode: v}
	m.state = gather(s, targets, "session.jsonl", start.Add(probesSent*100*time.Millisecond+50*ms))
	m.table.update(m.state, targets)
	if v == compare {
		busyContest(targets).lay(m.state)
	}
	return m.snapshot()
}

// busyContest is a comparison that takes no more pairs.
func busyContest(targets []probe.Target) *contest {
	s := settingsFor(targets)
	s.Pairs = probe.Pairs{On: true, A: 0, B: 1, Order: probe.Together}
	c := newContest(targets, s, ab.Config{})
	r := rand.New(rand.NewPCG(7, 8))
	start := time.Now()
	for i := range 2 * mostPairs {
		res := busyResult(r, i, start)
		res.Kind, res.Pair, res.Side, res.Target = probe.Ordinary, 1+i/2, i%2, i%2
		c.note(probe.Finished{Result: res}, nil)
	}
	return c
}

// BenchmarkContest measures how long it takes to lay a full comparison into a
// frame, after a pair and without one.
func BenchmarkContest(b *testing.B) {
	targets := []probe.Target{targetAt(b, "near", atReal, "m"), targetAt(b, "far", atReal, "m")}
	c := busyContest(targets)
	b.Run("lay", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var st state
			c.shown = nil
			c.lay(&st)
		}
	})
	b.Run("lay_unchanged", func(b *testing.B) {
		for b.Loop() {
			var st state
			c.lay(&st)
		}
	})
}

// busyResult is the probe number i of a session with ten probes a second.
func busyResult(r *rand.Rand, i int, start time.Time) probe.Result {
	ttft := time.Duration(100+300*r.ExpFloat64()) * ms
	p := probe.Result{
		Seq: i, At: start.Add(time.Duration(i) * 100 * time.Millisecond), Target: i % 12, Kind: probe.Ordinary,
		PromptTokens: 16 << r.IntN(9), PromptExact: true, OutputTokens: 16, FirstTokens: 1, Clock: probe.KernelClock, Address: "192.0.2.1:443",
	}
	p.Timeline.Sent, p.Timeline.FirstToken, p.Timeline.Done = probe.At(0), probe.At(ttft), probe.At(2*ttft)
	p.Waterfall = probe.Waterfall{
		{Name: probe.RTT, Duration: 10 * ms, Source: probe.Measured}, {Name: probe.Queue, Duration: ttft - 90*ms, Source: probe.Reported},
		{Name: probe.Prefill, Duration: 70 * ms, Source: probe.Reported}, {Name: probe.FirstDecode, Duration: 10 * ms, Source: probe.Estimated},
	}
	if i%50 == 0 {
		p.Failure, p.Waterfall, p.Timeline = &probe.Failure{Kind: probe.FailTimeout, Message: "no first token within 30 s"}, nil, probe.Timeline{}
	}
	return p
}
