package reported

import "testing"

func TestVLLM(t *testing.T) {
	each(t, "vllm", []reading{
		{name: "documented", events: events(`{"choices":[],"usage":{"prompt_tokens":42,"completion_tokens":128},"metrics":{"time_to_first_token_ms":85.2,"generation_time_ms":1240.5,"queue_time_ms":12.3,"mean_itl_ms":9.1,"tokens_per_second":103.2}}`),
			want: Figures{Queue: ms(12.3), Prefill: ms(85.2), FirstDecodeInPrefill: Yes, Step: ms(9.1),
				Raw: map[string]any{"metrics.generation_time_ms": 1240.5, "metrics.tokens_per_second": 103.2}}},
		{name: "one token", events: events(`{"metrics":{"time_to_first_token_ms":85.2,"queue_time_ms":0.0,"mean_itl_ms":null}}`),
			want: Figures{Queue: ms(0), Prefill: ms(85.2), FirstDecodeInPrefill: Yes}},
		{name: "split by channel", events: events(`{"metrics":{"time_to_first_token_ms":85.2,"output_token_metrics":{"reasoning":{"token_count":7,"mean_itl_ms":8}}}}`),
			want: Figures{Prefill: ms(85.2), FirstDecodeInPrefill: Yes, Raw: map[string]any{"metrics.output_token_metrics.reasoning.token_count": 7.0}}},
		{name: "several choices", events: events(`{"metrics":null}`), no: true},
		{name: "somebody else's metrics", events: events(`{"metrics":{"latency":3}}`), no: true},
		{name: "Python's NaN hides nothing", events: events(`{"id":"NaN","metrics":{"time_to_first_token_ms":85.2,"queue_time_ms":NaN,"mean_itl_ms":-Infinity}}`),
			want: Figures{Prefill: ms(85.2), FirstDecodeInPrefill: Yes, Absurd: []string{"metrics.queue_time_ms", "metrics.mean_itl_ms"},
				Raw: map[string]any{"metrics.queue_time_ms": "NaN", "metrics.mean_itl_ms": "-Infinity"}}},
		{name: "not a number", events: events(`{"metrics":{"time_to_first_token_ms":{"p50":3},"queue_time_ms":true,"mean_itl_ms":"soon"}}`),
			want: Figures{Absurd: []string{"metrics.queue_time_ms", "metrics.time_to_first_token_ms", "metrics.mean_itl_ms"},
				Raw: map[string]any{"metrics.queue_time_ms": true, "metrics.mean_itl_ms": "soon", "metrics.time_to_first_token_ms": `{"p50":3}`}}},
	})
}

// vLLM names itself in no header; its figures do, unless a gateway speaks.
func TestVLLMHeaders(t *testing.T) {
	ev := events(`{"metrics":{"time_to_first_token_ms":85.2,"queue_time_ms":12.3}}`)
	if f := Read(header("Server", "uvicorn"), ev); !f.HandlingFromHeaders || f.QueueFromHeaders {
		t.Errorf("got %+v", f)
	}
	if f := Read(header("Server", "uvicorn", "x-litellm-call-id", "1"), ev); f.HandlingFromHeaders {
		t.Error("the headers are LiteLLM's")
	}
	f := Read(header("Server", "uvicorn"), nil)
	if f.HandlingFromHeaders {
		t.Error("nothing says vLLM")
	}
	if f.ServedBy(VLLM); !f.HandlingFromHeaders {
		t.Error("told that it is vLLM")
	}
}

func TestNIM(t *testing.T) {
	each(t, "nim", []reading{
		{name: "documented", events: events(`{"stats":{"type":"NIM LLM Model Stats","version":"0.1.0","llm_input_token_length":512,"llm_output_token_length":64,"generation_time_in_ms":800.0,"time_in_queue_in_ms":10.0,"response_tokens":{"response_token_length":64,"time_to_first_token_in_ms":110.0,"token_to_token_time_in_ms":12.0,"tokens_per_second":80.0}}}`),
			want: Figures{Queue: ms(10), Prefill: ms(110), FirstDecodeInPrefill: Yes, Step: ms(12), PromptTokens: n(512), OutputTokens: n(64),
				Raw: map[string]any{"stats.type": "NIM LLM Model Stats", "stats.response_tokens.tokens_per_second": 80.0}}},
		{name: "other back end, list of one", events: events(`{"stats":{"llm_input_token_length":512,"response_tokens":[{"time_to_first_token_in_ms":110.0}]}}`),
			want: Figures{Prefill: ms(110), FirstDecodeInPrefill: Yes, PromptTokens: n(512)}},
		{name: "LM Studio's", events: events(`{"stats":{"tokens_per_second":51.4,"time_to_first_token":0.111}}`), no: true},
	})
}

