package reported

import "testing"

func TestLlamaCPPRecorded(t *testing.T) {
	for name, want := range map[string]Figures{
		"llama-chat-stream-usage-timings.txt": {
			Prefill: ms(12.05), CachedTokens: n(10), PromptTokens: n(11), OutputTokens: n(5), Step: ms(3.175),
			Raw: map[string]any{"timings.prompt_ms": 12.05, "timings.prompt_n": 1.0, "timings.predicted_per_token_ms": 3.175},
		},
		"llama-chat-stream-usage.txt": {
			Prefill: ms(7.823), CachedTokens: n(0), PromptTokens: n(11), OutputTokens: n(5), Step: ms(3.18775),
		},
		"llama-chat-stream-nousage.txt": {
			Prefill: ms(3.599), CachedTokens: n(10), PromptTokens: n(11), OutputTokens: n(5), Step: ms(3.37675),
		},
		"llama-chat-stream-progress.txt": {
			Prefill: ms(515.645), CachedTokens: n(4), PromptTokens: n(1510), OutputTokens: n(3), Step: ms(11.687),
		},
		"llama-chat-nonstream.txt": {
			Prefill: ms(57.443), CachedTokens: n(10), PromptTokens: n(11), OutputTokens: n(5), Step: ms(3.224),
		},
		"llama-completions-stream.txt": {
			Prefill: ms(7.79), CachedTokens: n(1), PromptTokens: n(3), OutputTokens: n(5), Step: ms(3.40575),
		},
		"llama-queue-behind.txt": {
			Prefill: ms(651.612), CachedTokens: n(4), PromptTokens: n(209), OutputTokens: n(3), Step: ms(20.041),
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, ev := recorded(t, name)
			want.Dialect, want.FirstDecodeInPrefill, want.QueueFromHeaders = "llama.cpp", Yes, true
			compare(t, Read(h, ev), want)
		})
	}
}

// The prefill of a stream cut off early is known from its first token on, and
// not before: progress events carry the time of the slices done so far.
func TestLlamaCPPCutOff(t *testing.T) {
	h, ev := recorded(t, "llama-chat-stream-progress.txt")
	for k, want := range map[int]float64{1: 0, 2: 0, 3: 0, 4: 515.645, 5: 515.645} {
		got := Read(h, ev[:k])
		if got.Prefill.OK != (want > 0) || want > 0 && got.Prefill != ms(want) {
			t.Errorf("after %d events prefill is %v, want %v ms", k, got.Prefill, want)
		}
		if got.FirstDecodeInPrefill == Yes && !got.Prefill.OK {
			t.Errorf("after %d events a prefill that is not known contains something", k)
		}
	}
}

func TestLlamaCPP(t *testing.T) {
	each(t, "llama.cpp", []reading{
		{name: "without counts", events: events(`{"timings":{"prompt_n":43,"prompt_ms":246.0}}`),
			want: Figures{Prefill: ms(246), FirstDecodeInPrefill: Yes}},
		{name: "one token has no step", events: events(`{"timings":{"cache_n":0,"prompt_n":43,"prompt_ms":246.0,"predicted_n":1,"predicted_ms":0.028}}`),
			want: Figures{Prefill: ms(246), FirstDecodeInPrefill: Yes, CachedTokens: n(0), PromptTokens: n(43), OutputTokens: n(1)}},
		{name: "drafts hide the step", events: events(`{"timings":{"cache_n":0,"prompt_n":43,"prompt_ms":246.0,"predicted_n":9,"predicted_ms":80,"draft_n":6,"draft_n_accepted":4}}`),
			want: Figures{Prefill: ms(246), FirstDecodeInPrefill: Yes, CachedTokens: n(0), PromptTokens: n(43), OutputTokens: n(9),
				Raw: map[string]any{"timings.draft_n_accepted": 4.0}}},
		{name: "null is unknown", events: events(`{"timings":{"prompt_ms":null,"predicted_n":3,"predicted_ms":null}}`),
			want: Figures{OutputTokens: n(3)}},
		{name: "null object", events: events(`{"timings":null}`), no: true},
		{name: "an older event has them", events: events(`{"timings":{"prompt_ms":5,"predicted_n":1}}`, `{"timings":null}`),
			want: Figures{Prefill: ms(5), FirstDecodeInPrefill: Yes, OutputTokens: n(1)}},
		{name: "somebody else's timings", events: events(`{"timings":{"total":5}}`), no: true},
		{name: "text that looks like them", events: events(`{"choices":[{"delta":{"content":"\"timings\":{\"prompt_ms\":5}"}}]}`), no: true},
		{name: "negative", events: events(`{"timings":{"prompt_ms":-4,"predicted_n":2,"predicted_ms":3}}`),
			want: Figures{OutputTokens: n(2), Step: ms(3), Absurd: []string{"timings.prompt_ms"}, Raw: map[string]any{"timings.prompt_ms": -4.0}}},
	})
}

func TestLateHeaders(t *testing.T) {
	for fingerprint, late := range map[string]bool{
		`"b9417-b5f52280f"`: true, `"b6123-abc"`: true, `"b9478-abc"`: false, `"b1-80fb11a"`: false,
		`"fp_ollama"`: false, `"b-1"`: false, `"9000-abc"`: false, `""`: false, `null`: false, `7`: false,
	} {
		ev := events(`{"system_fingerprint":` + fingerprint + `,"timings":{"prompt_ms":5,"predicted_n":1}}`)
		f := Read(header("Server", "llama.cpp"), ev)
		if f.QueueFromHeaders == late {
			t.Errorf("%s: QueueFromHeaders %v", fingerprint, f.QueueFromHeaders)
		}
		f.ServedBy(LlamaCPP) // knowing the server from elsewhere changes nothing
		if f.QueueFromHeaders == late {
			t.Errorf("%s: QueueFromHeaders %v after ServedBy", fingerprint, f.QueueFromHeaders)
		}
	}
}

// Behind a proxy that writes its own Server header nothing is known of when
// the headers leave.
func TestLlamaCPPBehindProxy(t *testing.T) {
	_, ev := recorded(t, "llama-chat-stream-usage.txt")
	if f := Read(header("Server", "nginx"), ev); f.QueueFromHeaders || f.Prefill != ms(7.823) {
		t.Errorf("got %+v", f)
	}
}
