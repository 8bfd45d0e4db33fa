package prober

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"ttftop/probe"
	"ttftop/probe/endpoint"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/record"
)

// A server that repeats the key wherever it can write, as name and as value,
// finds it masked in all that is told; what it says beside it is kept.
func TestARepeatedKeyIsMasked(t *testing.T) {
	const key = "sk-Not_To-Be-SEEN-0123456789"
	k := fast()
	p := newPaged(t, func(a *testserver.Answer, _ *testserver.Request) {
		a.Header().Set("X-Request-Id", key)
		a.Header().Set("X-Ratelimit-"+key, "7")
		a.Header().Set("Server-Timing", key+`;dur=3, total;dur=4;desc="`+key+`"`)
		a.Event(fmt.Sprintf(`{"model":%q,"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":%q}],"timings":{"prompt_ms":1.5,%q:2,"inner":{%q:{"x":%q}}}}`, key, key, key, key, key))
		a.Event(`{"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":1}}`)
		a.Event("[DONE]")
	}, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "vllm:num_requests_running{model_name=%q} 1\nvllm:num_requests_waiting %s\n", key, key)
	})
	c := p.onto(k)
	c.Targets[0].Endpoint.Key = probe.NewSecret(key)
	r := begin(t, c)
	r.until("a notice of the page", func(events []probe.Event) bool {
		return slices.ContainsFunc(of[probe.Notice](events), func(n probe.Notice) bool { return strings.Contains(n.Text, "damaged") })
	})
	r.stop()
	for _, e := range r.events() {
		text := fmt.Sprintf("%+v", e)
		if f, ok := e.(probe.Finished); ok {
			raw, err := json.Marshal(record.FromResult(&f.Result, "a"))
			if err != nil {
				t.Fatal(err)
			}
			text = string(raw) + f.Result.Text
			if f.Result.Failure == nil && !(strings.Contains(text, `"server-timing.***":"3"`) && strings.Contains(text, `"timings.prompt_ms":1.5`) && strings.Contains(text, `"x-ratelimit-***":"7"`)) {
				t.Errorf("what stands beside the key is lost: %s", text)
			}
		}
		if folded := strings.ToLower(strings.ReplaceAll(text, "_", "-")); strings.Contains(folded, "not-to-be-seen") {
			t.Errorf("the key is told: %s", text)
		}
	}
}

func TestModelsNamedAfterTheKey(t *testing.T) {
	if got := showable([]endpoint.Model{{Name: "a"}, {Name: "x-ABCDEFGH1234"}, {Name: "b"}}, []string{"abcdefgh1234"}); len(got) != 2 || got[0] != "a" || got[1] != "b" {
		t.Errorf("%q", got)
	}
}
