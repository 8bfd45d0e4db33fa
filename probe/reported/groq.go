package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// groq reads `x_groq.usage` of Groq's last event, in seconds. Whether
// prompt_time contains the first decode is not documented.
func groq(_ http.Header, events []json.RawMessage) (Figures, bool) {
	u, ok := last(events, "x_groq", "usage")
	if !ok {
		return Figures{}, false
	}
	p := gather("x_groq.usage", u)
	p.queueAndPrompt()
	p.usageCounts()
	return p.done()
}

// queueAndPrompt reads the pair of figures that several services share, in
// seconds, and checks their companions.
func (p place) queueAndPrompt() {
	p.Queue = p.span("queue_time", time.Second)
	p.Prefill = p.positive("prompt_time", time.Second)
	p.span("completion_time", time.Second)
	p.span("total_time", time.Second)
}
