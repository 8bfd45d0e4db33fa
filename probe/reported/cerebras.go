package reported

import (
	"encoding/json"
	"net/http"
)

// cerebras reads Cerebras' `time_info`, in seconds; its `created` is a stamp
// of the server's clock and only kept. Whether prompt_time contains the first
// decode is not documented.
func cerebras(_ http.Header, events []json.RawMessage) (Figures, bool) {
	t, ok := last(events, "time_info")
	if !ok || !t.has("queue_time", "prompt_time") {
		return Figures{}, false
	}
	p := gather("time_info", t)
	p.queueAndPrompt()
	return p.done()
}
