package sim

import (
	"math"
	"testing"
	"time"
)

// Figures worked out apart from this code from the published shapes and
// datasheets. For the 8B on one A100, layers of 6.97959e9 weights and a head of
// 0.52534e9 are 15.0098 GB and the memory reads 1.4273 TB/s: 10.5162 ms. A
// prompt of 1,024 tokens is 2·6.97959e9·1024 + 2·0.52534e9 + 4·32·4096·(1024·1025/2)
// = 1.45704e13 FLOP at 2.028e14 per second: 71.846 ms.
func TestRoofline(t *testing.T) {
	tests := []struct {
		name      string
		model     Model
		hardware  Hardware
		n, before int
		want      time.Duration
	}{
		{"8B decode at 256, memory", Llama8B, A100, 1, 255, 10_539_763},
		{"8B prefill 256, compute", Llama8B, A100, 256, 0, 17_711_276},
		{"8B prefill 1024, compute", Llama8B, A100, 1024, 0, 71_846_121},
		{"8B chunk 2048 after 6144", Llama8B, A100, 2048, 6144, 178_927_819},
		{"8B prefill 16, under the weights", Llama8B, H100, 16, 0, 6_401_683},
		{"1B decode at 256", Llama1B, H100, 1, 255, 1_057_577},
		{"1B prefill 8192, quadratic part near a quarter", Llama1B, A100, 8192, 0, 100_311_315},
		{"70B on four, decode", Llama70B.As("x", 4), A100, 1, 255, 25_979_901},
		{"70B on four, prefill 8192", Llama70B.As("x", 4), H100, 8192, 0, 708_209_578},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l load
			l.add(tt.n, tt.before, 1)
			got := roofline(tt.model, tt.hardware.under(tt.model), FP16, l)
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
	one.add(1, 999, 1)
	for range 32 {
		many.add(1, 999, 1)
	}
	a, b := roofline(Llama8B, A100, FP16, one), roofline(Llama8B, A100, FP16, many)
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
		l.add(tt.n, tt.before, 0)
		if l.pairs != float64(want) || l.context != tt.before+tt.n || l.tokens != tt.n {
			t.Errorf("add(%d, %d) = %+v, want %d pairs", tt.n, tt.before, l, want)
		}
	}
}

// Cutting a prompt into chunks changes no pair.
func TestChunksHaveTheSamePairs(t *testing.T) {
	var whole, parts load
	whole.add(1000, 0, 1)
	for before := 0; before < 1000; before += 250 {
		parts.add(250, before, 0)
	}
	if whole.pairs != parts.pairs || whole.tokens != parts.tokens {
		t.Errorf("%+v and %+v", whole, parts)
	}
}

func TestBodyRead(t *testing.T) {
	// 20 weights for all and eight experts of 10, two of them for each token.
	moe := Model{Params: 100, ActiveParams: 40, Experts: 8, ExpertsPerToken: 2}
	for _, tt := range []struct {
		model  Model
		tokens int
		want   float64
	}{
		{Model{Params: 100}, 1, 100},
		{moe, 1, 40},     // one token reads its own experts
		{moe, 2, 55},     // 20 + 80·(1 − 0.75²)
		{moe, 1000, 100}, // everything
	} {
		if got := bodyRead(tt.model, tt.tokens); got < tt.want-1e-6 || got > tt.want+1e-6 {
			t.Errorf("bodyRead(%v, %d) = %v, want %v", tt.model, tt.tokens, got, tt.want)
		}
	}
}

// The sizes of published checkpoints come out: Meta's own 8B, its FP8 version
// of 9.1 GB and its AWQ version of 5.7 GB.
func TestWeightSize(t *testing.T) {
	for _, tt := range []struct {
		precision Precision
		want      float64
	}{{FP16, 16.06e9}, {FP8, 9.08e9}, {INT8, 9.08e9}, {INT4, 5.73e9}} {
		if got := weightSize(Llama8B, tt.precision); math.Abs(got-tt.want) > 0.01*tt.want {
			t.Errorf("%v: %v, want %v", tt.precision, got, tt.want)
		}
	}
}

// Tensor parallelism pays for its speed: eight accelerators are less than eight
// times as fast as one, and at one token of a small model they are slower than
// two, since all they do is meet.
func TestTensorParallelism(t *testing.T) {
	pass := func(m Model, n, tokens int) time.Duration {
		m.Accelerators = n
		var l load
		l.add(tokens, 0, 1)
		return roofline(m, H100.under(m), FP16, l)
	}
	one, eight := pass(Llama8B, 1, 8192), pass(Llama8B, 8, 8192)
	if ratio := float64(one) / float64(eight); ratio < 3 || ratio > 7 {
		t.Errorf("eight are %.1f times as fast as one", ratio)
	}
	if two, eight := pass(Llama1B, 2, 1), pass(Llama1B, 8, 1); eight > two || pass(Llama1B, 1, 1) > 4*eight {
		t.Errorf("a token of the 1B takes %v on two and %v on eight", two, eight)
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
		var w work
		for range 64 {
			w.chunk(1, 500)
		}
		c.step(w)
	}
}