func TestDynamo(t *testing.T) {
	each(t, "dynamo", []reading{
		{name: "by the source", events: events(`{"nvext":{"timing":{"request_received_ms":1796021654123,"prefill_wait_time_ms":12.5,"prefill_time_ms":80.25,"ttft_ms":92.75,"total_time_ms":400.5,"kv_hit_rate":0.5}}}`),
			want: Figures{Queue: ms(12.5), QueueHasHandling: true, Prefill: ms(80.25), FirstDecodeInPrefill: Yes, WholeTTFT: ms(92.75),
				Raw: map[string]any{"nvext.timing.request_received_ms": 1796021654123.0, "nvext.timing.kv_hit_rate": 0.5}}},
		{name: "by the documentation", events: events(`{"nvext":{"timing":{"ttft_ms":92.75,"itl_ms":7.5}}}`),
			want: Figures{WholeTTFT: ms(92.75), Step: ms(7.5)}},
		{name: "other extras", events: events(`{"nvext":{"worker_id":{"decode_worker_id":7}}}`), no: true},
	})
}

func TestLMStudio(t *testing.T) {
	each(t, "lmstudio", []reading{
		{name: "own chat route", events: events(`{"usage":{"prompt_tokens":24},"stats":{"tokens_per_second":50,"time_to_first_token":0.111,"generation_time":0.954,"stop_reason":"eosFound"}}`),
			want: Figures{WholeTTFT: ms(111), Step: ms(20), Raw: map[string]any{"stats.stop_reason": "eosFound", "stats.generation_time": 0.954}}},
		{name: "named events", events: events(`{"type":"chat.end","result":{"stats":{"input_tokens":329,"total_output_tokens":268,"reasoning_output_tokens":5,"tokens_per_second":40,"time_to_first_token_seconds":0.781,"model_load_time_seconds":2.656}}}`),
			want: Figures{WholeTTFT: ms(781), ModelLoad: ms(2656), Step: ms(25), PromptTokens: n(329), OutputTokens: n(268)}},
		{name: "empty", events: events(`{"stats":{}}`), no: true},
	})
}

func TestLocalAI(t *testing.T) {
	each(t, "localai", []reading{
		{name: "milliseconds", events: events(`{"usage":{"prompt_tokens":9,"completion_tokens":4,"timing_prompt_processing":130.5,"timing_token_generation":88.25}}`),
			want: Figures{Prefill: ms(130.5), PromptTokens: n(9), OutputTokens: n(4), Raw: map[string]any{"usage.timing_token_generation": 88.25}}},
		{name: "a back end that does not measure", events: events(`{"usage":{"timing_prompt_processing":0,"timing_token_generation":0}}`),
			want: Figures{Raw: map[string]any{"usage.timing_prompt_processing": 0.0}}},
		{name: "not asked", events: events(`{"usage":{"prompt_tokens":9}}`), no: true},
	})
}

func TestTGI(t *testing.T) {
	each(t, "tgi", []reading{
		{name: "no stream", header: header("x-compute-type", "gpu+optimized", "x-compute-time", "0.472", "x-total-time", "472", "x-validation-time", "1",
			"x-queue-time", "11", "x-inference-time", "459", "x-time-per-token", "22", "x-prompt-tokens", "15", "x-generated-tokens", "20"),
			want: Figures{Handling: ms(1), Queue: ms(11), Step: ms(22), PromptTokens: n(15), OutputTokens: n(20),
				Raw: map[string]any{"x-compute-time": "0.472", "x-total-time": "472"}}},
		{name: "stream", header: header("x-compute-type", "gpu+optimized"), no: true},
		{name: "somebody else's queue", header: header("x-queue-time", "11"), no: true},
	})
	if f := Read(header("x-compute-type", "gpu+optimized"), nil); !f.HandlingFromHeaders || f.Dialect != "" {
		t.Errorf("the headers of a stream leave on acceptance: %+v", f)
	}
}
