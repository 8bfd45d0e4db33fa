package stream

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// TestTokens holds what counts as a token, and of which channel. Each event is
// tried in a chat stream by itself.
func TestTokens(t *testing.T) {
	const none, answer, reasoning, both = "", "answer", "reasoning", "both"
	delta := func(d string) string { return `{"choices":[{"index":0,"delta":` + d + `,"finish_reason":null}]}` }
	for _, c := range []struct{ event, want, text string }{
		{delta(`{"content":"A"}`), answer, "A"},
		{delta(`{"content":" "}`), answer, " "},
		{delta(`{"content":"\n"}`), answer, "\n"},
		{delta(`{"content":"\u001b[31m\u0000"}`), answer, "\x1b[31m\x00"},
		{delta(`{"content":"\ud83c\udf0d"}`), answer, "🌍"},
		{delta(`{"content":"\ud83c"}`), answer, "\ufffd"},
		{delta("{\"content\":\"\xff\"}"), answer, "\ufffd"},
		{delta(`{"role":"assistant","content":"A"}`), answer, "A"},
		{delta(`{"refusal":"No"}`), answer, "No"},
		{delta(`{"content":"","reasoning_content":"Hm"}`), reasoning, ""},
		{delta(`{"content":null,"reasoning":"Hm"}`), reasoning, ""},
		{delta(`{"reasoning":"Hm","reasoning_content":"Hm","content":"A"}`), both, "A"},
		{delta(`{"reasoning_details":[{"type":"reasoning.text","text":"Hm"}]}`), reasoning, ""},
		{delta(`{"reasoning_details":[{"type":"reasoning.encrypted","data":"x=="}]}`), reasoning, ""},
		{delta(`{"reasoning_details":[{"type":"reasoning.summary","summary":"s"}]}`), reasoning, ""},
		{delta(`{"content":[{"type":"text","text":"A"},{"type":"text","text":"B"}]}`), answer, "AB"},
		{delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]}]}`), reasoning, ""},
		{delta(`{"content":[{"type":"thinking","thinking":"Hm"},{"type":"text","text":"A"}]}`), both, "A"},
		{delta(`{"content":{"type":"text","text":"A"}}`), answer, "A"},
		{delta(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":""}}]}`), answer, ""},
		{delta(`{"tool_calls":[{"function":{"arguments":"{"}}]}`), answer, ""},
		{delta(`{"tool_calls":[{"function":{"name":"f","arguments":{"a":1}},"extra_content":{"google":{"thought_signature":"x"}}}]}`), answer, ""},
		{delta(`{"tool_calls":[{"type":"custom","custom":{"input":"x"}}]}`), answer, ""},
		{delta(`{"function_call":{"name":"f"}}`), answer, ""},
		{delta(`{"audio":{"transcript":"Hi"}}`), answer, ""},
		{delta(`{"audio":{"data":"UklG"}}`), answer, ""},
		{`{"choices":[{"index":0,"text":"A","finish_reason":null}]}`, answer, "A"},
		{`{"choices":[{"index":1,"delta":{"content":"A"}}]}`, answer, "A"},
		{`{"choices":[{"index":0,"delta":{}},{"index":1,"delta":{"content":"A"}}]}`, answer, "A"},

		// Types that are not as they should be cost nothing.
		{`{"created":1.5,"id":7,"model":[],"usage":null,"choices":[{"index":"0","logprobs":3,"delta":{"content":"A","role":5}}]}`, answer, "A"},
		{`{"usage":"none","timings":[],"prompt_progress":1,"x_groq":"","choices":[{"delta":{"content":"A"}}]}`, answer, "A"},
		{`{"error":null,"choices":[{"delta":{"content":"A","tool_calls":null,"function_call":null,"audio":null,"refusal":null}}]}`, answer, "A"},
		{`{"error":"","choices":[{"delta":{"content":"A","tool_calls":"none","audio":"none"}}]}`, answer, "A"},
		{`{"error":{},"choices":[{"finish_reason":5,"delta":{"content":"A"}}]}`, answer, "A"},

		{delta(`{"role":"assistant"}`), none, ""},
		{delta(`{"role":"assistant","content":""}`), none, ""},
		{delta(`{"role":"assistant","content":null}`), none, ""},
		{delta(`{}`), none, ""},
		{delta(`null`), none, ""},
		{delta(`"A"`), none, ""},
		{delta(`{"content":42}`), none, ""},
		{delta(`{"content":[]}`), none, ""},
		{delta(`{"content":[{"type":"text","text":""}]}`), none, ""},
		{delta(`{"content":[3,null,"x"]}`), none, ""},
		{delta(`{"reasoning":"","reasoning_content":null}`), none, ""},
		{delta(`{"reasoning_details":[]}`), none, ""},
		{delta(`{"reasoning_details":[{"type":"reasoning.text","text":"","signature":"x"}]}`), none, ""},
		{delta(`{"tool_calls":[]}`), none, ""},
		{delta(`{"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"","arguments":""}}]}`), none, ""},
		{delta(`{"audio":{"id":"audio_1"}}`), none, ""},
		{delta(`{"content":"","obfuscation":"xYz"}`), none, ""},
		{`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}`, none, ""},
		{`{"choices":null}`, none, ""},
		{`{"choices":{}}`, none, ""},
		{`{}`, none, ""},
		{`{"choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false}}}]}`, none, ""},
		{`{"choices":[{"index":0,"delta":{},"content_filter_results":{"hate":{"filtered":false}},"content_filter_offsets":{"check_offset":1}}]}`, none, ""},
		{`{"choices":[{"index":0,"delta":{"role":"assistant","content":null}}],"prompt_progress":{"total":4,"cache":1,"processed":2,"time_ms":3}}`, none, ""},
		{`{"message":{"role":"assistant","content":"A"},"response":"A"}`, none, ""}, // Ollama's fields in SSE
	} {
		p := New(Options{})
		if err := p.Feed([]byte("data: "+c.event+"\n"), time.Second, 3); err != nil {
			t.Errorf("%s: %v", c.event, err)
		}
		checkChannel(t, c.event, p.Answer(), c.want, c.text)
	}
}

