package prober

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/quantile"
	"ttftop/probe/sim"
	"ttftop/probe/transport"
)

// setting is what is probed: so many prompt tokens, amid so many load streams.
type setting struct{ length, pressure int }

// accuracySessions are what the accuracy is measured at: in each the knobs are
// turned from setting to setting.
var accuracySessions = []struct {
	name  string
	rate  float64 // probes per second
	steps []setting
}{
	{"16,384 tokens", 0.5, pressures(16384)}, // each takes the server two thirds of a second
	{"32 tokens", 2, pressures(32)},
	{"256 tokens", 2, pressures(256)},
	{"1,024 tokens", 2, pressures(1024)},
	{"4,096 tokens", 2, pressures(4096)},
	{"lengths turned under load", 2, []setting{{256, 16}, {32, 16}, {1024, 16}, {4096, 16}, {8192, 16}}},
	{"probed faster than it can serve", 8, []setting{{4096, 0}, {4096, 4}, {2048, 4}, {4096, 0}}},
}

func pressures(length int) []setting {
	return []setting{{length, 0}, {length, 4}, {length, 16}, {length, 64}}
}

const (
	probesPerStep  = 20
	sessionsAtOnce = 2 // more, and two cores are busy enough to be seen
)

// accurate is the server that the accuracy is measured on: an 8B model on an
// H100, with the handling, the jitter and the batch limit of the demo's near
// endpoint.
func accurate(d sim.Dialect) sim.Config {
	c := sim.Demo()[0]
	c.Hardware, c.Dialect = sim.H100, d
	return c
}

// BenchmarkAccuracy runs the prober against the simulator and prints by how
// much its waterfalls differ from the simulator's own books: the absolute error
// as a share of the TTFT, per probe (median and p95) and for the p50 waterfall
// of each setting (median and worst setting). Contention counts as queue in
// both.
func BenchmarkAccuracy(b *testing.B) {
	for _, c := range []struct {
		name    string
		dialect sim.Dialect
	}{{"estimated", sim.DialectNone}, {"reported", sim.DialectVLLM}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				printAccuracy(b, sessions(b, accurate(c.dialect)))
			}
		})
	}
}

// sessions runs all sessions and returns their settings in order.
func sessions(b *testing.B, config sim.Config) []*judged {
	out := make([][]*judged, len(accuracySessions))
	var wait sync.WaitGroup
	free := make(chan struct{}, sessionsAtOnce)
	for i, s := range accuracySessions {
		wait.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			out[i] = accuracySession(b, config, probe.Bust, s.rate, s.steps)
			for _, j := range out[i] {
				j.session = s.name
			}
		})
	}
	wait.Wait()
	return slices.Concat(out...)
}

// judged is the probes of one setting beside the truth of each.
type judged struct {
	session     string
	setting     setting
	cut, truth  []*probe.Result
	whole, open int // probes that stayed one server segment; whose queue is "at least"
}

func accuracySession(b *testing.B, config sim.Config, cache probe.Cache, rate float64, settings []setting) []*judged {
	server, err := sim.Start(config)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer server.Close()
	return judge(b, subject{
		endpoint: testserver.Endpoint(server.URL(), ""), model: config.Models[0].Name, truth: server.Truth, dial: server.Dial, cache: cache,
	}, rate, settings)
}

// subject is a server that keeps books.
type subject struct {
	endpoint *probe.Endpoint
	model    string
	truth    func(requestID string) (sim.Truth, bool)
	dial     transport.DialFunc // nil for the real network
	cache    probe.Cache        // "" for unique prompts
}

