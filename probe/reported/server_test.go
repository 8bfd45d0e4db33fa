package reported

import (
	"encoding/json"
	"testing"
)

func TestIdentify(t *testing.T) {
	llama, _ := recorded(t, "llama-chat-stream-usage.txt")
	for _, c := range []struct {
		name   string
		header []string
		owners []string
		want   Server
	}{
		{"llama.cpp's header", []string{"Server", "llama.cpp"}, nil, LlamaCPP},
		{"llama.cpp's models", nil, []string{"llamacpp"}, LlamaCPP},
		{"vLLM with adapters", []string{"Server", "uvicorn"}, []string{"vllm", "vllm"}, VLLM},
		{"SGLang", nil, []string{"sglang"}, SGLang},
		{"Ollama with models of others", nil, []string{"someone", "library"}, Ollama},
		{"LM Studio", nil, []string{"organization_owner", "organization_owner"}, LMStudio},
		{"Fireworks' headers", []string{"fireworks-prompt-tokens", "3"}, nil, Fireworks},
		{"Fireworks' models", nil, []string{"fireworks"}, Fireworks},
		{"TGI", []string{"x-compute-type", "gpu"}, nil, TGI},
		{"OpenAI", []string{"openai-version", "2020-10-01"}, []string{"system", "openai"}, OpenAI},
		{"gateway before vLLM", []string{"x-litellm-call-id", "1"}, []string{"vllm"}, LiteLLM},
		{"gateway to several", nil, []string{"vllm", "openai"}, ""},
		{"two that are known", nil, []string{"vllm", "sglang"}, ""},
		{"owner of many", nil, []string{"nvidia"}, ""},
		{"nobody", []string{"Server", "nginx"}, []string{""}, ""},
		{"nothing", nil, nil, ""},
	} {
		if got := Identify(header(c.header...), c.owners); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if Identify(llama, nil) != LlamaCPP || Identify(nil, nil) != "" {
		t.Error("recorded headers")
	}
}

func TestAsk(t *testing.T) {
	for s, want := range map[Server]string{
		LlamaCPP: `{"timings_per_token":true}`, Fireworks: `{"perf_metrics_in_response":true}`,
		Dynamo: `{"nvext":{"extra_fields":["timing"]}}`, VLLM: `null`, OpenAI: `null`, "": `null`, "other": `null`,
	} {
		if got, _ := json.Marshal(s.Ask()); string(got) != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
	LlamaCPP.Ask()["stream"] = true
	Dynamo.Ask()["nvext"].(map[string]any)["annotations"] = 1
	if got, _ := json.Marshal([]any{LlamaCPP.Ask(), Dynamo.Ask()}); string(got) != `[{"timings_per_token":true},{"nvext":{"extra_fields":["timing"]}}]` {
		t.Errorf("a caller changed what is asked: %s", got)
	}
	if got := LocalAI.AskHeaders(); len(got) != 1 || got["Extra-Usage"] == "" || VLLM.AskHeaders() != nil {
		t.Errorf("got %v", got)
	}
}

func TestHeadersLeave(t *testing.T) {
	for s, want := range map[Server]Leave{
		VLLM: OnAcceptance, TGI: OnAcceptance, LlamaCPP: OnSlot, MLXLM: OnSlot, SGLang: WithFirstToken,
		Ollama: WithFirstToken, Fireworks: WithFirstToken, Groq: LeaveUnknown, LiteLLM: LeaveUnknown, "": LeaveUnknown,
	} {
		if got := s.HeadersLeave(); got != want {
			t.Errorf("%s: %d, want %d", s, got, want)
		}
	}
}
