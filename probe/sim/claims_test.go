package sim

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// What good practice promises must come out of the engine. Each expected figure
// is worked out here from shapes and datasheets, or from queueing theory, and
// not from the engine's own code. go test -v -run Claim prints the table.

// on is a configuration of one model.
func on(m Model, h Hardware) Config {
	return Config{Models: []Model{m}, Hardware: h, StepOverhead: 3 * time.Millisecond}
}

// firstToken is how long a prompt takes on an idle server.
func firstToken(t *testing.T, cfg Config, tokens int) time.Duration {
	l := newLab(t, cfg)
	r := l.queue(0, 1, tokens, 1)
	l.drive(nil)
	return r.first.Sub(r.queued)
}

// An 8B beats a 70B to the first token on the same hardware, at long prompts by
// about the ratio of their work.
func TestClaimSmallModelFirst(t *testing.T) {
	small, large := on(Llama8B.As("8B", 4), A100), on(Llama70B.As("70B", 4), A100)
	for _, n := range []int{16, 128, 1024} {
		within(t, "70B against 8B, 4 × A100, TTFT, short prompts", float64(firstToken(t, large, n))/float64(firstToken(t, small, n)), 1.5, 10, "the 8B is first")
	}
	// 2·weights in layers·n + 4·layers·width·n²/2, per model.
	work := func(weights, layers, width, n float64) float64 { return 2*weights*n + 2*layers*width*n*n }
	for _, n := range []int{4096, 8192, 16384} {
		want := work(68.452e9, 80, 8192, float64(n)) / work(6.980e9, 32, 4096, float64(n))
		got := float64(firstToken(t, large, n)) / float64(firstToken(t, small, n))
		claim(t, "70B against 8B, 4 × A100, TTFT, long prompts", got, want, 0.15, "ratio of their arithmetic")
	}
}

// From 4,000 tokens on a cached 90 % prefix takes 80 % or more off prefill.
func TestClaimCachedPrefix(t *testing.T) {
	for _, n := range []int{4096, 8192, 32768} {
		cfg := on(Llama8B, H100)
		cfg.CacheBlocks = 1 << 14
		l := newLab(t, cfg)
		shared := n * 9 / 10
		l.queue(0, 7, shared, 1)
		cold := l.queue(time.Hour, 8, n, 1)
		warm := l.queue(2*time.Hour, 9, n, 1)
		copy(warm.prompt.blocks, cold.prompt.blocks[:shared/16])
		l.drive(nil)
		step := l.decode(n)
		prefill := func(r *request) float64 { return (r.first.Sub(r.scheduled) - step).Seconds() }
		if warm.cached != shared/16*16 {
			t.Fatalf("%d of %d tokens cached", warm.cached, shared)
		}
		within(t, "8B, H100, prefill saved by a cached 90 % prefix, %", 100*(1-prefill(warm)/prefill(cold)), 78, 95, "80 % or more; never all of the 90")
	}
}

// TTFT grows linearly with the prompt, then quadratically: the two parts are
// alike where attention's work is that of the weights, at 53,000 tokens of an 8B.
func TestClaimPromptLength(t *testing.T) {
	cfg := on(Llama8B, A100)
	cfg.StepOverhead, cfg.TokenBudget = 0, 1<<20
	const cross = 2 * 6.980e9 / (2 * 32 * 4096) // 2·weights·n = 2·layers·width·n²
	curve := func(n float64) float64 { return n * (1 + n/cross) }
	base := firstToken(t, cfg, 2048).Seconds() / curve(2048)
	for _, n := range []int{512, 4096, 16384, 65536, 131071} {
		claim(t, "8B, A100, TTFT over prompt length, from 2,048 tokens on", firstToken(t, cfg, n).Seconds()/base, curve(float64(n)), 0.03, "n·(1 + n/53,253)")
	}
	double := func(n int) float64 { return float64(firstToken(t, cfg, 2*n)) / float64(firstToken(t, cfg, n)) }
	within(t, "8B, A100, TTFT with twice the prompt, 1,024 → 2,048", double(1024), 1.9, 2.1, "linear")
	within(t, "8B, A100, TTFT with twice the prompt, 65,536 → 131,072", double(65535), 2.9, 3.5, "towards 4")
}

