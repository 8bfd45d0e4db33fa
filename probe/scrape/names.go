package scrape

import "ttftop/probe/reported"

// reading says where one metric goes. Rows of the same target stand in order
// of preference: a later one counts only on pages that lack the earlier.
type reading struct {
	server reported.Server
	metric string
	label  [2]string // only series with this label and value; empty for all
	total  func(*Model) *Total
	gauge  func(*Model) *Gauge
	most   bool // of several engines the highest value counts, not the sum
	arrive bool // this queue counts from arrival
}

func queue(m *Model) *Total        { return &m.Queue }
func prefill(m *Model) *Total      { return &m.Prefill }
func chunks(m *Model) *Total       { return &m.Chunks }
func ttft(m *Model) *Total         { return &m.TTFT }
func prompt(m *Model) *Total       { return &m.Prompt }
func promptTokens(m *Model) *Total { return &m.PromptTokens }
func cachedTokens(m *Model) *Total { return &m.CachedTokens }
func running(m *Model) *Gauge      { return &m.Running }
func waiting(m *Model) *Gauge      { return &m.Waiting }
func cacheUse(m *Model) *Gauge     { return &m.CacheUse }

// readings is every metric that is read. Sources: vLLM docs/design/metrics.md,
// SGLang srt/metrics/collector.py, llama.cpp tools/server/README.md, TGI
// docs/source/reference/metrics.md.
var readings = []reading{
	{server: reported.VLLM, metric: "vllm:request_queue_time_seconds", total: queue},
	{server: reported.VLLM, metric: "vllm:time_in_queue_requests", total: queue, arrive: true}, // until 0.8, seconds
	{server: reported.VLLM, metric: "vllm:request_prefill_time_seconds", total: prefill},
	{server: reported.VLLM, metric: "vllm:time_to_first_token_seconds", total: ttft},
	{server: reported.VLLM, metric: "vllm:request_prompt_tokens", total: prompt},
	{server: reported.VLLM, metric: "vllm:prompt_tokens_total", total: promptTokens},
	{server: reported.VLLM, metric: "vllm:prefix_cache_hits_total", total: cachedTokens},
	{server: reported.VLLM, metric: "vllm:gpu_prefix_cache_hits_total", total: cachedTokens},
	{server: reported.VLLM, metric: "vllm:num_requests_running", gauge: running},
	{server: reported.VLLM, metric: "vllm:num_requests_waiting", gauge: waiting},
	{server: reported.VLLM, metric: "vllm:kv_cache_usage_perc", gauge: cacheUse, most: true},
	{server: reported.VLLM, metric: "vllm:gpu_cache_usage_perc", gauge: cacheUse, most: true},

	{server: reported.SGLang, metric: "sglang:queue_time_seconds", total: queue},
	{server: reported.SGLang, metric: "sglang:per_stage_req_latency_seconds", label: [2]string{"stage", "prefill_waiting"}, total: queue},
	{server: reported.SGLang, metric: "sglang:per_stage_req_latency_seconds", label: [2]string{"stage", "prefill_forward"}, total: prefill},
	{server: reported.SGLang, metric: "sglang:per_stage_req_latency_seconds", label: [2]string{"stage", "chunked_prefill"}, total: chunks},
	{server: reported.SGLang, metric: "sglang:time_to_first_token_seconds", total: ttft},
	{server: reported.SGLang, metric: "sglang:prompt_tokens_histogram", total: prompt},
	{server: reported.SGLang, metric: "sglang:prompt_tokens_total", total: promptTokens},
	{server: reported.SGLang, metric: "sglang:cached_tokens_total", total: cachedTokens},
	{server: reported.SGLang, metric: "sglang:num_running_reqs", gauge: running},
	{server: reported.SGLang, metric: "sglang:num_queue_reqs", gauge: waiting},
	{server: reported.SGLang, metric: "sglang:token_usage", gauge: cacheUse, most: true},

	{server: reported.LlamaCPP, metric: "llamacpp:prompt_seconds_total", total: prefill},
	{server: reported.LlamaCPP, metric: "llamacpp:prompt_tokens_total", total: promptTokens},
	{server: reported.LlamaCPP, metric: "llamacpp:prompt_tokens_cached_total", total: cachedTokens},
	{server: reported.LlamaCPP, metric: "llamacpp:requests_processing", gauge: running},
	{server: reported.LlamaCPP, metric: "llamacpp:requests_deferred", gauge: waiting},
	{server: reported.LlamaCPP, metric: "llamacpp:kv_cache_usage_ratio", gauge: cacheUse, most: true},

	{server: reported.TGI, metric: "tgi_request_queue_duration", total: queue},
	{server: reported.TGI, metric: "tgi_batch_inference_duration", label: [2]string{"method", "prefill"}, total: prefill}, // one per batch
	{server: reported.TGI, metric: "tgi_request_input_length", total: prompt},
	{server: reported.TGI, metric: "tgi_batch_current_size", gauge: running},
	{server: reported.TGI, metric: "tgi_queue_size", gauge: waiting},
}

// names are those of the lines of a page that are read: of the metrics, and of
// the sums and counts of the histograms among them.
var names = func() map[string]bool {
	all := map[string]bool{}
	for _, r := range readings {
		for _, suffix := range []string{"", "_sum", "_count"} {
			all[r.metric+suffix] = true
		}
	}
	return all
}()

// longestName is how far into a line the end of a name is looked for, in bytes.
const longestName = 200

// rayPrefix is what Ray Serve puts before the metrics of vLLM.
const rayPrefix = "ray_"