// judge probes a server in one session, with the knobs turned from setting to
// setting.
func judge(b *testing.B, on subject, rate float64, settings []setting) []*judged {
	k := probe.DefaultKnobs
	if on.cache != "" {
		k.Cache = on.cache
	}
	k.Model, k.Rate, k.PromptTokens, k.Pressure = on.model, rate, settings[0].length, settings[0].pressure
	p, err := New(Config{
		Targets:  []probe.Target{{Name: "judged", Endpoint: on.endpoint, Models: []string{k.Model}}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 5 * time.Minute, LadderFirst: true,
		Dial: func(probe.Target) transport.DialFunc { return on.dial },
	})
	if err != nil {
		b.Error(err)
		return nil
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go p.Run(ctx)
	steps := make([]*judged, len(settings))
	for i, s := range settings {
		steps[i] = &judged{setting: s}
	}
	for e := range p.Events() {
		f, ok := e.(probe.Finished)
		if !ok || f.Result.Kind != probe.Ordinary || f.Result.Failure != nil || f.Result.Has(probe.FlagClockStep) || f.Result.Epoch >= len(steps) {
			continue
		}
		step := steps[f.Result.Epoch]
		if t, ok := on.truth(f.Result.RequestID); ok {
			step.add(&f.Result, t)
		}
		if len(step.cut) != probesPerStep {
			continue
		}
		if f.Result.Epoch+1 == len(steps) {
			cancel()
			continue
		}
		next := k
		next.PromptTokens, next.Pressure = settings[f.Result.Epoch+1].length, settings[f.Result.Epoch+1].pressure
		go p.Apply(ctx, probe.Settings{Knobs: []probe.Knobs{next}})
	}
	return steps
}

// add puts a probe beside the truth of it.
func (j *judged) add(r *probe.Result, t sim.Truth) {
	j.cut = append(j.cut, r)
	if r.Waterfall.Of(probe.ServerPart) > 0 {
		j.whole++
	}
	if r.Has(probe.FlagAtLeast) {
		j.open++
	}
	j.truth = append(j.truth, &probe.Result{Timeline: r.Timeline, Waterfall: probe.Waterfall{
		{Name: probe.RTT, Duration: max(0, r.TTFT().At-t.Server())}, {Name: probe.Handling, Duration: t.Handling},
		{Name: probe.Queue, Duration: t.Queue}, {Name: probe.Prefill, Duration: t.Prefill}, {Name: probe.FirstDecode, Duration: t.FirstDecode},
	}})
}

// judgedParts are the parts whose truth the simulator knows.
var judgedParts = []probe.Part{probe.HandlingPart, probe.QueuePart, probe.PrefillPart, probe.FirstDecodePart}

// each is the errors of a part, per probe that was cut, as shares of the TTFT.
func (j *judged) each(part probe.Part) []float64 {
	var out []float64
	for i, r := range j.cut {
		if r.Waterfall.Of(probe.ServerPart) == 0 {
			out = append(out, math.Abs(float64(r.Waterfall.Of(part)-j.truth[i].Waterfall.Of(part))/float64(r.TTFT().At)))
		}
	}
	slices.Sort(out)
	return out
}

// median is the error of a part in the p50 waterfall, as a share of it: the
// truth is that of the same probes. It is not ok where that is not cut.
func (j *judged) median(part probe.Part) (float64, bool) {
	got, ok := cut.Near(0.5, j.cut)
	want, _ := cut.Near(0.5, j.truth)
	if !ok || got.Of(probe.ServerPart) > 0 {
		return 0, false
	}
	return math.Abs(float64(got.Of(part)-want.Of(part)) / float64(got.Total())), true
}

// at is the quantile q of shares in ascending order, in per cent.
func percentAt(q float64, sorted []float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return 100 * sorted[quantile.Rank(q, len(sorted))]
}

// printAccuracy prints the table and reports the figures over all settings.
func printAccuracy(b *testing.B, steps []*judged) {
	var table strings.Builder
	fmt.Fprintf(&table, "\nerrors in %% of the TTFT: median/p95 per probe, then of the p50 waterfall\n%6s %8s %10s", "tokens", "pressure", "TTFT p50")
	for _, part := range judgedParts {
		fmt.Fprintf(&table, " %22s", part)
	}
	for i, j := range steps {
		if i == 0 || j.session != steps[i-1].session {
			fmt.Fprintf(&table, "\n%s", j.session)
		}
		ttft := quantile.Of(0.5, ttfts(j.cut), 0, 0).At
		fmt.Fprintf(&table, "\n%6d %8d %7.0f ms", j.setting.length, j.setting.pressure, float64(ttft)/1e6)
		for _, part := range judgedParts {
			each := j.each(part)
			w, _ := j.median(part)
			fmt.Fprintf(&table, " %8.2f /%5.2f /%5.2f", percentAt(0.5, each), percentAt(0.95, each), 100*w)
		}
		fmt.Fprintf(&table, "  %d probes, %d whole, %d at least", len(j.cut), j.whole, j.open)
	}
	fmt.Println(table.String()) // b.Log would cut it off
	for _, part := range judgedParts {
		var each, medians []float64
		for _, j := range steps {
			each = append(each, j.each(part)...)
			if w, ok := j.median(part); ok {
				medians = append(medians, w)
			}
		}
		slices.Sort(each)
		slices.Sort(medians)
		name := strings.ReplaceAll(string(part), " ", "-")
		b.ReportMetric(percentAt(0.5, each), "%"+name+"-p50")
		b.ReportMetric(percentAt(0.95, each), "%"+name+"-p95")
		b.ReportMetric(percentAt(0.5, medians), "%"+name+"-of-p50")
		b.ReportMetric(percentAt(1, medians), "%"+name+"-of-p50-worst")
	}
	b.ReportMetric(0, "ns/op")
}

func ttfts(results []*probe.Result) []time.Duration {
	var all []time.Duration
	for _, r := range results {
		all = append(all, r.TTFT().At)
	}
	slices.Sort(all)
	return all
}