// FP8 weights speed up decode at batch 1 by nearly two, and prefill by what the
// hardware gives.
func TestClaimQuantization(t *testing.T) {
	speedup := func(h Hardware, p Precision, of func(costs) time.Duration) float64 {
		cfg := on(Llama8B, h)
		cfg.StepOverhead, cfg.ContextTokens = 0, 8192
		cfg = cfg.filled()
		before := of(cfg.settings(Llama8B).costs)
		cfg.Quantization = p
		return float64(before) / float64(of(cfg.settings(Llama8B).costs))
	}
	decode := func(c costs) time.Duration { return c.decode(128) }
	prefill := func(c costs) time.Duration { return c.idle(2048, 0) }
	// Layers of 6.98e9 weights and a head of 0.525e9 that stays in 16 bits.
	halved := (6.98 + 0.525) * 2 / (6.98 + 0.525*2)
	claim(t, "8B, H100, decode at batch 1, fp8 against fp16", speedup(H100, FP8, decode), halved, 0.02, "bytes read; the head stays in 16 bits")
	claim(t, "8B, H100, decode at batch 1, int4 against fp16", speedup(H100, INT4, decode), 15.01/(6.98*0.52+1.05), 0.03, "bytes read")
	within(t, "8B, H100, prefill of 2,048, fp8 against fp16", speedup(H100, FP8, prefill), 1.85, 2, "twice the rate, attention in 16 bits")
	claim(t, "8B, A100, prefill of 2,048, fp8 against fp16", speedup(A100, FP8, prefill), 1, 0.01, "an A100 has no fp8")
	within(t, "8B, A100, prefill of 2,048, int8 against fp16", speedup(A100, INT8, prefill), 1.85, 2, "it has int8")
	claim(t, "8B, H100, prefill of 2,048, int4 against fp16", speedup(H100, INT4, prefill), 1, 0.01, "weights alone: computed in 16 bits")
}

// Static batching: a larger batch raises throughput and TTFT together.
func TestClaimStaticBatching(t *testing.T) {
	var lastRate, lastTTFT float64
	for _, batch := range []int{1, 4, 16, 64} {
		cfg := on(Llama8B, A100)
		cfg.Policy, cfg.MaxBatch, cfg.BatchWait = Static, batch, time.Minute
		full := newLab(t, cfg)
		looked := full.closed(2*batch, 20*batch, equal(256, 128))
		rate := throughput(looked)
		calm := newLab(t, cfg)
		calm.poisson(1000, 0.5*rate/128, rand.New(rand.NewPCG(1, 1)), func(int) (int, int) { return 256, 128 })
		ttft := mean(ttfts(calm.ended)).Seconds()
		t.Logf("static, 8B, A100, batch %3d: %6.0f tokens/s at full load, mean TTFT %6.0f ms at half load", batch, rate, 1000*ttft)
		if rate < 1.5*lastRate || ttft < 1.2*lastTTFT {
			t.Errorf("batch %d: %.0f tokens/s after %.0f, TTFT %.3f s after %.3f", batch, rate, lastRate, ttft, lastTTFT)
		}
		lastRate, lastTTFT = rate, ttft
	}
}

// One slot with equal requests is M/D/1: the mean wait is ρ·s/(2(1−ρ)).
func TestClaimMD1(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch = 1
	const service = 0.09 // 50 ms of prompt and four steps of 10 ms
	for _, load := range []float64{0.3, 0.6, 0.8, 0.9} {
		l := newLab(t, cfg)
		l.poisson(60_000, load/service, rand.New(rand.NewPCG(3, 1)), func(int) (int, int) { return 50, 5 })
		var wait time.Duration
		for _, r := range l.ended {
			wait += r.scheduled.Sub(r.queued)
		}
		got := wait.Seconds() / float64(len(l.ended))
		claim(t, "one slot, mean wait in s, load "+percent(load), got, load*service/(2*(1-load)), 0.08, "M/D/1")
	}
}

// Slots whose steps cost the same whatever the batch, with answers of random
// length, are M/M/c: Erlang's C. TTFT stays low until all slots are in use, and
// explodes as the load passes capacity.
func TestClaimMMc(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch, cfg.TokenBudget = 8, 100
	const length = 40 // tokens, 10 ms each: 0.4 s
	for i, load := range []float64{0.5, 0.7, 0.8, 0.9} {
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		l := newLab(t, cfg)
		l.poisson(40_000, load*8/(length*0.01), rng, func(int) (int, int) { return 1, 1 + int(rng.ExpFloat64()*(length-0.5)) })
		var wait, last time.Duration
		tokens := 0
		for _, r := range l.ended {
			wait += r.scheduled.Sub(r.queued)
			tokens += r.max
			last = max(last, l.since(r.queued))
		}
		n := float64(len(l.ended))
		service, rate := 0.01*float64(tokens)/n, n/last.Seconds() // as they were drawn
		offered := rate * service
		// Who finds a free slot among busy ones waits for the next step all the same.
		queued, busy := erlangC(8, offered), 1-math.Exp(-offered)
		want := queued*service/(8-offered) + (busy-queued)*0.005
		claim(t, "eight slots, mean wait in s, load "+percent(load), wait.Seconds()/n, want, 0.12, "M/M/8")
	}
	over := newLab(t, cfg)
	rng := rand.New(rand.NewPCG(5, 2))
	over.poisson(4000, 1.2*8/(length*0.01), rng, func(int) (int, int) { return 1, 1 + int(rng.ExpFloat64()*(length-0.5)) })
	d := over.ended[len(over.ended)-1]
	within(t, "eight slots, wait of the last of 4,000 in s, load 120 %", d.scheduled.Sub(d.queued).Seconds(), 23, 43, "4,000 came in 167 s and take 200 s")
}

