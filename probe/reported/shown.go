package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// shown reads headers in milliseconds that are kept for the record and never
// cut with.
func shown(h http.Header, names ...string) (Figures, bool) {
	p := headers(h, names...)
	for _, name := range names {
		p.span(name, time.Millisecond)
	}
	return p.done()
}

// openAI reads OpenAI's processing time. What it covers on a stream is not
// documented.
func openAI(h http.Header, _ []json.RawMessage) (Figures, bool) {
	return shown(h, "openai-processing-ms")
}

// envoy reads how long Envoy waited for the headers of its upstream. Before a
// server that sends headers on acceptance that is handling, but the client's
// own headers mark measures the same with the proxy's work inside; before any
// other server it holds queue or all of the TTFT.
func envoy(h http.Header, _ []json.RawMessage) (Figures, bool) {
	return shown(h, "x-envoy-upstream-service-time")
}

// liteLLM reads the times of a LiteLLM proxy. What its response duration
// covers on a stream is not documented, and its own stages begin after the
// wait for its event loop.
func liteLLM(h http.Header, _ []json.RawMessage) (Figures, bool) {
	return shown(h, "x-litellm-response-duration-ms", "x-litellm-overhead-duration-ms",
		"x-litellm-callback-duration-ms", "x-litellm-timing-pre-processing-ms",
		"x-litellm-timing-llm-api-ms", "x-litellm-timing-post-processing-ms",
		"x-litellm-timing-message-copy-ms")
}

// kong reads the times of a Kong gateway: waiting for the upstream's headers,
// and its own work.
func kong(h http.Header, _ []json.RawMessage) (Figures, bool) {
	return shown(h, "x-kong-upstream-latency", "x-kong-proxy-latency")
}