func TestTokensOfOllama(t *testing.T) {
	for _, c := range []struct{ event, want, text string }{
		{`{"message":{"role":"assistant","content":"A"},"done":false}`, "answer", "A"},
		{`{"message":{"role":"assistant","content":"","thinking":"Hm"},"done":false}`, "reasoning", ""},
		{`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]}}`, "answer", ""},
		{`{"response":"A","done":false}`, "answer", "A"},
		{`{"response":"","thinking":"Hm","done":false}`, "reasoning", ""},
		{`{"message":{"role":"assistant","content":""},"done":true,"eval_count":3}`, "", ""},
		{`{"choices":[{"delta":{"content":"A"}}]}`, "", ""},
	} {
		p := New(Options{Format: NDJSON})
		if err := p.Feed([]byte(c.event+"\n"), time.Second, 3); err != nil {
			t.Errorf("%s: %v", c.event, err)
		}
		checkChannel(t, c.event, p.Answer(), c.want, c.text)
	}
}

func checkChannel(t *testing.T, event string, a Answer, want, text string) {
	t.Helper()
	got := ""
	switch {
	case a.FirstAnswer.OK && a.FirstReasoning.OK:
		got = "both"
	case a.FirstAnswer.OK:
		got = "answer"
	case a.FirstReasoning.OK:
		got = "reasoning"
	}
	second := probe.At(time.Second)
	if got != want || a.Text != text {
		t.Errorf("%s: is %q with text %q, want %q with %q", event, got, a.Text, want, text)
	}
	if a.Events != 1 || a.Skipped != 0 || a.FirstEvent != second {
		t.Errorf("%s: %d events at %v, %d skipped", event, a.Events, a.FirstEvent, a.Skipped)
	}
	if want == "" && (a.FirstToken.OK || a.LastToken.OK || len(a.Tokens) != 0 || a.FirstTokens != 0) {
		t.Errorf("%s: a token: %+v", event, a)
	}
	if want != "" && (a.FirstToken != second || a.LastToken != second || len(a.Tokens) != 1 || a.Tokens[0] != probe.Arrival{At: time.Second, Read: 3}) {
		t.Errorf("%s: no token: %+v", event, a)
	}
}

// TestThinkingText keeps reasoning apart from the answer, and once where a
// server sends it under two names.
func TestThinkingText(t *testing.T) {
	a := read(t, `data: {"choices":[{"delta":{"reasoning":"Hm","reasoning_content":"Hm"}}]}`,
		`data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"text":", so"}]},{"type":"text","text":"Yes"}]}}]}`)
	if a.Thinking != "Hm, so" || a.Text != "Yes" {
		t.Errorf("thinking %q, text %q", a.Thinking, a.Text)
	}
}

// TestTextLimit cuts text between characters and keeps a true beginning.
func TestTextLimit(t *testing.T) {
	event := `data: {"choices":[{"delta":{"content":"aé🌍b"}}]}` + "\n"
	for limit, want := range map[int]string{-1: "", 1: "a", 2: "a", 3: "aé", 4: "aé", 6: "aé", 7: "aé🌍", 8: "aé🌍b", 9: "aé🌍ba", 0: strings.Repeat("aé🌍b", 3)} {
		p := New(Options{TextLimit: limit})
		for range 3 {
			if err := p.Feed([]byte(event), 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		if got := p.Answer().Text; got != want {
			t.Errorf("limit %d: %q, want %q", limit, got, want)
		}
	}
}

// read feeds lines, one event each, at 100 ms, 200 ms and so on.
func read(t *testing.T, lines ...string) Answer {
	t.Helper()
	p := New(Options{})
	for i, line := range lines {
		_ = p.Feed([]byte(line+"\n\n"), time.Duration(i+1)*100*time.Millisecond, i)
	}
	p.End(nil)
	return p.Answer()
}
