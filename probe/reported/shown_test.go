package reported

import "testing"

func TestShown(t *testing.T) {
	for adapter, table := range map[string][]reading{
		"openai": {
			{name: "kept only", header: header("openai-processing-ms", "214"), want: Figures{Raw: map[string]any{"openai-processing-ms": "214"}}},
			{name: "none", no: true},
		},
		"envoy": {
			{name: "kept only", header: header("x-envoy-upstream-service-time", "37"), want: Figures{Raw: map[string]any{"x-envoy-upstream-service-time": "37"}}},
			{name: "negative", header: header("x-envoy-upstream-service-time", "-1"),
				want: Figures{Absurd: []string{"x-envoy-upstream-service-time"}, Raw: map[string]any{"x-envoy-upstream-service-time": "-1"}}},
		},
		"litellm": {
			{name: "None is unknown", header: header("x-litellm-response-duration-ms", "812.5", "x-litellm-overhead-duration-ms", "None"),
				want: Figures{Raw: map[string]any{"x-litellm-response-duration-ms": "812.5", "x-litellm-overhead-duration-ms": nil}}},
			{name: "None alone", header: header("x-litellm-response-duration-ms", "None"), no: true},
			{name: "detailed", header: header("x-litellm-timing-llm-api-ms", "700"), want: Figures{Raw: map[string]any{"x-litellm-timing-llm-api-ms": "700"}}},
		},
		"kong": {
			{name: "both", header: header("X-Kong-Upstream-Latency", "31", "X-Kong-Proxy-Latency", "2"),
				want: Figures{Raw: map[string]any{"x-kong-upstream-latency": "31", "x-kong-proxy-latency": "2"}}},
		},
	} {
		t.Run(adapter, func(t *testing.T) { each(t, adapter, table) })
	}
}
