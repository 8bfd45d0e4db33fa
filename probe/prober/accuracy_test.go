package prober

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/quantile"
	"ttftop/probe/sim"
	"ttftop/probe/transport"
)

// accuracySteps are the settings that the accuracy is measured at, one after
// the other.
var accuracySteps = []struct{ prompt, pressure int }{{64, 0}, {1024, 0}, {4096, 0}, {1024, 8}, {256, 32}, {4096, 8}, {1024, 64}}

// probesPerStep is how many probes of each step are looked at.
const probesPerStep = 16

// BenchmarkAccuracy runs the prober against the simulator and prints by how
// much its waterfalls differ from the simulator's own books: the absolute error
// as a share of the TTFT, per probe (median and p95) and for the p50 waterfall
// (the worst step).
func BenchmarkAccuracy(b *testing.B) {
	for _, c := range []struct {
		name    string
		dialect sim.Dialect
	}{{"estimated", sim.DialectNone}, {"reported", sim.DialectVLLM}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				accuracy(b, c.dialect)
			}
		})
	}
}

func accuracy(b *testing.B, dialect sim.Dialect) {
	config := sim.Demo()[0]
	config.Dialect = dialect
	server, err := sim.Start(config)
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	k := probe.DefaultKnobs
	k.Model, k.Rate, k.PromptTokens = config.Models[0].Name, 4, accuracySteps[0].prompt
	p, err := New(Config{
		Targets:  []probe.Target{{Name: "sim", Endpoint: testserver.Endpoint(server.URL(), ""), Models: []string{k.Model}}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: time.Minute, LadderFirst: true,
		Dial: func(probe.Target) transport.DialFunc { return server.Dial },
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go p.Run(ctx)
	steps := make([][]*probe.Result, len(accuracySteps))
	for e := range p.Events() {
		f, ok := e.(probe.Finished)
		if !ok || f.Result.Kind != probe.Ordinary || f.Result.Failure != nil || f.Result.Epoch >= len(steps) {
			continue
		}
		at := f.Result.Epoch
		steps[at] = append(steps[at], &f.Result)
		if len(steps[at]) == probesPerStep {
			if at+1 == len(steps) {
				cancel()
				continue
			}
			next := k
			next.PromptTokens, next.Pressure = accuracySteps[at+1].prompt, accuracySteps[at+1].pressure
			go p.Apply(ctx, probe.Settings{Knobs: []probe.Knobs{next}})
		}
	}
	report(b, server, steps)
}

// report compares the cuts with the truth.
func report(b *testing.B, server *sim.Server, steps [][]*probe.Result) {
	for _, part := range []probe.Part{probe.HandlingPart, probe.QueuePart, probe.PrefillPart, probe.FirstDecodePart} {
		var each []float64
		worst := 0.0
		for _, results := range steps {
			var truth []float64
			var uncut int
			for _, r := range results {
				if r.Waterfall.Of(probe.ServerPart) > 0 {
					uncut++
					continue
				}
				t := truthOf(b, server, r, part)
				truth = append(truth, float64(t)/float64(r.TTFT().At))
				each = append(each, share(r.Waterfall.Of(part)-t, r.TTFT().At))
			}
			if w, ok := cut.Near(0.5, results); ok && uncut == 0 {
				slices.Sort(truth)
				worst = max(worst, abs(float64(w.Of(part))/float64(w.Total())-truth[quantile.Rank(0.5, len(truth))]))
			}
		}
		slices.Sort(each)
		if len(each) == 0 {
			b.Fatal("no probe was cut")
		}
		name := map[probe.Part]string{probe.FirstDecodePart: "decode"}[part]
		if name == "" {
			name = string(part)
		}
		for _, q := range []float64{0.5, 0.95} {
			b.ReportMetric(100*each[quantile.Rank(q, len(each))], fmt.Sprintf("%%%s-p%.0f", name, 100*q))
		}
		b.ReportMetric(100*worst, "%"+name+"-of-p50")
	}
	b.ReportMetric(0, "ns/op")
}

func truthOf(b *testing.B, server *sim.Server, r *probe.Result, part probe.Part) time.Duration {
	t, ok := server.Truth(r.RequestID)
	if !ok {
		b.Fatalf("the simulator does not know request %q", r.RequestID)
	}
	return map[probe.Part]time.Duration{
		probe.HandlingPart: t.Handling, probe.QueuePart: t.Queue, probe.PrefillPart: t.Prefill, probe.FirstDecodePart: t.FirstDecode,
	}[part]
}

func share(d, of time.Duration) float64 { return abs(float64(d) / float64(of)) }

func abs(v float64) float64 { return max(v, -v) }
