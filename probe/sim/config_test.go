package sim

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestConfigRefusals(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Config)
		says   string
	}{
		{"no model", func(c *Config) { c.Models = nil }, "has no model"},
		{"a name twice", func(c *Config) { c.Models = append(c.Models, c.Models[0]) }, `two models are named "m"`},
		{"no name", func(c *Config) { c.Models = []Model{{}} }, "has no name"},
		{"no size", func(c *Config) { c.Models = []Model{{Name: "x", Params: 1}} }, `model "x" lacks a size`},
		{"active above total", func(c *Config) { c.Models[0].ActiveParams = 2e9 }, "more active than total"},
		{"no hardware", func(c *Config) { c.Hardware = Hardware{} }, "needs FLOPS and Bandwidth"},
		{"share above 1", func(c *Config) { c.Hardware.ComputeShare = 50 }, "up to 1"},
		{"negative batch", func(c *Config) { c.MaxBatch = -1 }, "max-batch is -1: set it to 1 to 8192"},
		{"budget below batch", func(c *Config) { c.MaxBatch, c.TokenBudget = 64, 32 }, "token-budget (32) is below max-batch (64)"},
		{"negative round trip", func(c *Config) { c.Link.RTT = -1 }, "rtt is -1ns: set it to 0s to 10s"},
		{"endless users", func(c *Config) { c.Users.Rate = math.Inf(1) }, "users is +Inf: set it to 0 to 1000"},
		{"endless tenants", func(c *Config) { c.Tenants = []Users{{Rate: 1e308, PromptTokens: 1, OutputTokens: 1}} }, "tenants[0].rate is 1e+308: set it to 0 to 1000"},
		{"no number", func(c *Config) { c.Link.Loss = math.NaN() }, "loss is NaN"},
		{"trickle", func(c *Config) { c.Link.Bandwidth = 1e-3 }, "bandwidth is 0.000000001: set it to 0.008 to 1000000, or to 0 for no limit"},
		{"users without prompts", func(c *Config) { c.Users.Rate, c.Users.PromptTokens = 1, -1 }, "user-prompt is -1"},
		{"tenants without prompts", func(c *Config) { c.Tenants = []Users{{Rate: 1}} }, "tenants[0].prompt_tokens is 0"},
		{"dialect", func(c *Config) { c.Dialect = 9 }, "Dialect 9"},
		{"fault without kind", func(c *Config) { c.Faults = []Fault{{}} }, "a fault has no kind"},
		{"fault with status 200", func(c *Config) { c.Faults = []Fault{{Kind: FaultStatus, Status: 200}} }, "use one that there is from 400 on"},
		{"fault beyond certainty", func(c *Config) { c.Faults = []Fault{{Kind: FaultCut, Probability: 2}} }, "use 0 to 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := roundConfig()
			tt.change(&cfg)
			s, err := Start(cfg)
			if err == nil {
				s.Close()
				t.Fatal("it was served")
			}
			if !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), `"test"`) {
				t.Errorf("the error is %q, want it to say %q", err, tt.says)
			}
		})
	}
}

// The demo does what it is for: some tens of milliseconds at 256 tokens, much
// more at 8,192, a queue within pressure 64, and each region wins somewhere.
func TestDemo(t *testing.T) {
	demo := Demo()
	if len(demo) != 2 || demo[0].Name == demo[1].Name {
		t.Fatalf("%d endpoints", len(demo))
	}
	ttft := map[string]time.Duration{}
	for _, cfg := range demo {
		cfg = cfg.filled()
		if err := cfg.check(); err != nil {
			t.Fatal(err)
		}
		if cfg.MaxBatch >= 64 {
			t.Errorf("%s: 64 load streams and a probe never queue in %d slots", cfg.Name, cfg.MaxBatch)
		}
		for _, m := range cfg.Models {
			c := cfg.settings(m).costs
			server := func(n int) time.Duration {
				return cfg.Handling + time.Duration(n)*cfg.HandlingPerToken + c.idle(n, 0)
			}
			if short := server(256); short < 5*time.Millisecond || short > 100*time.Millisecond {
				t.Errorf("%s %s: %v of server time at 256 tokens", cfg.Name, m.Name, short)
			}
			if long := server(8192); long < 4*server(256) {
				t.Errorf("%s %s: %v at 8,192 tokens, %v at 256", cfg.Name, m.Name, long, server(256))
			}
			ttft[cfg.Name+" "+m.Name+" short"] = cfg.Link.RTT + server(256)
			ttft[cfg.Name+" "+m.Name+" long"] = cfg.Link.RTT + server(8192)
		}
	}
	if ttft["sim-near sim-8b short"] > ttft["sim-far sim-8b short"] || ttft["sim-near sim-8b long"] < ttft["sim-far sim-8b long"] {
		t.Errorf("near must win short prompts and far long ones: %v", ttft)
	}
}

// One lever of the demo turns on what is off.
func TestDemoLevers(t *testing.T) {
	for _, cfg := range Demo() {
		for _, c := range []func(*Levers){
			func(l *Levers) { l.Users.Rate = 4 }, func(l *Levers) { l.Speculation.Draft = 4 }, func(l *Levers) { l.Policy = Static },
			func(l *Levers) { l.Quantization = INT4 }, func(l *Levers) { l.Replicas = 8 }, func(l *Levers) { l.CacheBlocks = 0 },
		} {
			turned := cfg
			c(&turned.Levers)
			if err := Check(turned); err != nil {
				t.Error(err)
			}
		}
	}
}
