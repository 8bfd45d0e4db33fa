package prober

import (
	"testing"
	"time"

	"ttftop/probe/baseline"
)

// Reports of warm prompts, as a simulated server of an 8B gives them: 224 tokens
// that attend to a cached prefix, and whole prompts once its cache is gone. No
// line that costs nothing at no tokens goes through both, but each length is its
// own witness.
func TestOwnPrefillOfALength(t *testing.T) {
	var o ownPrefill
	add := func(n, tokens int, ms float64) {
		for range n {
			o.add(baseline.Point{At: noon, Tokens: tokens, Server: time.Duration(ms * 1e6)})
		}
	}
	if add(12, 224, 5.8); o.at(224) != nil {
		t.Error("a curve through one length")
	}
	add(1, 2048, 135.7)
	if o.at(2048) != nil {
		t.Error("one report is no length")
	}
	add(1, 2048, 135.6)
	for tokens, want := range map[int]float64{2048: 135.7, 2000: 133} {
		curve := o.at(tokens)
		if curve == nil {
			t.Fatal("no curve")
		}
		got, _, _ := curve.At(tokens)
		if ms := float64(got) / 1e6; ms < 0.97*want || ms > 1.03*want {
			t.Errorf("%d tokens took %.1f ms, want %.1f", tokens, ms, want)
		}
	}
}
