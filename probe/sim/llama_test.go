package sim

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A llama-server on two cores was measured with 1 and 4 slots, by a client that
// sent one prompt after the other, behind so many background requests (bg) and
// with a shared prefix or without: testdata/llama-latency-table.txt, in ms. gap
// is the TTFT without the server's own prompt_ms. The engine is set to that
// machine with a few figures taken from the idle rows of one slot without a
// cache, and one from a row of four slots, and must then foresee the others:
// cached prefixes, and the wait behind background requests.

// latencyRow is a row of the table: a slot count, whether the prefix was shared,
// background requests, prompt and cached tokens, and medians in ms.
type latencyRow struct {
	slots, background, prompt, cached int
	ttft, prefill, wait               float64
}

func latencyTable(t *testing.T) []latencyRow {
	data, err := os.ReadFile("testdata/llama-latency-table.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []latencyRow
	for _, line := range strings.Split(string(data), "\n")[1:] {
		var r latencyRow
		var mode string
		var reps int
		var skip float64
		n, _ := fmt.Sscanf(strings.ReplaceAll(line, "|", " "), "p%d %s %d %d %d %d %f %f %f %f %f %f %f %f",
			&r.slots, &mode, &r.background, &r.prompt, &r.cached, &reps, &r.ttft, &skip, &skip, &skip, &skip, &r.prefill, &skip, &r.wait)
		if n == 14 {
			rows = append(rows, r)
		}
	}
	if len(rows) < 60 {
		t.Fatalf("%d rows", len(rows))
	}
	return rows
}

// twoCores is that machine: 9 ms for any pass that yields a token, 0.17 ms more
// for each token in it, and attention that makes the prefill of 4,096 tokens ten
// times that of 1,024. On processors reading and arithmetic don't overlap, so the
// 9 ms are a step's. Of these, 2 are the token's own, which is sampled and sent
// by a processor for each stream by itself: the wait behind four background
// requests with four slots shows that, and the other waits follow.
func twoCores(slots int) Config {
	const layers, width = 12, 768
	m := Model{Name: "small", Params: 85e6, BytesPerWeight: 2, Layers: layers, AttentionWidth: width, KVBytesPerToken: 1}
	h := Hardware{Name: "two cores", FLOPS: 2 * m.Params / 0.17e-3, Bandwidth: 1e15, ComputeShare: 1, BandwidthShare: 1, Count: 1}
	// Pairs must cost 0.26 µs each: as many layers as do.
	m.Layers = int(0.26e-6 * h.FLOPS / (4 * width))
	return Config{
		Models: []Model{m}, Hardware: h, ContextTokens: 8192, BlockTokens: 1, StepOverhead: 7 * time.Millisecond, TokenOverhead: 2 * time.Millisecond,
		Handling: 5 * time.Millisecond, HandlingPerToken: 21 * time.Microsecond,
		Levers: Levers{MaxBatch: slots, TokenBudget: 512, CacheBlocks: 1 << 16},
	}
}

// A prompt on the idle server, whole and with a cached prefix.
func TestLlamaIdle(t *testing.T) {
	for _, row := range latencyTable(t) {
		if row.background > 0 {
			continue
		}
		cfg := twoCores(row.slots)
		l := newLab(t, cfg)
		got := l.idle(row.prompt, row.cached).Seconds() * 1000
		what := fmt.Sprintf("llama-server, %d slots, %d tokens, %d cached: prefill", row.slots, row.prompt, row.cached)
		reason := ""
		if row.cached == 220 {
			reason = "36 tokens took longer there than 59 without a cache: no matter of arithmetic"
		}
		compare(t, what, got, row.prefill, "ms", reason)
		handling := cfg.Handling + time.Duration(row.prompt-row.cached)*cfg.HandlingPerToken
		if row.cached < 64 { // what handling a cached prompt takes is not told apart from saving it
			compare(t, what+" and wait", got+handling.Seconds()*1000, row.ttft, "ms", "")
		}
	}
}

// With one slot the wait is one background answer for each that is before, as
// with a queue of one server: what bg = 1 shows tells the rest.
func TestLlamaOneSlotQueue(t *testing.T) {
	for _, row := range latencyTable(t) {
		if row.slots != 1 || row.background == 0 || row.prompt > 256 || row.cached > 5 {
			continue
		}
		cfg := twoCores(1)
		compare(t, fmt.Sprintf("llama-server, 1 slot, %d background, %d tokens: wait", row.background, row.prompt),
			1000*behindBackground(t, cfg, row.background, row.prompt).Seconds(), row.wait, "ms", "")
	}
}

// With four slots nobody waits for a slot until four are taken, and what each
// token costs beside the pass makes four answers together half as long again as
// one.
func TestLlamaFourSlots(t *testing.T) {
	const busy = "reading the prompt shared the two cores with the answer that ran: no matter of scheduling"
	rows := 0
	for _, row := range latencyTable(t) {
		if row.slots != 4 || row.background == 0 || row.cached > 5 || row.prompt > 1024 {
			continue
		}
		rows++
		reason := ""
		if row.background == 1 && row.prompt == 1024 {
			reason = busy
		}
		compare(t, fmt.Sprintf("llama-server, 4 slots, %d background, %d tokens: wait", row.background, row.prompt),
			1000*behindBackground(t, twoCores(4), row.background, row.prompt).Seconds(), row.wait, "ms", reason)
	}
	if rows != 9 {
		t.Errorf("%d rows", rows)
	}
}

// behindBackground is the mean wait of a probe, sent again when the last one has
// ended, behind clients that do the same with answers of 430 ms alone.
func behindBackground(t *testing.T, cfg Config, clients, prompt int) time.Duration {
	l := newLab(t, cfg)
	const background = 46 // tokens, 9 ms each, and 16 ms of prompt
	send := func(at time.Duration, who uint64, tokens, output int) { l.queue(at, who, tokens, output) }
	for i := range clients {
		send(time.Duration(i)*time.Millisecond, uint64(i+1), 16, background)
	}
	const probes = 40
	probe := l.queue(200*time.Millisecond, 1<<20, prompt, 1)
	var wait time.Duration
	seen := 0
	l.drive(func(r *request) {
		now := l.since(l.free)
		switch {
		case seen == probes:
		case r == probe:
			wait += r.scheduled.Sub(r.queued)
			seen++
			probe = l.queue(now+5*time.Millisecond, uint64(1<<20+seen), prompt, 1)
		default:
			send(now, r.prompt.blocks[0], 16, background)
		}
	})
	handling := cfg.Handling + time.Duration(prompt)*cfg.HandlingPerToken
	return wait/probes + handling
}
