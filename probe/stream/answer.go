package stream

import (
	"encoding/json"
	"slices"

	"ttftop/probe"
)

// Count is a number of tokens that a server may not have told.
type Count struct {
	N  int
	OK bool // the server told it
}

// Answer is what one response body held. Marks and arrivals are offsets from the
// start of the request, as Feed was given them.
type Answer struct {
	FirstEvent     probe.Mark // first event, token or not; comments and keep-alives are none
	FirstToken     probe.Mark // first event with generated text, of any channel
	FirstReasoning probe.Mark
	FirstAnswer    probe.Mark // first event with generated text that is not reasoning
	LastToken      probe.Mark

	Tokens      []probe.Arrival // token events, in order; bounded: of more than 1<<20 the last stands for the rest
	TokenEvents int             // all of them
	Events      int             // events, token or not
	Skipped     int             // lines and payloads that were no event: broken JSON, wrapped keep-alives, unknown fields
	FirstTokens int             // tokens in the first token event: at least 1 once there was one

	// EndShared tells that the read that completed the last token event also
	// completed an event after it (a finish reason, usage, the end), whose stamp
	// the token has then: where the read came late, the token may have come a
	// step earlier, and ITL and TPOT are too long by as much.
	EndShared bool

	Prompt     Count // prompt tokens of usage, else of the server's own counts; cached ones included
	Completion Count // completion tokens of usage, the last that was told
	Cached     Count // prompt tokens that came from a prefix cache
	Reasoning  Count // reasoning tokens of usage
	Generated  Count // output tokens by the server's own counts (timings.predicted_n, eval_count)

	// HiddenReasoning tells that reasoning tokens were counted, but never
	// streamed.
	HiddenReasoning bool
	hidden          int // how many of Completion they are

	ID           string
	Model        string // as the response names it
	FinishReason string
	Text         string // start of the answer; valid UTF-8, control characters as they came
	Thinking     string // start of the reasoning, likewise

	Complete  bool // [DONE], "done":true or a finish_reason was seen, and no error
	Truncated bool // the body ended cleanly, but the answer was not complete

	// Failure is why there is no complete answer with a token in it: nil for a
	// success. Before End it holds only what the stream itself said. A timeout
	// has no wait in its message, and a reset no address: who knows them may add
	// them.
	Failure *probe.Failure

	// Raw holds the payloads that report more than text, in order: the first
	// event, the first token event, the last with prompt_progress, and the last
	// eight with usage or timings of any kind. Payloads over 64 KiB are left out.
	Raw []json.RawMessage
}

// OutputTokens is the number of tokens that were streamed: completion tokens of
// usage without hidden reasoning, else the server's own count, else token
// events. exact is false for the last, which is an estimate.
func (a Answer) OutputTokens() (n int, exact bool) {
	switch {
	case a.Completion.N > 0:
		return a.Completion.N - a.hidden, true
	case a.Generated.N > 0:
		return a.Generated.N, true
	}
	return a.TokenEvents, a.TokenEvents == 0 && (a.Completion.OK || a.Generated.OK)
}

// Coalesced reports whether one read completed several token events, so that the
// earlier ones carry a later stamp.
func (a Answer) Coalesced() bool {
	for i := 1; i < len(a.Tokens); i++ {
		if a.Tokens[i].Read == a.Tokens[i-1].Read {
			return true
		}
	}
	return false
}

// Answer returns what has been read so far. It is a copy.
func (p *Parser) Answer() Answer {
	a, t := p.answer, &p.tally
	a.Tokens = slices.Clone(a.Tokens)
	a.Events = p.events
	a.Prompt = Count(firstOf(t.prompt, t.serverPrompt))
	a.Completion = Count(t.completion)
	a.Cached = Count(firstOf(t.cached, t.serverCached))
	a.Reasoning = Count(t.reasoning)
	a.Generated = Count(t.serverOutput)
	a.HiddenReasoning = t.reasoning.N > 0 && !a.FirstReasoning.OK
	if a.HiddenReasoning {
		a.hidden = t.hidden(a.TokenEvents > 0)
	}
	if a.FirstToken.OK {
		a.FirstTokens = t.inFirstEvent(a.hidden)
	}
	a.Text, a.Thinking = p.text.String(), p.reason.String()
	a.Complete = p.complete()
	a.Raw = p.kept.all()
	if p.failed != nil {
		f := *p.failed
		a.Failure = &f
	}
	return a
}

func (p *Parser) complete() bool {
	return (p.done || p.answer.FinishReason != "") && !p.erred
}

// hidden is how many completion tokens are reasoning that was never streamed.
// Some servers leave reasoning out of completion tokens: then the total, or the
// count itself, gives it away. Where text came although all tokens are said to
// be reasoning, that text is the reasoning, and nothing is hidden.
func (t *tally) hidden(text bool) int {
	r, c := t.reasoning.N, t.completion.N
	beside := t.total.OK && t.prompt.OK && t.total.N == t.prompt.N+c+r
	if beside || r > c || (r == c && text) {
		return 0
	}
	return r
}

// inFirstEvent is the number of tokens in the first token event. Hidden reasoning
// came before it, not in it.
func (t *tally) inFirstEvent(hidden int) int {
	n := t.first
	if hidden > 0 && t.firstReasoning > 0 {
		n -= t.firstReasoning
	} else {
		n -= hidden
	}
	return max(1, n)
}
