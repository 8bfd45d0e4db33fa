package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// localAI reads the extra usage of LocalAI, in milliseconds, sent when the
// request has an Extra-Usage header. Its back ends differ: whether the prompt's
// time contains the first decode is not known, and one that does not measure
// says zero.
func localAI(_ http.Header, events []json.RawMessage) (Figures, bool) {
	u, ok := last(events, "usage")
	if !ok || !u.has("timing_prompt_processing", "timing_token_generation") {
		return Figures{}, false
	}
	p := gather("usage", u)
	p.Prefill = p.positive("timing_prompt_processing", time.Millisecond)
	p.span("timing_token_generation", time.Millisecond)
	p.usageCounts()
	return p.done()
}