// erlangC is the chance to wait with c servers and an offered load of a.
func erlangC(c int, a float64) float64 {
	b := 1.0 // Erlang B
	for k := 1; k <= c; k++ {
		b = a * b / (float64(k) + a*b)
	}
	rho := a / float64(c)
	return b / (1 - rho*(1-b))
}

func percent(x float64) string { return string(rune('0'+int(10*x+0.5))) + "0 %" }

// Continuous batching keeps TTFT low as streams are added until the batch limit;
// then the queue takes over.
func TestClaimContinuousUntilTheLimit(t *testing.T) {
	cfg := on(Llama8B, A100)
	cfg.MaxBatch = 32
	ttft := func(clients int) float64 {
		return mean(ttfts(newLab(t, cfg).closed(clients, 20*clients, varied(256, 256)))).Seconds()
	}
	alone, at, above := ttft(1), ttft(32), ttft(64)
	within(t, "8B, A100, 32 slots, TTFT with 32 streams against 1", at/alone, 1, 3, "contention alone")
	within(t, "8B, A100, 32 slots, TTFT with 64 streams against 32", above/at, 20, 1000, "a whole answer must end first")
}

// Throughput and TTFT pull apart as the maximum batch grows: each stream more
// raises both.
func TestClaimThroughputAgainstTTFT(t *testing.T) {
	var lastRate, lastTTFT float64
	for _, batch := range []int{1, 4, 16, 64, 128} {
		cfg := on(Llama8B, A100)
		cfg.MaxBatch = batch
		looked := newLab(t, cfg).closed(batch, 20*batch, varied(512, 128))
		rate, ttft := throughput(looked), mean(ttfts(looked)).Seconds()
		t.Logf("continuous, 8B, A100, batch %3d: %6.0f tokens/s, mean TTFT %5.0f ms", batch, rate, 1000*ttft)
		if rate < 1.1*lastRate || ttft < lastTTFT {
			t.Errorf("batch %d: %.0f tokens/s after %.0f, TTFT %.3f s after %.3f", batch, rate, lastRate, ttft, lastTTFT)
		}
		lastRate, lastTTFT = rate, ttft
	}
}

// p95 goes long before the mean: where the mean TTFT has grown by half, p95 has
// grown several times over.
func TestClaimTailFirst(t *testing.T) {
	cfg := on(Llama8B, A100)
	cfg.MaxBatch = 16
	capacity := throughput(newLab(t, cfg).closed(32, 600, varied(500, 200))) / 200
	at := func(load float64) (mid, tail float64) {
		rng := rand.New(rand.NewPCG(9, 9))
		l := newLab(t, cfg)
		l.poisson(2500, load*capacity, rng, func(int) (int, int) { return 500, 1 + int(200*rng.ExpFloat64()) })
		d := ttfts(l.ended)
		return mean(d).Seconds(), d[len(d)*95/100].Seconds()
	}
	calm, calmTail := at(0.2)
	for load := 0.4; load < 1; load += 0.04 {
		mid, tail := at(load)
		if mid < 1.5*calm {
			continue
		}
		t.Logf("16 slots at %.0f %% of capacity: mean TTFT %.2f times that of a calm server, p95 %.2f times", 100*load, mid/calm, tail/calmTail)
		if tail/calmTail < 2*mid/calm {
			t.Error("p95 goes with the mean")
		}
		return
	}
	t.Error("the mean never grows")
}

// Speculative decoding makes fewer steps of an answer, and TTFT hardly moves.
func TestClaimSpeculation(t *testing.T) {
	run := func(s Speculation) (ttft, tpot float64) {
		cfg := on(Llama70B.As("70B", 4), H100)
		cfg.Speculation = s
		l := newLab(t, cfg)
		r := l.queue(0, 1, 1024, 2000)
		l.drive(nil)
		return r.first.Sub(r.queued).Seconds(), r.last.Sub(r.first).Seconds() / 1999
	}
	ttft0, tpot0 := run(Speculation{})
	ttft1, tpot1 := run(Speculation{Draft: 4, Acceptance: 0.7, Cost: 0.05})
	perStep := (1 - math.Pow(0.7, 5)) / 0.3
	claim(t, "70B, 4 × H100, drafts of 4 at 70 %: tokens faster by", tpot0/tpot1, perStep/(1+4*0.05), 0.06, "Leviathan et al., theorem 3.8")
	claim(t, "70B, 4 × H100, drafts of 4 at 70 %: TTFT slower by", ttft1/ttft0, 1+0.05*(1+3*tpot0/ttft0), 0.01, "the draft model reads the prompt and drafts before the step ends")
}
