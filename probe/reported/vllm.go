package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// vLLM reads the per-request `metrics` of vLLM's last usage event, in
// milliseconds (server flag --enable-per-request-metrics). Its
// time_to_first_token_ms runs from scheduled to first token: prefill with the
// first decode, without queue. Handling comes before queued and is in neither.
func vLLM(_ http.Header, events []json.RawMessage) (Figures, bool) {
	m, ok := last(events, "metrics")
	if !ok || !m.has("time_to_first_token_ms", "queue_time_ms") {
		return Figures{}, false
	}
	p := gather("metrics", m)
	p.Queue = p.span("queue_time_ms", time.Millisecond)
	p.Prefill, p.FirstDecodeInPrefill = p.positive("time_to_first_token_ms", time.Millisecond), Yes
	p.Step = p.positive("mean_itl_ms", time.Millisecond)
	p.span("generation_time_ms", time.Millisecond)
	return p.done()
}
