package prober

import (
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
)

// Prompts with a shared prefix have the prefill of unique ones, and the fixed
// part that they themselves show, though they show it at one length alone and
// their first one found no cache.
func TestSharedPrefixHasItsOwnFixedPart(t *testing.T) {
	const ms = time.Millisecond
	c := newCutter(false)
	bust := probe.Knobs{Model: "m", Cache: probe.Bust}
	warm := probe.Knobs{Model: "m", Cache: probe.Warm}
	at := time.Unix(1e9, 0)
	teach := func(k probe.Knobs, tokens int, cost time.Duration) {
		at = at.Add(time.Second)
		fitterOf(c.baselines, k).Add(baseline.Point{At: at, Tokens: tokens, Server: cost})
	}
	for range 4 { // 5 ms, and 40 ms per 1,000 tokens beyond the first 200
		for _, n := range []int{16, 64, 256, 1024} {
			teach(bust, n, 5*ms+max(0, time.Duration(n-200)*40*time.Microsecond))
		}
	}
	if got := c.expected(warm, 102, true); got == nil || (got.Cost(102)-5*ms).Abs() > ms/2 {
		t.Fatalf("before one was seen: %v", got)
	}
	teach(warm, 1024, 40*ms)
	for range 12 {
		teach(warm, 102, 8*ms)
	}
	got := c.expected(warm, 102, true)
	fixed, _, _ := got.Fixed()
	prefill, _, _ := got.Prefill(102)
	if (fixed-8*ms).Abs() > ms/2 || prefill > ms/2 {
		t.Errorf("fixed %v, prefill %v", fixed, prefill)
	}
	if got := c.expected(bust, 102, true); (got.Cost(102) - 5*ms).Abs() > ms/2 {
		t.Errorf("unique prompts cost %v", got.Cost(102))
	}
}
