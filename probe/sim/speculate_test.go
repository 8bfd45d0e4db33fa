package sim

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Tokens per step are (1 − α^(k+1))/(1 − α) (Leviathan et al., equation 1).
func TestSpeculationFollowsTheFormula(t *testing.T) {
	for _, tt := range []struct {
		draft int
		alpha float64
	}{{4, 0.8}, {2, 0.5}, {8, 0.9}, {4, 0}, {4, 1}} {
		s := roundSettings()
		s.draft = Speculation{Draft: tt.draft, Acceptance: tt.alpha}
		b := newBedOf(t, s)
		const tokens = 20_000
		b.queue(0, 1, 10, tokens)
		b.all()
		want := float64(tt.draft + 1)
		if tt.alpha < 1 {
			want = (1 - math.Pow(tt.alpha, float64(tt.draft+1))) / (1 - tt.alpha)
		}
		if got := tokens / float64(len(b.steps)); math.Abs(got-want) > 0.03*want {
			t.Errorf("k = %d, α = %v: %.3f tokens per step, want %.3f", tt.draft, tt.alpha, got, want)
		}
	}
}

func roundSettings() settings {
	return settings{costs: costs{model: round.Model, hardware: round.Hardware, budget: 100}, maxBatch: 4, kvBlocks: noLimit}
}

// Drafting costs its steps, and the prompt's pass of the draft model. The first
// token has drafts in its step like any other, and so has the truth's first
// decode.
func TestDraftsCost(t *testing.T) {
	s := roundSettings()
	s.draft = Speculation{Draft: 4, Acceptance: 1, Cost: 0.1}
	b := newBedOf(t, s)
	r := b.queue(0, 1, 50, 11)
	b.all()
	// A pass of 50 ms over the prompt, one of a tenth of that by the draft model,
	// and three drafts more.
	near(t, "first token", b.since(r.first), 58*time.Millisecond)
	// Two steps of 5 tokens: 10 ms to check, and four drafts of 1 ms.
	near(t, "last token", b.since(r.last), (58+2*14)*time.Millisecond)
	truth := r.truth(b.costs, 11)
	if truth.Queue != 0 || truth.Server() != r.first.Sub(r.arrived) {
		t.Errorf("alone on the server: %+v", truth)
	}
	near(t, "first decode", truth.FirstDecode, 14*time.Millisecond)
}

// An answer never grows beyond its limit.
func TestDraftsEndWithTheAnswer(t *testing.T) {
	s := roundSettings()
	s.draft = Speculation{Draft: 8, Acceptance: 1}
	b := newBedOf(t, s)
	r := b.queue(0, 1, 10, 4)
	b.all()
	if r.ready.Load() != 4 || len(b.steps) != 2 || b.steps[1].tokens != 3 {
		t.Errorf("%d tokens in %d steps, the last with %d", r.ready.Load(), len(b.steps), b.steps[1].tokens)
	}
}

// The tokens of one step come in one chunk, as serving engines send them.
func TestStreamWithSpeculation(t *testing.T) {
	cfg := roundConfig()
	cfg.Speculation = Speculation{Draft: 3, Acceptance: 1}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		r := b.post(t.Context(), body("m", 1, 50, 9, withUsage))
		words := 0
		var at []time.Duration
		for i, e := range r.events[1 : len(r.events)-3] {
			text := *parse(t, e).Choices[0].Delta.Content
			words += len(strings.Fields(text))
			at = append(at, r.at[i+1])
		}
		if words != 9 || len(at) != 3 {
			t.Fatalf("%d words in %d chunks, want 9 in 3: %s", words, len(at), r.raw)
		}
		near(t, "first token", at[0], 50*time.Millisecond)
		near(t, "last four", at[2], 70*time.Millisecond)
	})
}
