package reported

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// An engine behind gateways: its figures cut, theirs are shown.
func TestReadSeveral(t *testing.T) {
	h, ev := recorded(t, "llama-chat-stream-usage.txt")
	h.Set("x-envoy-upstream-service-time", "9")
	h.Set("Server-Timing", "queue;dur=4, prefill;dur=99, ttft;dur=120")
	f := Read(h, ev)
	if f.Dialect != "llama.cpp" || f.Prefill != ms(7.823) || f.Queue.OK || f.WholeTTFT != ms(120) {
		t.Errorf("got %+v", f)
	}
	for _, name := range []string{"timings.prompt_ms", "server-timing.prefill", "x-envoy-upstream-service-time"} {
		if f.Raw[name] == nil {
			t.Errorf("%s is not kept", name)
		}
	}
}

// Figures to cut with win the name over figures that are only shown.
func TestDialectIsTheOneThatCuts(t *testing.T) {
	ev := events(`{"usage":{"time_to_first_token":0.3}}`)
	if f := Read(nil, ev); f.Dialect != "sambanova" || f.Cuts() {
		t.Errorf("got %+v", f)
	}
	if f := Read(header("Server-Timing", "queue;dur=4"), ev); f.Dialect != "server-timing" || !f.Cuts() {
		t.Errorf("got %+v", f)
	}
}

func TestReadNothing(t *testing.T) {
	if f := Read(nil, nil); !reflect.DeepEqual(f, Figures{}) {
		t.Errorf("got %+v", f)
	}
	f := Read(http.Header{}, events("", "null", "[]", "7", `"usage":{`, `{"usage":{`, `{"timings":null,"usage":null}`))
	if !reflect.DeepEqual(f, Figures{}) {
		t.Errorf("got %+v", f)
	}
}

// What holds figures and is no object is flagged, and hides no good one.
func TestWrongContainers(t *testing.T) {
	f := Read(nil, events(`{"choices":[],"timings":{"prompt_ms":5}}`, `{"timings":[{"prompt_ms":9}],"usage":7,"x_groq":"none"}`, `{"usage":{"prompt_tokens":9,"prompt_tokens_details":"x"}}`))
	if want := []string{"timings", "usage.prompt_tokens_details", "x_groq"}; !slices.Equal(f.Absurd, want) {
		t.Errorf("absurd: %q, want %q", f.Absurd, want)
	}
	if f.Prefill != ms(5) || f.PromptTokens != n(9) || f.Raw["timings"] != `[{"prompt_ms":9}]` {
		t.Errorf("got %+v", f)
	}
}

