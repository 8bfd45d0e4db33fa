package sim

import (
	"math/rand/v2"
	"time"
)

// Speculation is speculative decoding (Leviathan, Kalman and Matias, "Fast
// Inference from Transformers via Speculative Decoding", 2023): a cheap model
// drafts tokens, and one pass of the model checks them all. The zero value is
// none.
type Speculation struct {
	Draft      int     // tokens drafted for each step of a stream; 0 for none
	Acceptance float64 // chance that a drafted token is right, given that those before it are; 0 to 1
	Cost       float64 // what one draft step takes, as a share of a plain decode step of the model; 0 to 1
}

// accepted draws how many of the drafted tokens are right.
func (s Speculation) accepted(drafted int, rng *rand.Rand) int {
	n := 0
	for n < drafted && rng.Float64() < s.Acceptance {
		n++
	}
	return n
}

// drafting is how long the draft model takes in a step, for every stream that
// has a token by it: it reads the prompts too, since it needs keys and values of
// its own, and then makes one pass after the other. A step ends, and its tokens
// leave, when the drafts for the next one are made, as in vLLM (its
// GPUModelRunner proposes them between sampling and returning what was sampled).
// So the step of a first token has drafts in it like any other, and the gaps
// that a client sees between tokens are as long as what they stand for in it.
func (c costs) drafting(w work) time.Duration {
	if c.draft.Draft == 0 || c.draft.Cost == 0 || w.first.tokens == 0 {
		return 0
	}
	sum := c.pass(w.first)
	if w.later.tokens > 0 {
		sum += time.Duration(c.draft.Draft-1) * c.pass(w.later)
	}
	return time.Duration(c.draft.Cost * float64(sum))
}

// chunk puts the next token of a stream and the drafts that are checked behind
// it into the step: n tokens in all.
func (w *work) chunk(n, before int) {
	w.add(n, before, n)
	w.first.add(1, before, 1)
	w.later.add(1, before, 1)
}
