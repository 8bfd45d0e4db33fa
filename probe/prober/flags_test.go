package prober

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// What an answer is flagged with when it is not what was asked for.
func TestFlags(t *testing.T) {
	token := `{"model":"m","choices":[{"index":0,"delta":{"content":"A"}}]}`
	end := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	usage := func(prompt, cached int) string {
		return fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":%d}}}`, prompt, cached)
	}
	events := func(list ...string) testserver.Handler {
		return func(a *testserver.Answer, _ *testserver.Request) {
			for _, data := range list {
				a.Event(data)
			}
			a.Event("[DONE]")
		}
	}
	for _, c := range []struct {
		name    string
		handler testserver.Handler
		want    []probe.Flag
	}{
		{"nothing", events(token, token, end, usage(400, 0)), nil},
		{"other model", events(`{"model":"m-turbo-instruct","choices":[{"delta":{"content":"A"}}]}`, token, end, usage(400, 0)), []probe.Flag{probe.FlagOtherModel}},
		{"prompt cut", events(token, token, end, usage(100, 0)), []probe.Flag{probe.FlagPromptCut}},
		{"cached", events(token, token, end, usage(400, 200)), []probe.Flag{probe.FlagCached}},
		{"more cached than can be", func(a *testserver.Answer, r *testserver.Request) {
			events(token, token, end, usage(r.Words(), r.Words()-1))(a, r)
		}, []probe.Flag{probe.FlagAbsurdReport}},
		{"a count that no prompt can have", events(token, token, end, usage(12, 0)), []probe.Flag{probe.FlagAbsurdReport, probe.FlagApproximate}},
		{"from a cache", func(a *testserver.Answer, _ *testserver.Request) {
			a.Header().Set("X-Cache", "HIT")
			events(token, token, end, usage(400, 0))(a, nil)
		}, []probe.Flag{probe.FlagFromCache}},
		{"no usage", events(token, token, end), []probe.Flag{probe.FlagApproximate}},
		{"one read", func(a *testserver.Answer, _ *testserver.Request) {
			a.Header().Set("Content-Type", "text/event-stream")
			for _, data := range []string{token, token, token, end, usage(400, 0), "[DONE]"} {
				io.WriteString(a, "data: "+data+"\n\n")
			}
		}, []probe.Flag{probe.FlagBuffered}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testserver.New(t, nil, c.handler)
			k := fast()
			k.PromptTokens = 400
			r := begin(t, onto(s, k))
			for _, res := range r.ordinary(2) {
				// On a busy machine tokens that come at once may share a read, or are read late.
				flags := slices.DeleteFunc(res.Flags, func(f probe.Flag) bool {
					return f == probe.FlagAtLeast || f == probe.FlagLateRead || f == probe.FlagBuffered && !slices.Contains(c.want, f)
				})
				if !slices.Equal(flags, c.want) || res.Failure != nil {
					t.Errorf("flags %v, want %v (%v)", flags, c.want, res.Failure)
				}
			}
		})
	}
}

// A model is the one that was asked for whatever of its name can't be shown.
func TestAnEchoedNameIsTheSame(t *testing.T) {
	for _, name := range []string{"my-👩\u200d💻-model", strings.Repeat("long", 75), "two  blanks"} {
		s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) {
			data, err := json.Marshal(map[string]any{"model": name, "choices": []any{map[string]any{"index": 0, "delta": map[string]string{"content": "A"}}}})
			if err != nil {
				t.Error(err)
			}
			a.Event(string(data))
			a.Event("[DONE]")
		})
		k := fast()
		k.Model = name
		for _, r := range begin(t, onto(s, k)).ordinary(1) {
			if slices.Contains(r.Flags, probe.FlagOtherModel) {
				t.Errorf("%q is taken for another model: %q", name, r.Model)
			}
		}
	}
}

// A server that names itself in its headers is known from the first answer on.
func TestServerIsNamed(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) {
		a.Header().Set("Server", "llama.cpp")
		a.Event(`{"model":"m","choices":[{"index":0,"delta":{"content":"A"}}]}`)
		a.Event("[DONE]")
	})
	for _, res := range begin(t, onto(s, fast())).ordinary(1) {
		if res.Server != "llama.cpp" {
			t.Errorf("the server is called %q", res.Server)
		}
	}
}

func TestSameModel(t *testing.T) {
	for _, c := range []struct {
		answered, asked string
		same            bool
	}{
		{"gpt-4o", "gpt-4o", true},
		{"gpt-4o-2024-08-06", "gpt-4o", true},
		{"gpt-3.5-turbo-0613", "gpt-3.5-turbo", true},
		{"claude-3-5-sonnet-20241022", "claude-3-5-sonnet-latest", true},
		{"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b-instruct", true},
		{"llama-3.1-8b-instruct", "meta-llama/llama-3.1-8b-instruct:free", true},
		{"/models/model-15m.gguf", "model-15m", true},
		{"llama3:latest", "llama3", true},
		{"gemini-pro@001", "gemini-pro", true},
		{"gpt-4o-mini", "gpt-4o", false},
		{"gpt-4", "gpt-4o", false},
		{"gpt-4o", "gpt-4", false},
		{"gpt-4-32k", "gpt-4", false},
		{"llama3:8b", "llama3:70b", false},
		{"llama-3.1-8b", "llama-3.1-8b-instruct", false},
		{"qwen", "m", false},
	} {
		if got := sameModel(c.answered, c.asked); got != c.same {
			t.Errorf("%q for %q: same %v, want %v", c.answered, c.asked, got, c.same)
		}
	}
}