// Numbers are decimal, as in JSON.
func TestNumbersAreDecimal(t *testing.T) {
	for text, want := range map[string]verdict{"0x1p4": absurd, "1_000": absurd, "inf": absurd, "5ms": absurd, "1e400": absurd, "-5": fine, "+5.5e-1": fine, " 5 ": fine, "None": unsaid} {
		if _, got := number(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A total below its parts can't be.
func TestAbsurdTotal(t *testing.T) {
	f := Read(nil, events(`{"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":5}}`))
	if !slices.Equal(f.Absurd, []string{"usage.total_tokens"}) {
		t.Errorf("absurd: %q", f.Absurd)
	}
	if f := Read(nil, events(`{"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`)); len(f.Absurd) > 0 {
		t.Errorf("absurd: %q", f.Absurd)
	}
}

func TestUsageCounts(t *testing.T) {
	for text, want := range map[string]Figures{
		`{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}`: {PromptTokens: n(9), OutputTokens: n(3), CachedTokens: n(4)},
		`{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":null}}`:                    {PromptTokens: n(9)},
		`{"prompt_tokens":9,"prompt_tokens_details":null}`:                                      {PromptTokens: n(9)},
		`{"prompt_tokens":9,"prompt_cache_hit_tokens":0,"prompt_cache_miss_tokens":9}`:          {PromptTokens: n(9), CachedTokens: n(0)},
		`{"prompt_tokens":9.0,"cached_tokens":5}`:                                               {PromptTokens: n(9), CachedTokens: n(5)},
		`{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":10}}`: {PromptTokens: n(9),
			Absurd: []string{"usage.prompt_tokens_details.cached_tokens"}, Raw: map[string]any{"usage.prompt_tokens_details.cached_tokens": 10.0}},
		`{"prompt_tokens":9.5,"completion_tokens":-1}`: {Absurd: []string{"usage.completion_tokens", "usage.prompt_tokens"},
			Raw: map[string]any{"usage.completion_tokens": -1.0, "usage.prompt_tokens": 9.5}},
		`{"prompt_tokens":1e300}`: {Absurd: []string{"usage.prompt_tokens"}},
	} {
		got := Read(nil, events(`{"usage":{"prompt_tokens":1}}`, `{"choices":[],"usage":`+text+`}`, `{"usage":null}`))
		t.Run(text, func(t *testing.T) { compare(t, got, want) })
		if len(want.Absurd) == 0 && len(got.Raw) > 0 {
			t.Errorf("%s: counts alone entered the record: %v", text, got.Raw)
		}
	}
}

func TestRawIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"time_info":{"queue_time":0.5`)
	for i := range 500 {
		b.WriteString(`,"` + strings.Repeat("k", 1+i) + `":"` + strings.Repeat("é\x1b", 300) + `"`)
	}
	b.WriteString(`}}`)
	f := Read(nil, events(strings.ReplaceAll(b.String(), "\x1b", `\u001b`)))
	if len(f.Raw) > maxRaw+8 || f.Queue != ms(500) {
		t.Errorf("%d figures, queue %v", len(f.Raw), f.Queue)
	}
	for k, v := range f.Raw {
		if text, ok := v.(string); ok && (len(text) > maxText || strings.ContainsRune(text, '\x1b')) || len(k) > 2*maxText {
			t.Errorf("%q = %q", k, v)
		}
	}
}

// What is used is in the record, however much else the server says and whatever
// the order of the names; and no more of Server-Timing than there is room for.
func TestUsedFiguresAreKept(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "a%d;dur=1, ", i)
	}
	b.WriteString("queue;dur=5, prefill;dur=20")
	f := Read(header("Server-Timing", b.String()), nil)
	if f.Queue != ms(5) || f.Prefill != ms(20) || f.Raw["server-timing.queue"] != "5" || f.Raw["server-timing.prefill"] != "20" {
		t.Errorf("queue %v and prefill %v are used, %v and %v are kept", f.Queue, f.Prefill, f.Raw["server-timing.queue"], f.Raw["server-timing.prefill"])
	}
	if len(f.Raw) > 2*maxRaw {
		t.Errorf("%d figures", len(f.Raw))
	}
}

// An absurd figure is kept even where Raw is full.
func TestAbsurdIsKeptInAFullRecord(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"time_info":{"queue_time":-1`)
	for i := range 100 {
		b.WriteString(`,"a` + strings.Repeat("k", i) + `":1`)
	}
	f := Read(nil, events(b.String()+`}}`))
	if f.Raw["time_info.queue_time"] == nil || f.Absurd[0] != "time_info.queue_time" {
		t.Errorf("absurd %v, raw %v", f.Absurd, f.Raw)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("server-timing", "queue;dur=3", `{"timings":{"prompt_ms":12.05,"predicted_n":3,"predicted_ms":1e400}}`)
	f.Add("fireworks-prefill-duration", "-Inf", `{"usage":{"queue_time":"0x1p-2","prompt_tokens_details":{"cached_tokens":NaN}}}`)
	f.Add("x-queue-time", "1e999", `{"done":true,"total_duration":5,"load_duration":9,"prompt_eval_duration":1,"eval_duration":1}`)
	f.Add("Server", "llama.cpp", `{"stats":{"response_tokens":[{"time_to_first_token_in_ms":1}],"tokens_per_second":1e-320}}`)
	f.Fuzz(func(t *testing.T, name, value, event string) {
		h := http.Header{}
		h.Add(name, value)
		h[name] = append(h[name], value) // also under a name that is not canonical
		got := Read(h, events(event, `{"usage":{"prompt_tokens":3}}`, event))
		for part, m := range map[string]struct {
			d  time.Duration
			ok bool
		}{
			"handling": {got.Handling.At, got.Handling.OK}, "queue": {got.Queue.At, got.Queue.OK}, "prefill": {got.Prefill.At, got.Prefill.OK},
			"ttft": {got.WholeTTFT.At, got.WholeTTFT.OK}, "load": {got.ModelLoad.At, got.ModelLoad.OK}, "step": {got.Step.At, got.Step.OK},
		} {
			// Handling and queue are sums of at most two figures.
			if m.d < 0 || m.d > 2*longest || !m.ok && m.d != 0 {
				t.Errorf("%s is %v, %v", part, m.d, m.ok)
			}
		}
		if _, err := json.Marshal(got.Raw); err != nil {
			t.Error(err)
		}
		for _, name := range got.Absurd {
			if _, kept := got.Raw[name]; !kept {
				t.Errorf("%s is absurd and not kept", name)
			}
		}
		FromCache(h)
		Interesting(h)
		Identify(h, []string{value})
	})
}

func BenchmarkRead(b *testing.B) {
	ev := events(`{"choices":[],"usage":{"prompt_tokens":42,"completion_tokens":128},"metrics":{"time_to_first_token_ms":85.2,"queue_time_ms":12.3}}`)
	for range 64 {
		ev = append(events(`{"choices":[{"finish_reason":null,"index":0,"delta":{"content":" ge"}}],"created":1796021654,"id":"chatcmpl-oSa67sSwTungwJtwNi50vQnpdePtJIbR","model":"m","object":"chat.completion.chunk","usage":null}`), ev...)
	}
	h := header("Server", "uvicorn", "x-request-id", "1")
	b.ReportAllocs()
	for b.Loop() {
		Read(h, ev)
	}
}
