package chat

import (
	"encoding/json"
	"strings"
	"testing"
)

func body(t *testing.T, r Request, s Shape) map[string]any {
	t.Helper()
	data, err := r.Body(s)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestPlainBody(t *testing.T) {
	f := body(t, Request{Model: "o1-open-7b", Prompt: "time year", MaxTokens: 16, Ask: map[string]any{"timings_per_token": true}}, Shape{})
	if f["model"] != "o1-open-7b" || f["stream"] != true || f["max_tokens"] != 16.0 || f["timings_per_token"] != true {
		t.Errorf("fields: %v", f)
	}
	if f["stream_options"].(map[string]any)["include_usage"] != true {
		t.Errorf("no usage is asked for: %v", f)
	}
	if _, ok := f["temperature"]; ok {
		t.Error("a temperature is sent that nobody asked for")
	}
}

// Refusals from the wild, and what is sent next.
func TestAdapt(t *testing.T) {
	ask := map[string]any{"timings_per_token": true}
	for _, c := range []struct {
		name     string
		status   int
		refusals []string
		with     []string
		without  []string
		last     bool // whether the last refusal leads to another try
	}{
		{"max_tokens, by param", 400, []string{`{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`},
			[]string{"max_completion_tokens"}, []string{"max_tokens"}, true},
		{"max_completion_tokens to a plain shape", 400, []string{`{"error":{"message":"Unrecognized request argument supplied: max_completion_tokens","param":null}}`},
			[]string{"max_tokens"}, nil, false},
		{"both in turn", 400, []string{`{"error":{"message":"no max_tokens","param":"max_tokens"}}`, `{"error":{"message":"no max_completion_tokens"}}`},
			nil, []string{"max_tokens", "max_completion_tokens"}, true},
		{"stream_options, FastAPI", 400, []string{`{"detail":"Extra parameters ['stream_options'] are not allowed"}`},
			[]string{"max_tokens"}, []string{"stream_options"}, true},
		{"an extra field", 422, []string{`{"detail":[{"loc":["body","timings_per_token"],"msg":"extra fields not permitted"}]}`},
			[]string{"stream_options"}, []string{"timings_per_token"}, true},
		{"twice the same", 400, []string{`{"detail":"stream_options"}`, `{"detail":"stream_options"}`}, nil, []string{"stream_options"}, false},
		{"part of another word", 400, []string{`{"detail":"max_tokens_per_minute is reached"}`}, []string{"max_tokens"}, nil, false},
		{"too long a prompt", 400, []string{`{"error":{"message":"maximum context length is 4096 tokens","param":"messages","code":"context_length_exceeded"}}`},
			[]string{"max_tokens"}, nil, false},
		{"another status", 500, []string{`{"error":{"message":"max_tokens"}}`}, []string{"max_tokens"}, nil, false},
	} {
		s, again := Shape{}, false
		for _, refusal := range c.refusals {
			var sentence string
			s, sentence, again = s.Adapt(c.status, []byte(refusal), ask)
			if again == (sentence == "") {
				t.Errorf("%s: again %v with sentence %q", c.name, again, sentence)
			}
		}
		if again != c.last {
			t.Errorf("%s: another try %v, want %v", c.name, again, c.last)
		}
		f := body(t, Request{Model: "m", Prompt: "x", MaxTokens: 16, Ask: ask}, s)
		for _, name := range c.with {
			if _, ok := f[name]; !ok {
				t.Errorf("%s: %s is missing", c.name, name)
			}
		}
		for _, name := range c.without {
			if _, ok := f[name]; ok {
				t.Errorf("%s: %s is still sent", c.name, name)
			}
		}
	}
}

func TestTemplate(t *testing.T) {
	own, err := ParseTemplate([]byte(`{"model":"theirs","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],"temperature":0,"top_p":0.5,"max_completion_tokens":9}`))
	if err != nil {
		t.Fatal(err)
	}
	if own.Model() != "theirs" || own.MaxTokens() != 9 {
		t.Errorf("model %q, limit %d", own.Model(), own.MaxTokens())
	}
	f := body(t, Request{Model: "m", Prompt: "zone", MaxTokens: 4, Template: own}, Shape{})
	if f["model"] != "m" || f["max_tokens"] != 4.0 || f["temperature"] != 0.0 || f["top_p"] != 0.5 || f["stream"] != true {
		t.Errorf("fields: %v", f)
	}
	if _, ok := f["max_completion_tokens"]; ok {
		t.Error("two limits are sent")
	}
	messages := f["messages"].([]any)
	if got := messages[0].(map[string]any)["content"]; got != "zone\nBe brief." {
		t.Errorf("first message %q", got)
	}
	f = body(t, Request{Model: "m", Template: own}, Shape{})
	if got := f["messages"].([]any)[0].(map[string]any)["content"]; got != "Be brief." {
		t.Errorf("the file was changed: %q", got)
	}
	f = body(t, Request{Model: "m", Template: own}, Shape{left: []string{"temperature"}})
	if _, ok := f["temperature"]; ok {
		t.Error("a refused temperature is sent again")
	}
}

func TestBadTemplates(t *testing.T) {
	for in, want := range map[string]string{
		`[1]`:                            "not a chat request",
		`{"messages":[]}`:                "no messages",
		`{"prompt":"x"}`:                 "no messages",
		`{"messages":["x"]}`:             "message 1 is no object",
		`{"n":3,"messages":[{"a":"b"}]}`: "leave n out",
	} {
		if _, err := ParseTemplate([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want …%s…", in, err, want)
		}
	}
}
