package sim

import (
	"math"
	"time"
)

// usage is the usage object of a finished answer.
func (a *answer) usage() map[string]any {
	r := a.request
	return map[string]any{
		"prompt_tokens":         r.prompt.tokens,
		"completion_tokens":     r.max,
		"total_tokens":          r.prompt.tokens + r.max,
		"prompt_tokens_details": map[string]any{"cached_tokens": r.cached},
	}
}

// report adds to a body or chunk what the dialect reports of an answer with so
// many tokens produced, in its own shape.
func (a *answer) report(body map[string]any, produced int) {
	switch a.server.fixed.Dialect {
	case DialectVLLM:
		if a.server.fixed.Unreported {
			return
		}
		body["metrics"] = a.vllmMetrics()
	case DialectLlama:
		body["timings"] = a.llamaTimings(produced)
	}
}

// vllmMetrics is vLLM's per-request metrics object, of a finished answer (its
// docs/features/per_request_metrics.md): time_to_first_token_ms is from
// scheduled to first token, without the queue but with the first decode.
func (a *answer) vllmMetrics() map[string]any {
	r := a.request
	metrics := map[string]any{
		"time_to_first_token_ms": ms(r.first.Sub(r.scheduled)),
		"generation_time_ms":     ms(r.last.Sub(r.first)),
		"queue_time_ms":          ms(r.scheduled.Sub(r.queued)),
		"mean_itl_ms":            nil,
		"tokens_per_second":      rate(r.max, r.last.Sub(r.scheduled)),
	}
	if r.max > 1 {
		metrics["mean_itl_ms"] = ms(r.last.Sub(r.first) / time.Duration(r.max-1))
	}
	return metrics
}

// llamaTimings is llama.cpp's timings object (its tools/server/README.md):
// prompt_ms is from the start of the slot to the first token, with the first
// decode; predicted_ms covers the tokens after it. prompt_n leaves out what the
// cache had.
func (a *answer) llamaTimings(produced int) map[string]any {
	r := a.request
	pass := r.first.Sub(r.scheduled)
	var decode time.Duration
	if produced == r.max {
		decode = r.last.Sub(r.first)
	} else {
		decode = time.Since(r.first)
	}
	if produced == 1 {
		decode = 0
	}
	n := r.prompt.tokens - r.cached
	return map[string]any{
		"cache_n": r.cached, "prompt_n": n, "prompt_ms": ms(pass),
		"prompt_per_token_ms": ms(pass / time.Duration(n)), "prompt_per_second": rate(n, pass),
		"predicted_n": produced, "predicted_ms": ms(decode),
		"predicted_per_token_ms": ms(decode / time.Duration(produced)), "predicted_per_second": rate(produced, decode),
	}
}

// ms is a duration in milliseconds, to the microsecond.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// rate is a number per second, 0 where no time has passed.
func rate(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return math.Round(float64(n)/d.Seconds()*1000) / 1000
}
