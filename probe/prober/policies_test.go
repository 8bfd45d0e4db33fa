package prober

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/sim"
)

// policySettings are those that each policy is probed at.
var policySettings = []setting{{1024, 0}, {1024, 4}, {1024, 16}, {256, 16}}

// policies are ways in which a server may be run, each a change of the accurate
// one.
var policies = []struct {
	name   string
	cache  probe.Cache
	change func(*sim.Config)
}{
	{"continuous, first come", probe.Bust, func(*sim.Config) {}},
	{"static batching", probe.Bust, func(c *sim.Config) { c.Policy, c.BatchWait, c.MaxBatch = sim.Static, 100*time.Millisecond, 8 }},
	{"shortest prompt first, 8 slots", probe.Bust, func(c *sim.Config) { c.Order, c.MaxBatch = sim.ShortestPrompt, 8 }},
	{"drafts of 4 at 70 %", probe.Bust, func(c *sim.Config) { c.Speculation = sim.Speculation{Draft: 4, Acceptance: 0.7, Cost: 0.05} }},
	{"memory for 8,600 tokens", probe.Bust, func(c *sim.Config) { // 0.9 × 19.1 GB less 16.06 GB of weights
		c.Models, c.Hardware.Memory, c.ContextTokens, c.CacheBlocks = c.Models[:1], 19.1e9, 4000, 0
	}},
	{"prefix cache, warm prompts", probe.Warm, func(*sim.Config) {}},
	{"fp8 weights", probe.Bust, func(c *sim.Config) { c.Quantization = sim.FP8 }},
	{"two replicas", probe.Bust, func(c *sim.Config) { c.Replicas = 2 }},
}

// BenchmarkPolicies prints how accurate waterfalls are under other ways to run a
// server than the usual one, estimated and as the server reports: errors in per
// cent of the TTFT, median and p95 per probe.
func BenchmarkPolicies(b *testing.B) {
	for _, d := range []struct {
		name    string
		dialect sim.Dialect
	}{{"estimated", sim.DialectNone}, {"reported", sim.DialectVLLM}} {
		b.Run(d.name, func(b *testing.B) {
			for b.Loop() {
				printPolicies(b, d.dialect)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func printPolicies(b *testing.B, d sim.Dialect) {
	rows := make([][]*judged, len(policies))
	var wait sync.WaitGroup
	free := make(chan struct{}, sessionsAtOnce)
	for i, p := range policies {
		wait.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			config := accurate(d)
			p.change(&config)
			rows[i] = accuracySession(b, config, p.cache, 2, policySettings)
		})
	}
	wait.Wait()
	fmt.Printf("\n%-32s %6s %8s %9s", "errors in % of the TTFT", "tokens", "pressure", "TTFT p50")
	for _, part := range judgedParts {
		fmt.Printf(" %16s", part)
	}
	fmt.Printf(" %7s %9s\n", "server", "at-least")
	for i, p := range policies {
		for n, j := range rows[i] {
			name := p.name
			if n > 0 {
				name = ""
			}
			fmt.Printf("%-32s", name)
			printPolicy(j)
		}
	}
}

func printPolicy(j *judged) {
	all := ttfts(j.cut)
	if len(all) == 0 {
		fmt.Printf(" %6d %8d: no probe\n", j.setting.length, j.setting.pressure)
		return
	}
	fmt.Printf(" %6d %8d %6.0f ms", j.setting.length, j.setting.pressure, float64(all[len(all)/2])/1e6)
	for _, part := range judgedParts {
		each := j.each(part)
		fmt.Printf(" %7.1f /%7.1f", percentAt(0.5, each), percentAt(0.95, each))
	}
	fmt.Printf(" %7d %9d\n", j.whole, j.open)
}
