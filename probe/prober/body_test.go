package prober

import (
	"bytes"
	"encoding/json"
	"sync"
	"testing"

	"ttftop/probe/chat"
	"ttftop/probe/prober/testserver"
)

// A result holds its request without the prompt, and how long that was; like
// requests share one.
func TestBodyOfAResult(t *testing.T) {
	var mu sync.Mutex
	lengths := map[int]bool{}
	s := testserver.New(t, []string{"m"}, func(a *testserver.Answer, r *testserver.Request) {
		mu.Lock()
		lengths[len(r.Prompt)] = true
		mu.Unlock()
		a.Short()
	})
	s.Key = "sk-secret-0123456789abcdef"
	c := onto(s, fast())
	c.Count, c.LadderFirst = 3, true
	rs := begin(t, c).ordinary(3)
	mu.Lock()
	defer mu.Unlock()
	for _, r := range rs {
		if !lengths[r.PromptChars] || r.PromptChars == 0 {
			t.Errorf("%d characters are told, and sent were %v", r.PromptChars, lengths)
		}
		var body struct {
			Model    string
			Messages []struct{ Content string }
			Limit    int `json:"max_tokens"`
		}
		if err := json.Unmarshal(r.Body, &body); err != nil || body.Model != "m" || body.Limit != r.Knobs.MaxTokens ||
			len(body.Messages) != 1 || body.Messages[0].Content != chat.PromptPlace || bytes.Contains(r.Body, []byte(s.Key)) {
			t.Errorf("%v, body %s", err, r.Body)
		}
	}
	if &rs[1].Body[0] != &rs[2].Body[0] {
		t.Error("like requests are kept twice")
	}
}
