package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// lmStudio reads LM Studio's `stats` (its own chat route) or `result.stats`
// (its route with named events), in seconds. What its time to first token
// covers is not documented, so it is shown and not cut with.
func lmStudio(_ http.Header, events []json.RawMessage) (Figures, bool) {
	if s, ok := last(events, "result", "stats"); ok {
		p := gather("result.stats", s)
		p.WholeTTFT = p.positive("time_to_first_token_seconds", time.Second)
		p.ModelLoad = p.span("model_load_time_seconds", time.Second)
		p.Step = p.perSecond("tokens_per_second")
		p.PromptTokens = p.count("input_tokens")
		p.OutputTokens = p.count("total_output_tokens")
		return p.done()
	}
	s, ok := last(events, "stats")
	if !ok || !s.has("time_to_first_token", "tokens_per_second") {
		return Figures{}, false
	}
	p := gather("stats", s)
	p.WholeTTFT = p.positive("time_to_first_token", time.Second)
	p.span("generation_time", time.Second)
	p.Step = p.perSecond("tokens_per_second")
	return p.done()
}
