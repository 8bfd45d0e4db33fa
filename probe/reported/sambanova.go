package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// sambaNova reads the extras of SambaNova's usage object: seconds and tokens
// per second. start_time and end_time are stamps of the server's clock and only
// kept.
func sambaNova(_ http.Header, events []json.RawMessage) (Figures, bool) {
	u, ok := last(events, "usage")
	if !ok || !u.has("time_to_first_token", "completion_tokens_after_first_per_sec") {
		return Figures{}, false
	}
	p := gather("usage", u)
	p.WholeTTFT = p.positive("time_to_first_token", time.Second)
	p.span("total_latency", time.Second)
	p.Step = p.perSecond("completion_tokens_after_first_per_sec")
	p.usageCounts()
	return p.done()
}
