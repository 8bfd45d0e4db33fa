package reported

import "testing"

func TestGroq(t *testing.T) {
	each(t, "groq", []reading{
		{name: "final event", events: events(
			`{"choices":[{"delta":{"role":"assistant","content":""}}],"x_groq":{"id":"req_1"}}`,
			`{"choices":[{"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"req_1","usage":{"queue_time":0.037493756,"prompt_tokens":18,"prompt_time":0.000680594,"completion_tokens":556,"completion_time":0.463333333,"total_tokens":574,"total_time":0.464013927}}}`),
			want: Figures{Queue: ms(37.493756), Prefill: ms(0.680594), PromptTokens: n(18), OutputTokens: n(556),
				Raw: map[string]any{"x_groq.usage.queue_time": 0.037493756, "x_groq.usage.total_time": 0.464013927}}},
		{name: "no queue said", events: events(`{"x_groq":{"usage":{"queue_time":null,"prompt_time":0.0051}}}`),
			want: Figures{Prefill: ms(5.1)}},
		{name: "no queue is zero", events: events(`{"x_groq":{"usage":{"queue_time":0,"prompt_time":0.0051}}}`),
			want: Figures{Queue: ms(0), Prefill: ms(5.1)}},
		{name: "a prefill of nothing was not measured", events: events(`{"x_groq":{"usage":{"queue_time":0.5,"prompt_time":0}}}`),
			want: Figures{Queue: ms(500), Raw: map[string]any{"x_groq.usage.prompt_time": 0.0}}},
		{name: "negative queue", events: events(`{"x_groq":{"usage":{"queue_time":-0.2,"prompt_time":0.0051}}}`),
			want: Figures{Prefill: ms(5.1), Absurd: []string{"x_groq.usage.queue_time"}, Raw: map[string]any{"x_groq.usage.queue_time": -0.2}}},
		{name: "an error alone", events: events(`{"x_groq":{"id":"r","error":"over capacity"}}`), no: true},
	})
}

func TestCerebras(t *testing.T) {
	each(t, "cerebras", []reading{
		{name: "seconds", events: events(`{"choices":[],"usage":{"prompt_tokens":294,"completion_tokens":2},"time_info":{"queue_time":0.0836,"prompt_time":0.0051,"completion_time":0.0341,"total_time":0.1246,"created":1796021654}}`),
			want: Figures{Queue: ms(83.6), Prefill: ms(5.1), Raw: map[string]any{"time_info.created": 1796021654.0}}},
		{name: "beyond an hour", events: events(`{"time_info":{"queue_time":3601,"prompt_time":0.1}}`),
			want: Figures{Prefill: ms(100), Absurd: []string{"time_info.queue_time"}, Raw: map[string]any{"time_info.queue_time": 3601.0}}},
		{name: "something else", events: events(`{"time_info":{"zone":"UTC"}}`), no: true},
	})
}

func TestPlainUsage(t *testing.T) {
	each(t, "usage", []reading{
		{name: "queue null", events: events(`{"choices":[],"usage":{"prompt_tokens":294,"completion_tokens":2,"total_tokens":296,"queue_time":null,"prompt_time":0.0051}}`),
			want: Figures{Prefill: ms(5.1), PromptTokens: n(294), OutputTokens: n(2)}},
		{name: "both", events: events(`{"usage":{"queue_time":0.25,"prompt_time":0.0051,"completion_time":1.5}}`),
			want: Figures{Queue: ms(250), Prefill: ms(5.1)}},
		{name: "counts alone are no dialect", events: events(`{"usage":{"prompt_tokens":294,"completion_tokens":2}}`), no: true},
		{name: "null", events: events(`{"usage":null}`), no: true},
	})
}

func TestSambaNova(t *testing.T) {
	each(t, "sambanova", []reading{
		{name: "usage event", events: events(`{"choices":[],"usage":{"is_last_response":true,"total_tokens":62,"prompt_tokens":43,"completion_tokens":19,"time_to_first_token":0.0987,"total_latency":0.1421,"start_time":1732923610.4,"end_time":1732923610.6,"completion_tokens_per_sec":133.7,"completion_tokens_after_first_per_sec":400,"completion_tokens_after_first_per_sec_graph":[1,2],"acceptance_rate":0,"prompt_tokens_details":{"cached_tokens":7}}}`),
			want: Figures{WholeTTFT: ms(98.7), Step: ms(2.5), PromptTokens: n(43), OutputTokens: n(19), CachedTokens: n(7),
				Raw: map[string]any{"usage.start_time": 1732923610.4, "usage.is_last_response": true, "usage.total_latency": 0.1421}}},
		{name: "no rate with one token", events: events(`{"usage":{"time_to_first_token":0.1,"completion_tokens_after_first_per_sec":0}}`),
			want: Figures{WholeTTFT: ms(100)}},
		{name: "plain", events: events(`{"usage":{"prompt_tokens":3}}`), no: true},
	})
}

func TestFireworks(t *testing.T) {
	each(t, "fireworks", []reading{
		{name: "headers of a stream", header: header("fireworks-server-time-to-first-token", "0.350"),
			want: Figures{WholeTTFT: ms(350), Raw: map[string]any{"fireworks.server-time-to-first-token": "0.350"}}},
		{name: "body, texts", header: header("fireworks-server-time-to-first-token", "0.350", "fireworks-deployment", "accounts/a"),
			events: events(`{"choices":[{"finish_reason":"stop"}],"perf_metrics":{"prefill-queue-duration":"0.1","prefill-duration":"0.2","tokenizer-queue-duration":"0.001","tokenizer-duration":"0.004","generation-queue-duration":"0.01","prompt-tokens":"256","cached-prompt-tokens":"128","num-concurrent-requests":"12"}}`),
			want: Figures{WholeTTFT: ms(350), Handling: ms(5), Queue: ms(110), Prefill: ms(200), PromptTokens: n(256), CachedTokens: n(128),
				Raw: map[string]any{"fireworks.deployment": nil, "fireworks.num-concurrent-requests": "12"}}},
		{name: "body, numbers with the prefix", events: events(`{"perf_metrics":{"fireworks-prefill-duration":0.2,"fireworks-tokenizer-duration":0.004}}`),
			want: Figures{Handling: ms(4), Prefill: ms(200)}},
		{name: "no room for the generation queue", events: events(`{"perf_metrics":{"server-time-to-first-token":0.3,"prefill-queue-duration":0.09,"prefill-duration":0.2,"generation-queue-duration":0.5}}`),
			want: Figures{WholeTTFT: ms(300), Queue: ms(90), Prefill: ms(200)}},
		{name: "generation queue alone is not the queue", events: events(`{"perf_metrics":{"generation-queue-duration":0.5}}`)},
		{name: "NaN", header: header("fireworks-prefill-duration", "NaN"),
			want: Figures{Absurd: []string{"fireworks.prefill-duration"}, Raw: map[string]any{"fireworks.prefill-duration": "NaN"}}},
		{name: "nobody", header: header("x-request-id", "1"), events: events(`{"perf_metrics":null}`), no: true},
	})
}
