package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// nim reads the `stats` object of NVIDIA NIM, in milliseconds (environment
// variable NIM_PER_REQ_METRICS_ENABLE). Its time to first token counts from
// the start of processing: prefill with the first decode. The queue is there
// with the vLLM back end only.
func nim(_ http.Header, events []json.RawMessage) (Figures, bool) {
	s, ok := last(events, "stats")
	if !ok || !s.has("time_in_queue_in_ms", "response_tokens", "llm_input_token_length") {
		return Figures{}, false
	}
	if list, isList := s["response_tokens"].([]any); isList && len(list) == 1 {
		s["response_tokens"] = list[0]
	}
	p := gather("stats", s)
	p.Queue = p.span("time_in_queue_in_ms", time.Millisecond)
	p.span("generation_time_in_ms", time.Millisecond)
	p.PromptTokens = p.count("llm_input_token_length")
	p.OutputTokens = p.count("llm_output_token_length")
	response := p.in("response_tokens")
	p.Prefill, p.FirstDecodeInPrefill = response.positive("time_to_first_token_in_ms", time.Millisecond), Yes
	p.Step = response.positive("token_to_token_time_in_ms", time.Millisecond)
	return p.done()
}
