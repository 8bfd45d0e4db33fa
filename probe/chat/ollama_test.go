package chat

import (
	"strings"
	"testing"
)

func TestNativeBody(t *testing.T) {
	r := Request{Model: "m", Prompt: "time year", MaxTokens: 16, Ask: map[string]any{"timings_per_token": true}}
	f := body(t, r, NativeShape())
	message := f["messages"].([]any)[0].(map[string]any)
	if len(f) != 4 || f["model"] != "m" || f["stream"] != true || f["options"].(map[string]any)["num_predict"] != 16.0 || message["role"] != "user" || message["content"] != "time year" {
		t.Errorf("fields: %v", f)
	}
	if f := body(t, Request{Model: "m"}, NativeShape()); f["options"] != nil {
		t.Errorf("a limit that nobody set: %v", f)
	}
	if f := body(t, r, NativeShape().OpenAI()); f["max_tokens"] != 16.0 || f["options"] != nil {
		t.Errorf("on the other route: %v", f)
	}
}

// Which refusals say that the native route is not to be had.
func TestLeaveNative(t *testing.T) {
	for _, c := range []struct {
		status  int
		refusal string
		leaves  bool
	}{
		{404, "404 page not found", true},
		{404, `{"error":"model 'nope' not found"}`, false},
		{405, "", true},
		{403, "<html>forbidden</html>", true},
		{400, `{"error":"max_tokens"}`, false},
		{503, `{"error":"server busy"}`, false},
	} {
		next, sentence, ok := NativeShape().Adapt(c.status, []byte(c.refusal), nil)
		if ok != c.leaves || next.Native() == c.leaves || ok != strings.Contains(sentence, "/v1 route") {
			t.Errorf("%d %s: %v, %q", c.status, c.refusal, ok, sentence)
		}
	}
}
