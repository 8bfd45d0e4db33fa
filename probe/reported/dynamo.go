package reported

import (
	"encoding/json"
	"net/http"
	"time"
)

// dynamo reads `nvext.timing` of NVIDIA Dynamo, in milliseconds, which has to
// be asked for. prefill_wait_time_ms runs from received to the start of
// prefill, so handling is in it; prefill_time_ms from there to the first
// token. request_received_ms is a stamp of the server's clock and only kept.
func dynamo(_ http.Header, events []json.RawMessage) (Figures, bool) {
	t, ok := last(events, "nvext", "timing")
	if !ok {
		return Figures{}, false
	}
	p := gather("nvext.timing", t)
	p.Queue, p.QueueHasHandling = p.span("prefill_wait_time_ms", time.Millisecond), true
	p.Prefill, p.FirstDecodeInPrefill = p.positive("prefill_time_ms", time.Millisecond), Yes
	p.WholeTTFT = p.positive("ttft_ms", time.Millisecond)
	p.span("total_time_ms", time.Millisecond)
	p.Step = p.positive("avg_itl_ms", time.Millisecond)
	if !p.Step.OK { // the spelling of the documentation
		p.Step = p.positive("itl_ms", time.Millisecond)
	}
	return p.done()
}
