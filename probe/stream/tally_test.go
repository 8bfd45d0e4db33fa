package stream

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestCounts reads the counts of tokens in every spelling.
func TestCounts(t *testing.T) {
	usage := func(u string) string { return `data: {"choices":[],"usage":` + u + `}` }
	none := Count{}
	n := func(i int) Count { return Count{N: i, OK: true} }
	for _, c := range []struct {
		name                                   string
		events                                 []string
		prompt, completion, cached, reason, by Count
		output                                 int
		exact                                  bool
	}{
		{"no usage", nil, none, none, none, none, none, 2, false},
		{"null usage", []string{usage(`null`)}, none, none, none, none, none, 2, false},
		{"empty usage", []string{usage(`{}`)}, none, none, none, none, none, 2, false},
		{"usage", []string{usage(`{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16}`)}, n(9), n(7), none, none, none, 7, true},
		{"null after usage", []string{usage(`{"prompt_tokens":9,"completion_tokens":7}`), usage(`null`)}, n(9), n(7), none, none, none, 7, true},
		{"last usage", []string{usage(`{"prompt_tokens":9,"completion_tokens":1}`), usage(`{"prompt_tokens":9,"completion_tokens":7}`)}, n(9), n(7), none, none, none, 7, true},
		{"floats and text", []string{usage(`{"prompt_tokens":9.0,"completion_tokens":"7"}`)}, n(9), n(7), none, none, none, 7, true},
		{"fractions", []string{usage(`{"prompt_tokens":3.7,"completion_tokens":"7.5"}`)}, none, none, none, none, none, 2, false},
		{"absurd", []string{usage(`{"prompt_tokens":-1,"completion_tokens":1e300}`)}, none, none, none, none, none, 2, false},
		{"zero", []string{usage(`{"prompt_tokens":9,"completion_tokens":0}`)}, n(9), n(0), none, none, none, 2, false},
		{"input and output", []string{usage(`{"input_tokens":9,"output_tokens":7}`)}, n(9), n(7), none, none, none, 7, true},
		{"cached", []string{usage(`{"prompt_tokens":9,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":8}}`)}, n(9), n(7), n(8), none, none, 7, true},
		{"none cached", []string{usage(`{"prompt_tokens":9,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":0}}`)}, n(9), n(7), n(0), none, none, 7, true},
		{"null details", []string{usage(`{"prompt_tokens":9,"completion_tokens":7,"prompt_tokens_details":null,"completion_tokens_details":null}`)}, n(9), n(7), none, none, none, 7, true},
		{"DeepSeek", []string{usage(`{"prompt_tokens":9,"completion_tokens":7,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":1}`)}, n(9), n(7), n(8), none, none, 7, true},
		{"Moonshot", []string{usage(`{"prompt_tokens":9,"completion_tokens":7,"cached_tokens":8}`)}, n(9), n(7), n(8), none, none, 7, true},
		{"Anthropic", []string{usage(`{"prompt_tokens":9,"completion_tokens":7,"cache_read_input_tokens":8}`)}, n(9), n(7), n(8), none, none, 7, true},
		{"Fireworks", []string{`data: {"choices":[],"perf_metrics":{"cached-prompt-tokens":"8"}}`}, none, none, n(8), none, none, 2, false},
		{"Groq", []string{`data: {"choices":[],"x_groq":{"id":"r","usage":{"queue_time":0.1,"prompt_tokens":9,"completion_tokens":7}}}`}, n(9), n(7), none, none, none, 7, true},
		{"llama.cpp", []string{`data: {"choices":[],"timings":{"cache_n":6,"prompt_n":3,"predicted_n":5}}`}, n(9), none, n(6), none, n(5), 5, true},
		{"llama.cpp with usage", []string{`data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":7},"timings":{"cache_n":6,"prompt_n":3,"predicted_n":5}}`}, n(9), n(7), n(6), none, n(5), 7, true},
		{"llama.cpp progress", []string{`data: {"choices":[],"timings":{"cache_n":6,"prompt_n":1,"predicted_n":0},"prompt_progress":{"total":9,"cache":6,"processed":7}}`}, n(9), none, n(6), none, n(0), 2, false},
		{"reasoning", []string{usage(`{"prompt_tokens":9,"completion_tokens":102,"completion_tokens_details":{"reasoning_tokens":100}}`)}, n(9), n(102), none, n(100), none, 2, true},
		{"SGLang reasoning", []string{usage(`{"prompt_tokens":9,"completion_tokens":102,"reasoning_tokens":100}`)}, n(9), n(102), none, n(100), none, 2, true},
		{"reasoning beside", []string{usage(`{"prompt_tokens":9,"completion_tokens":102,"total_tokens":161,"completion_tokens_details":{"reasoning_tokens":50}}`)}, n(9), n(102), none, n(50), none, 102, true},
		{"more reasoning than all", []string{usage(`{"prompt_tokens":9,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":50}}`)}, n(9), n(2), none, n(50), none, 2, true},
		{"all is reasoning", []string{usage(`{"prompt_tokens":9,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":2}}`)}, n(9), n(2), none, n(2), none, 2, true},
	} {
		lines := append([]string{"data: " + tokenA, "data: " + tokenB, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`}, c.events...)
		a := read(t, lines...)
		if a.Prompt != c.prompt || a.Completion != c.completion || a.Cached != c.cached || a.Reasoning != c.reason || a.Generated != c.by {
			t.Errorf("%s: prompt %v, completion %v, cached %v, reasoning %v, generated %v", c.name, a.Prompt, a.Completion, a.Cached, a.Reasoning, a.Generated)
		}
		if output, exact := a.OutputTokens(); output != c.output || exact != c.exact {
			t.Errorf("%s: output %d, exact %v", c.name, output, exact)
		}
		if a.HiddenReasoning != (c.reason.N > 0) {
			t.Errorf("%s: hidden reasoning %v", c.name, a.HiddenReasoning)
		}
		if a.Failure != nil {
			t.Errorf("%s: %v", c.name, a.Failure)
		}
	}
}

// TestFirstTokens holds how many tokens the first event brought.
func TestFirstTokens(t *testing.T) {
	token := func(more string) string { return `data: {"choices":[{"delta":{"content":"A"}}]` + more + `}` }
	last := func(usage string) string { return `data: {"choices":[{"finish_reason":"stop"}],"usage":` + usage + `}` }
	for _, c := range []struct {
		name   string
		events []string
		first  int
		output int
	}{
		{"not told", []string{token(""), token(""), last(`{"completion_tokens":6}`)}, 1, 6},
		{"continuous usage", []string{token(`,"usage":{"completion_tokens":3}`), token(`,"usage":{"completion_tokens":6}`)}, 3, 6},
		{"null usage", []string{token(`,"usage":null`), last(`{"completion_tokens":6}`)}, 1, 6},
		{"a role before", []string{`data: {"choices":[{"delta":{"role":"assistant"}}],"usage":{"completion_tokens":0}}`, token(`,"usage":{"completion_tokens":2}`), token(`,"usage":{"completion_tokens":6}`)}, 2, 6},
		{"timings", []string{token(`,"timings":{"predicted_n":2}`), token(`,"timings":{"predicted_n":6}`)}, 2, 6},
		{"all at once", []string{token(`,"usage":{"completion_tokens":3}`)}, 3, 3},
		{"hidden reasoning told", []string{token(`,"usage":{"completion_tokens":101,"completion_tokens_details":{"reasoning_tokens":100}}`), last(`{"completion_tokens":106,"completion_tokens_details":{"reasoning_tokens":100}}`)}, 1, 6},
		{"hidden reasoning at the end", []string{token(`,"usage":{"completion_tokens":102}`), last(`{"completion_tokens":106,"completion_tokens_details":{"reasoning_tokens":100}}`)}, 2, 6},
	} {
		a := read(t, c.events...)
		if n, _ := a.OutputTokens(); a.FirstTokens != c.first || n != c.output {
			t.Errorf("%s: %d of %d, want %d of %d", c.name, a.FirstTokens, n, c.first, c.output)
		}
	}
}

// TestReasoningSeen holds that streamed reasoning is not hidden.
func TestReasoningSeen(t *testing.T) {
	a := read(t, `data: {"choices":[{"delta":{"reasoning":"Hm"}}]}`, "data: "+tokenA,
		`data: {"choices":[{"finish_reason":"stop"}],"usage":{"completion_tokens":12,"completion_tokens_details":{"reasoning_tokens":10}}}`)
	if n, exact := a.OutputTokens(); a.HiddenReasoning || n != 12 || !exact {
		t.Errorf("%+v", a)
	}
}

// TestRaw keeps the payloads that adapters need, in order, each once, and bounded.
func TestRaw(t *testing.T) {
	event := func(i int, more string) string { return fmt.Sprintf(`{"n":%d,"choices":[]%s}`, i, more) }
	token := func(i int, more string) string {
		return fmt.Sprintf(`{"n":%d,"choices":[{"delta":{"content":"A"}}]%s}`, i, more)
	}
	kinds := []string{`"usage":{"prompt_tokens":1}`, `"timings":{"prompt_ms":1}`, `"time_info":{"queue_time":1}`, `"x_groq":{"id":"r"}`,
		`"metrics":{"queue_time_ms":1}`, `"stats":{"a":1}`, `"nvext":{"timing":{}}`, `"perf_metrics":{"a":1}`, `"sglext":{"a":1}`}
	many := []string{token(1, "")}
	for i := range 30 {
		many = append(many, token(i+2, `,"usage":{"completion_tokens":1}`))
	}
	cases := map[string]struct {
		events []string
		want   string
	}{
		"first and first token":  {[]string{event(1, ""), event(2, ""), token(3, ""), token(4, "")}, "1 3"},
		"first is token":         {[]string{token(1, `,"usage":{"prompt_tokens":1}`), token(2, "")}, "1"},
		"last progress":          {[]string{event(1, `,"prompt_progress":{"total":1}`), event(2, `,"prompt_progress":{"total":1}`), event(3, `,"timings":{"a":1},"prompt_progress":{"total":1}`), token(4, "")}, "1 3 4"},
		"last eight":             {many, "1 24 25 26 27 28 29 30 31"},
		"nothing beyond a delta": {[]string{event(1, ""), event(2, `,"usage":null,"timings":null,"stats":{},"service_tier":"x"`)}, "1"},
		"too large":              {[]string{event(1, `,"x":"`+strings.Repeat("x", keptSize)+`"`), event(2, `,"usage":{"prompt_tokens":1}`)}, "2"},
	}
	for _, kind := range kinds {
		cases[kind] = struct {
			events []string
			want   string
		}{[]string{event(1, ""), event(2, ""), event(3, ","+kind), event(4, "")}, "1 3"}
	}
	for name, c := range cases {
		var lines []string
		for _, e := range c.events {
			lines = append(lines, "data: "+e)
		}
		var got []string
		a := read(t, lines...)
		for _, r := range a.Raw {
			var o struct{ N int }
			if err := json.Unmarshal(r, &o); err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(o.N))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: kept %s, want %s", name, g, c.want)
		}
	}
}
