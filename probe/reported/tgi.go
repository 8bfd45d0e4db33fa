package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// tgi reads the headers of text-generation-inference, whole milliseconds but
// for x-compute-time, which is in seconds. They come with replies that don't
// stream: a stream has x-compute-type alone, which says who answers.
func tgi(h http.Header, _ []json.RawMessage) (Figures, bool) {
	if h.Get("x-compute-type") == "" && h.Get("x-inference-time") == "" {
		return Figures{}, false
	}
	p := headers(h, "x-validation-time", "x-queue-time", "x-inference-time", "x-total-time",
		"x-time-per-token", "x-compute-time", "x-prompt-tokens", "x-generated-tokens")
	p.Handling = p.span("x-validation-time", time.Millisecond)
	p.Queue = p.span("x-queue-time", time.Millisecond)
	p.Step = p.positive("x-time-per-token", time.Millisecond)
	p.span("x-inference-time", time.Millisecond)
	p.span("x-total-time", time.Millisecond)
	p.span("x-compute-time", time.Second)
	p.PromptTokens = p.count("x-prompt-tokens")
	p.OutputTokens = p.count("x-generated-tokens")
	return p.done()
}
