package reported

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

const fireworksPrefix = "fireworks-"

// fireworks reads Fireworks' performance figures, in seconds: the headers
// (few of them on a stream) and `perf_metrics` of the event with the
// finish_reason, which has to be asked for. Its keys are those of the headers
// with or without their prefix, its values numbers or texts. Whether prefill
// contains the first decode is not documented.
func fireworks(h http.Header, events []json.RawMessage) (Figures, bool) {
	o := object{}
	for _, name := range withPrefix(h, fireworksPrefix) {
		o[strings.TrimPrefix(name, fireworksPrefix)] = h.Get(name)
	}
	body, _ := last(events, "perf_metrics")
	for key, v := range body {
		o[strings.TrimPrefix(strings.ToLower(key), fireworksPrefix)] = v
	}
	delete(o, "deployment") // names the account
	if len(o) == 0 {
		return Figures{}, false
	}
	p := gather("fireworks", o)
	p.WholeTTFT = p.positive("server-time-to-first-token", time.Second)
	p.Handling = sum(p.span("tokenizer-duration", time.Second), p.span("tokenizer-queue-duration", time.Second))
	p.Prefill = p.positive("prefill-duration", time.Second)
	p.Queue = p.span("prefill-queue-duration", time.Second)
	p.generationQueue()
	p.span("server-processing-time", time.Second)
	p.PromptTokens = p.count("prompt-tokens")
	p.CachedTokens = p.count("cached-prompt-tokens")
	return p.done()
}

// generationQueue counts the wait for generation as queue, unless the
// server's own TTFT has no room for it: then the first token was out before.
func (p place) generationQueue() {
	with := sum(p.Queue, p.span("generation-queue-duration", time.Second))
	all := sum(with, p.Handling, p.Prefill)
	if p.WholeTTFT.OK && all.At > p.WholeTTFT.At {
		return
	}
	p.Queue = with
}
