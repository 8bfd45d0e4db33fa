package sim

import (
	"sync/atomic"
	"time"
)

// request is one prompt on its way through an engine. The engine produces
// tokens and whoever serves the request takes them; neither waits for the
// other.
type request struct {
	id      string
	prompt  prompt
	max     int       // output tokens to produce, at least 1
	arrived time.Time // whole request was there
	queued  time.Time // handling was done

	wake    chan struct{} // told when started or ready changes, or refused; nil for a background user
	gone    atomic.Bool   // nobody waits for it any more
	refused atomic.Bool   // it waited, and has been dropped
	started atomic.Bool   // a step has begun on it
	ready   atomic.Int32  // tokens produced

	streamed bool                       // its tokens are written as they come
	writes   atomic.Pointer[stepWrites] // where the write of the latest ones is owed

	// Written by the engine. scheduled and cached may be read once started is
	// seen, first once ready is above 0, last once ready has come to max.
	scheduled   time.Time // start of its first step
	first, last time.Time // end of the steps that gave the first and the last token
	cached      int       // tokens of the prompt that the prefix cache had

	// The engine's alone.
	memory   holding
	computed int // tokens whose keys and values exist
	chunk    int // tokens in the step under way, drafts included
}

// tell wakes whoever serves the request.
func (r *request) tell() {
	if r.wake == nil {
		return
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// remaining is how many tokens must be computed before the next one comes: the
// rest of the prompt, or one; all there are where it lost its memory.
func (r *request) remaining() int {
	return r.prompt.tokens + int(r.ready.Load()) - r.computed
}

// truth cuts the server time of a request that has its first token, and
// produced tokens by now. The parts add up to first − arrived exactly.
func (r *request) truth(c costs, produced int) Truth {
	pass := r.first.Sub(r.scheduled)
	idle := min(pass, c.idle(r.prompt.tokens, r.cached))
	decode := min(idle, c.decode(r.prompt.tokens))
	return Truth{
		Handling:     r.queued.Sub(r.arrived),
		Queue:        r.scheduled.Sub(r.queued) + pass - idle,
		Contention:   pass - idle,
		Prefill:      idle - decode,
		FirstDecode:  decode,
		PromptTokens: r.prompt.tokens,
		CachedTokens: r.cached,
		OutputTokens: produced,
	}
}
