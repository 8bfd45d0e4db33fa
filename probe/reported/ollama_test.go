package reported

import (
	"testing"
	"time"

	"ttftop/probe"
)

func ns(n int64) probe.Mark { return probe.At(time.Duration(n)) }

func TestOllamaRecorded(t *testing.T) {
	for name, want := range map[string]Figures{
		"ollama-native-chat-stream.txt": {
			Prefill: ns(687658521), Queue: ns(2207889828 - 687658521 - 1492755001), ModelLoad: ns(23934358),
			OutputTokens: n(5), Step: ns(1492755001 / 4),
			Raw: map[string]any{"total_duration": 2207889828.0, "load_duration": 23934358.0, "eval_count": 5.0},
		},
		"ollama-native-generate-stream.txt": {
			Prefill: ns(12701848), Queue: ns(1455300710 - 12701848 - 1402939803), ModelLoad: ns(36093117),
			OutputTokens: n(5), Step: ns(1402939803 / 4),
		},
		"ollama-native-warm-150m.txt": {
			Prefill: ns(539743243), Queue: ns(5172173336 - 539743243 - 4470811176), ModelLoad: ns(152295568),
			OutputTokens: n(3), Step: ns(4470811176 / 2),
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, ev := recorded(t, name)
			want.Dialect, want.FirstDecodeInPrefill, want.QueueHasHandling, want.PromptTokens = "ollama", Yes, true, n(11)
			got := Read(h, ev)
			compare(t, got, want)
			if got.Loaded() {
				t.Error("a model in memory was loaded")
			}
		})
	}
}

// The parts of the native figures and the stamps of the recorded lines agree:
// eval_duration is the time from the first token to the last.
func TestOllamaEvalCoversTheStepsAfterTheFirst(t *testing.T) {
	_, ev := recorded(t, "ollama-native-chat-stream.txt")
	var stamps []time.Time
	for _, e := range ev {
		text, _ := decode(e)["created_at"].(string)
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		stamps = append(stamps, at)
	}
	steps := stamps[4].Sub(stamps[0])
	if eval := 1492755001 * time.Nanosecond; steps < eval-5*time.Millisecond || steps > eval+5*time.Millisecond {
		t.Errorf("the gaps add up to %v, eval_duration is %v", steps, eval)
	}
}

// The OpenAI route of the same server says nothing of time.
func TestOllamaOpenAIRoute(t *testing.T) {
	for name, want := range map[string]Figures{
		"ollama-openai-chat-stream-usage.txt": {PromptTokens: n(11), OutputTokens: n(5)},
		"ollama-openai-coldload-150m.txt":     {PromptTokens: n(11), OutputTokens: n(3)},
	} {
		h, ev := recorded(t, name)
		got := Read(h, ev)
		compare(t, got, want)
		if len(got.Raw) > 0 {
			t.Errorf("%s: raw %v", name, got.Raw)
		}
	}
}

func TestOllama(t *testing.T) {
	each(t, "ollama", []reading{
		{name: "model loaded first", events: events(`{"done":true,"total_duration":9000000000,"load_duration":7000000000,"prompt_eval_count":10,"prompt_eval_duration":500000000,"eval_count":3,"eval_duration":1400000000}`),
			want: Figures{ModelLoad: ms(7000), Prefill: ms(500), FirstDecodeInPrefill: Yes, Queue: ms(100), QueueHasHandling: true,
				PromptTokens: n(10), OutputTokens: n(3), Step: ms(700)}},
		{name: "cached count of newer builds", events: events(`{"done":true,"total_duration":20000000,"prompt_eval_count":11,"prompt_eval_cached_count":4}`),
			want: Figures{PromptTokens: n(11), CachedTokens: n(4)}},
		{name: "left-out eval is not zero", events: events(`{"done":true,"total_duration":20000000,"load_duration":1000000,"prompt_eval_duration":5000000,"eval_count":1}`),
			want: Figures{ModelLoad: ms(1), Prefill: ms(5), FirstDecodeInPrefill: Yes, OutputTokens: n(1)}},
		{name: "parts beyond the total", events: events(`{"done":true,"total_duration":5000000,"load_duration":1000000,"prompt_eval_duration":5000000,"eval_count":3,"eval_duration":2000000}`),
			want: Figures{ModelLoad: ms(1), Prefill: ms(5), FirstDecodeInPrefill: Yes, OutputTokens: n(3), Step: ms(1),
				Absurd: []string{"total_duration"}, Raw: map[string]any{"total_duration": 5000000.0}}},
		{name: "not done", events: events(`{"done":false,"total_duration":5000000}`), no: true},
	})
}

func TestLoaded(t *testing.T) {
	for d, want := range map[time.Duration]bool{LoadThreshold: false, LoadThreshold + 1: true} {
		if got := (Figures{ModelLoad: probe.At(d)}).Loaded(); got != want {
			t.Errorf("%v: %v", d, got)
		}
	}
	if (Figures{ModelLoad: probe.Mark{At: time.Minute}}).Loaded() {
		t.Error("a load that was not said")
	}
}
