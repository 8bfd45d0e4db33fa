package sim

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// tight is a bed with memory for so many blocks of 10 tokens.
func tight(t *testing.T, blocks, cache int) *bed {
	return newBedOf(t, settings{
		costs:    costs{model: round.Model, hardware: round.Hardware, budget: 1000},
		maxBatch: 10, kvBlocks: blocks, cacheSize: cache,
	})
}

// A prompt waits for memory, though there is a slot for it.
func TestAdmissionWaitsForMemory(t *testing.T) {
	b := tight(t, 10, 0)
	first := b.queue(0, 1, 60, 5)
	second := b.queue(0, 2, 50, 1)
	third := b.queue(0, 3, 10, 1)
	b.all()
	near(t, "first token", b.since(first.first), 60*time.Millisecond)
	near(t, "second scheduled", b.since(second.scheduled), b.since(first.last))
	// First come first served: the small one does not overtake.
	near(t, "third scheduled", b.since(third.scheduled), b.since(second.scheduled))
}

// Where answers outgrow the memory, the request that came last gives its up,
// waits, and computes its prompt and its answer so far anew. No token is lost
// and none comes twice.
func TestPreemption(t *testing.T) {
	b := tight(t, 10, 0)
	first := b.queue(0, 1, 40, 40)
	second := b.queue(0, 2, 40, 40)
	b.all()
	if b.preempted == 0 {
		t.Fatal("nothing was preempted")
	}
	if first.ready.Load() != 40 || second.ready.Load() != 40 {
		t.Errorf("%d and %d tokens, want 40 each", first.ready.Load(), second.ready.Load())
	}
	// Both fit to 50 tokens each: one prompt step and 10 decodes. The first goes
	// on alone: 80 ms, and 39 decodes of 10 ms.
	near(t, "first ends", b.since(first.last), 470*time.Millisecond)
	if b.pool.used != 0 {
		t.Errorf("%d blocks are used by nobody", b.pool.used)
	}
	// The second then computes its 40 + 11 tokens, which yields the twelfth, and
	// has 28 to go.
	near(t, "second ends", b.since(second.last), (470+51+280)*time.Millisecond)
	truth := second.truth(b.costs, 40)
	if got, want := truth.Server(), second.first.Sub(second.arrived); got != want {
		t.Errorf("the truth of the one that was preempted adds up to %v, want %v", got, want)
	}
}

// What a preempted request had computed may still be in the prefix cache.
func TestPreemptedPromptsComeFromTheCache(t *testing.T) {
	b := tight(t, 10, 10)
	b.queue(0, 1, 40, 30)
	second := b.queue(0, 2, 40, 40)
	b.all()
	if b.preempted == 0 || second.cached != 0 {
		t.Errorf("%d preempted, %d tokens cached at first", b.preempted, second.cached)
	}
}

func TestModelsThatDoNotFit(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Config)
		says   []string
	}{
		{"weights", func(c *Config) {}, []string{`"x" doesn't fit`, "141.1 GB in fp16", "1 × A100 80G give 72.0 GB (90 % of 80.0 GB each)"}},
		{"just the weights", func(c *Config) { c.Models[0].Accelerators = 2 }, []string{`"x" has no room for its context`, "131072 tokens take 42.9 GB", "2 × A100 80G have 2.9 GB left", "at most 8827"}},
		{"with fewer tokens", func(c *Config) { c.Models[0].Accelerators, c.ContextTokens = 2, 8000 }, nil},
		{"on four", func(c *Config) { c.Models[0].Accelerators = 4 }, nil},
		{"quantized", func(c *Config) { c.Models[0].Accelerators, c.Quantization = 2, FP8 }, nil},
		{"405B on eight", func(c *Config) { c.Models[0] = Llama405B.As("x", 8) }, []string{"811.7 GB in fp16", "576.0 GB"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Config{Models: []Model{Llama70B.As("x", 1)}, Hardware: A100}
			tt.change(&c)
			err := c.filled().check()
			if (err == nil) != (tt.says == nil) {
				t.Fatal(err)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
		})
	}
}

// Memory that quantization frees is there for keys and values.
func TestQuantizationLeavesRoom(t *testing.T) {
	c := Config{Models: []Model{Llama70B.As("x", 4)}, Hardware: A100}.filled()
	before := c.blocksFor(c.Models[0])
	c.Quantization = INT4
	// 0.48 bytes of each of 68.45e9 weights, against 327,680 bytes per token.
	saved := (2 - precisions[INT4].bytes) * c.Models[0].body() / (c.Models[0].KVBytesPerToken * 16)
	if got := float64(c.blocksFor(c.Models[0]) - before); got < saved-2 || got > saved+2 {
		t.Errorf("%v more blocks, want %v", got, saved)
	}
}

// Memory is a lever: with little of it prompts wait though there are slots,
// longer requests than it holds are refused, and those that are there when it is
// turned down come to their end.
func TestMemoryIsALever(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch, cfg.TokenBudget = 8, 1000
	wait := func(b *bench) time.Duration {
		done := make(chan reply)
		go func() { done <- b.post(b.t.Context(), body("m", 1, 80, 40, "")) }()
		time.Sleep(time.Millisecond)
		r := b.post(b.t.Context(), body("m", 2, 80, 1, ""))
		<-done
		return r.at[1]
	}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		if with := wait(b); with > 200*time.Millisecond {
			t.Errorf("the second waits %v where there is memory for both", with)
		}
		long := make(chan reply)
		go func() { long <- b.post(t.Context(), body("m", 3, 400, 40, "")) }()
		time.Sleep(500 * time.Millisecond)
		if err := b.Set("kv-blocks", "10"); err != nil {
			t.Fatal(err)
		}
		if r := <-long; r.status != 200 || len(r.events) != 43 {
			t.Errorf("the one that was there got %d with %d events", r.status, len(r.events))
		}
		if without := wait(b); without < 400*time.Millisecond {
			t.Errorf("the second waits %v behind one that has most of the memory", without)
		}
		if r := b.post(t.Context(), body("m", 4, 170, 1, "")); r.status != 400 || !strings.Contains(r.raw, "maximum context length is 160 tokens") {
			t.Errorf("one that never fits: %d %s", r.status, r.raw)
		}
		if _, text := b.get("/v1/models"); !strings.Contains(text, `"max_model_len":160`) {
			t.Error(text)
		}
	})
}

// More blocks than the memory has are refused, with how many it has.
func TestMoreBlocksThanMemory(t *testing.T) {
	c := Config{Models: []Model{Llama8B}, Hardware: A100}.filled()
	most := c.blocksFor(c.Models[0])
	c.KVBlocks = most
	if err := c.check(); err != nil {
		t.Error(err)
	}
	c.KVBlocks++
	if err := errors.Join(CheckFile(c)...); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("kv_blocks is %d: beside the weights", most+1)) || !strings.Contains(err.Error(), fmt.Sprintf("memory for %d:", most)) {
		t.Error(err)
	}
}
