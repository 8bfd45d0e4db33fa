package reported

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// llamaCPP reads the `timings` of llama.cpp's server, in milliseconds: on the
// last event always, on every event with timings_per_token. prompt_ms ends
// when the first token is sampled, so the first decode is inside; with several
// slots it contains interleaved work for other requests. prompt_n leaves cached
// tokens out. The wait is in no figure: it ends when the headers leave.
func llamaCPP(_ http.Header, events []json.RawMessage) (Figures, bool) {
	t, ok := last(events, "timings")
	if !ok || !t.has("prompt_ms") {
		return Figures{}, false
	}
	p := gather("timings", t)
	p.OutputTokens = p.count("predicted_n")
	// Progress events carry the prompt_ms of the slices done so far.
	if prompt := p.positive("prompt_ms", time.Millisecond); !p.OutputTokens.OK || p.OutputTokens.N > 0 {
		p.Prefill, p.FirstDecodeInPrefill = prompt, Yes
	}
	p.CachedTokens = p.count("cache_n")
	if n := p.count("prompt_n"); n.OK && p.CachedTokens.OK {
		p.PromptTokens = Count{N: n.N + p.CachedTokens.N, OK: true}
	}
	p.llamaStep()
	return p.done()
}

// llamaStep is predicted_ms over n − 1 steps: generation is timed from the
// first token on. With drafts one step yields several tokens, and the mean per
// token says nothing about a step.
func (p place) llamaStep() {
	total := p.span("predicted_ms", time.Millisecond)
	if drafted := p.count("draft_n"); drafted.OK && drafted.N > 0 {
		return
	}
	p.Step = perStep(total, p.OutputTokens)
}

// lastLateBuild is the last build of llama.cpp whose headers leave only after
// prefill (ggml-org/llama.cpp pull request 23884).
const lastLateBuild = 9417

// lateHeaders reports whether the events name such a build, in a fingerprint
// such as "b9417-b5f52280f". Build 1 comes from a checkout without history.
func lateHeaders(events []json.RawMessage) bool {
	o, ok := lastWith(events, "system_fingerprint")
	if !ok {
		return false
	}
	text, _ := o["system_fingerprint"].(string)
	number, _, _ := strings.Cut(text, "-")
	digits, isBuild := strings.CutPrefix(number, "b")
	build, err := strconv.Atoi(digits)
	return isBuild && err == nil && build > 1 && build <= lastLateBuild
}
