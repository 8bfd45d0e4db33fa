package sim

import (
	"testing"
	"time"
)

// Figures worked out by hand from the published shapes and datasheets at half
// the arithmetic and 70 % of the bandwidth. For the 8B on one A100, weights are
// 16.0605 GB and the memory reads 1.4273 TB/s: 11.2525 ms. A prompt of 1,024
// tokens is 2·8.03026e9·1024 + 4·32·4096·(1024·1025/2) = 1.67211e13 FLOP at
// 1.56e14 per second: 107.187 ms.
func TestRoofline(t *testing.T) {
	tests := []struct {
		name      string
		model     Model
		hardware  Hardware
		n, before int
		want      time.Duration
	}{
		{"8B decode at 256, memory", Llama8B, A100, 1, 255, 11_275_900},
		{"8B prefill 256, compute", Llama8B, A100, 256, 0, 26_466_300},
		{"8B prefill 1024, compute", Llama8B, A100, 1024, 0, 107_187_000},
		{"8B chunk 2048 after 6144", Llama8B, A100, 2048, 6144, 260_186_000},
		{"8B prefill 16, under the weights", Llama8B, H100, 16, 0, 6_849_731},
		{"1B decode at 256", Llama1B, H100, 1, 255, 1_057_580},
		{"1B prefill 8192, quadratic part a fifth", Llama1B, A100, 8192, 0, 157_988_000},
		{"70B on four, decode", Llama70B.As("x", 4), A100, 1, 255, 24_730_500},
		{"70B on four, prefill 8192", Llama70B.As("x", 4), H100, 8192, 0, 628_562_000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l load
			l.add(tt.n, tt.before)
			got := roofline(tt.model, tt.hardware.under(tt.model), l)
			if d := (got - tt.want).Abs(); float64(d) > 1e-5*float64(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// A batch reads the weights once: 32 streams cost hardly more than one until
// their arithmetic or their keys and values do.
func TestBatchSharesWeights(t *testing.T) {
	var one, many load
	one.add(1, 999)
	for range 32 {
		many.add(1, 999)
	}
	a, b := roofline(Llama8B, A100, one), roofline(Llama8B, A100, many)
	// 31 more contexts of 1000 tokens: 31·1000·131072 B at 1.4273 TB/s.
	if want := a + 2_846_800*time.Nanosecond; (b - want).Abs() > time.Microsecond {
		t.Errorf("32 streams take %v, want %v", b, want)
	}
}

// Pairs, by listing them: token i of the chunk, from 0, attends to before + i + 1.
func TestLoadPairs(t *testing.T) {
	for _, tt := range []struct{ n, before int }{{1, 0}, {1, 9}, {5, 0}, {3, 7}} {
		want := 0
		for i := range tt.n {
			want += tt.before + i + 1
		}
		var l load
		l.add(tt.n, tt.before)
		if l.pairs != float64(want) || l.context != tt.before+tt.n || l.tokens != tt.n {
			t.Errorf("add(%d, %d) = %+v, want %d pairs", tt.n, tt.before, l, want)
		}
	}
}

// Cutting a prompt into chunks changes no pair.
func TestChunksHaveTheSamePairs(t *testing.T) {
	var whole, parts load
	whole.add(1000, 0)
	for before := 0; before < 1000; before += 250 {
		parts.add(250, before)
	}
	if whole.pairs != parts.pairs || whole.tokens != parts.tokens {
		t.Errorf("%+v and %+v", whole, parts)
	}
}

func TestWeightsRead(t *testing.T) {
	moe := Model{Params: 100, ActiveParams: 10}
	for _, tt := range []struct {
		model  Model
		tokens int
		want   float64
	}{
		{Model{Params: 100}, 1, 100},
		{moe, 1, 10},     // one token reads its own experts
		{moe, 2, 19},     // 100·(1 − 0.9²)
		{moe, 1000, 100}, // everything
	} {
		if got := weightsRead(tt.model, tt.tokens); got < tt.want-1e-6 || got > tt.want+1e-6 {
			t.Errorf("weightsRead(%v, %d) = %v, want %v", tt.model, tt.tokens, got, tt.want)
		}
	}
}

func TestIdle(t *testing.T) {
	c := costs{model: round.Model, hardware: round.Hardware, overhead: 2 * time.Millisecond, budget: 100}
	for _, tt := range []struct {
		name           string
		prompt, cached int
		want           time.Duration
	}{
		{"under the weights", 5, 0, 12 * time.Millisecond},
		{"one step", 40, 0, 42 * time.Millisecond},
		{"three steps, the last under the weights", 205, 0, (102 + 102 + 12) * time.Millisecond},
		{"cached", 205, 192, (13 + 2) * time.Millisecond},
	} {
		near(t, tt.name, c.idle(tt.prompt, tt.cached), tt.want)
	}
	near(t, "decode", c.decode(500), 12*time.Millisecond)
}

// A prompt of one token costs one decode step: nothing is left for prefill.
func TestOneTokenPromptIsOneDecode(t *testing.T) {
	c := costs{model: Llama8B, hardware: A100, budget: 2048}
	if a, b := c.idle(1, 0), c.decode(1); a != b {
		t.Errorf("idle %v, decode %v", a, b)
	}
}

func BenchmarkStepCost(b *testing.B) {
	c := costs{model: Llama8B, hardware: A100, budget: 2048}
	for b.Loop() {
		var l load
		for range 64 {
			l.add(1, 500)
		}
		c.step(l)
	}
}
