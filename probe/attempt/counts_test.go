package attempt

import (
	"testing"
	"time"

	"ttftop/probe/stream"
)

// Counts that can't be are left out; those that may be, however odd, stay.
func TestBelievable(t *testing.T) {
	some := func(n int) stream.Count { return stream.Count{N: n, OK: true} }
	none := stream.Count{}
	for name, c := range map[string]struct {
		said, want stream.Answer
		absurd     bool
	}{
		"as asked":        {stream.Answer{Prompt: some(256), Cached: some(16), Completion: some(8), FirstTokens: 1}, stream.Answer{Prompt: some(256), Cached: some(16), Completion: some(8), FirstTokens: 1}, false},
		"a long template": {stream.Answer{Prompt: some(9000)}, stream.Answer{Prompt: some(9000)}, false},
		"long reasoning":  {stream.Answer{Completion: some(5000), Reasoning: some(4990), HiddenReasoning: true}, stream.Answer{Completion: some(5000), Reasoning: some(4990), HiddenReasoning: true}, false},
		"prompt":          {stream.Answer{Prompt: some(2e9), Completion: some(8)}, stream.Answer{Prompt: none, Completion: some(8)}, true},
		"completion":      {stream.Answer{Prompt: some(256), Completion: some(999_999_999), TokenEvents: 8, FirstTokens: 999_999_992}, stream.Answer{Prompt: some(256), TokenEvents: 8, FirstTokens: 1}, true},
		"negative":        {stream.Answer{Prompt: some(-4), Generated: some(-1)}, stream.Answer{}, true},
		"reasoning":       {stream.Answer{Completion: some(8), Reasoning: some(1e9), HiddenReasoning: true}, stream.Answer{Completion: some(8)}, true},
	} {
		got := c.said
		absurd := believable(&got, MostPrompt(1300), MostOutput(8, time.Second))
		if absurd != c.absurd || got.Prompt != c.want.Prompt || got.Cached != c.want.Cached || got.Completion != c.want.Completion || got.Generated != c.want.Generated ||
			got.Reasoning != c.want.Reasoning || got.HiddenReasoning != c.want.HiddenReasoning || got.FirstTokens != c.want.FirstTokens {
			t.Errorf("%s: %v, %+v", name, absurd, got)
		}
	}
}
