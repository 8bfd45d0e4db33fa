package sim

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestMetrics(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch, cfg.CacheBlocks = 1, 100
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		b.post(t.Context(), body("m", 1, 90, 3, "")) // first token after 90 ms, last after 110
		b.post(t.Context(), body("m", 1, 90, 3, "")) // 80 cached: 10 ms and 30
		go b.post(t.Context(), body("m", 2, 50, 9, ""))
		time.Sleep(time.Millisecond)
		go b.post(t.Context(), body("m", 3, 50, 9, ""))
		time.Sleep(64 * time.Millisecond)
		synctest.Wait()
		_, text := b.get("/metrics")
		label := `{engine="0",model_name="m"} `
		for _, want := range []string{
			"vllm:num_requests_running" + label + "1\n",
			"vllm:num_requests_waiting" + label + "1\n",
			"vllm:prompt_tokens_total" + label + "230\n",
			"vllm:prefix_cache_queries_total" + label + "230\n",
			"vllm:prefix_cache_hits_total" + label + "80\n",
			"vllm:generation_tokens_total" + label + "8\n",
			`vllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 2` + "\n",
			"vllm:request_prefill_time_seconds_count" + label + "2\n",
			"vllm:request_prefill_time_seconds_sum" + label + "0.100",
			"vllm:request_decode_time_seconds_sum" + label + "0.040",
			"vllm:time_to_first_token_seconds_count" + label + "3\n",
			`vllm:time_to_first_token_seconds_bucket{engine="0",le="0.02",model_name="m"} 1` + "\n",
			`vllm:time_to_first_token_seconds_bucket{engine="0",le="0.06",model_name="m"} 2` + "\n",
			`vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf",model_name="m"} 3` + "\n",
			"# TYPE vllm:e2e_request_latency_seconds histogram\n",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in\n%s", want, text)
			}
		}
		time.Sleep(time.Second)
		if _, text := b.get("/metrics"); !strings.Contains(text, "vllm:num_requests_running"+label+"0\n") {
			t.Errorf("an idle engine still runs something:\n%s", text)
		}
	})
}

// A server that reports nothing has no metrics either.
func TestNoMetricsWithoutDialect(t *testing.T) {
	cfg := roundConfig()
	cfg.Dialect = DialectNone
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		if status, _ := b.get("/metrics"); status != 404 {
			t.Errorf("status %d", status)
		}
		r := b.post(t.Context(), body("m", 1, 20, 1, withUsage))
		if strings.Contains(r.raw, "metrics") || strings.Contains(r.raw, "timings") || !strings.Contains(r.raw, `"usage"`) {
			t.Errorf("it reports: %s", r.raw)
		}
	})
}
