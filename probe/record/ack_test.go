package record

import (
	"net/url"
	"testing"
	"time"

	"ttftop/probe"
)

func TestAckInALine(t *testing.T) {
	r := full()
	if _, there := line(t, r)["ack"]; there {
		t.Error("a probe that was not handed off has an acknowledgement")
	}
	r.Ack = &probe.Ack{Model: "fast", At: probe.At(41200 * time.Microsecond), TTFT: probe.At(41100 * time.Microsecond),
		PromptTokens: 1020, PromptExact: true, OutputTokens: 16, Status: 200}
	got := line(t, r)["ack"].(map[string]any)
	for name, want := range map[string]any{
		"model": "fast", "at_ms": 41.2, "ttft_ms": 41.1, "gap_ms": 371.146, "prompt_tokens": 1020.0, "prompt_tokens_source": "usage",
		"output_tokens": 16.0, "output_tokens_source": "approximate", "status": 200.0, "error": nil,
	} {
		if got[name] != want {
			t.Errorf("%s = %v, want %v", name, got[name], want)
		}
	}
	r.Ack = &probe.Ack{Model: "fast", Status: 404, Failure: &probe.Failure{Kind: probe.FailStatus, Status: 404, Message: "no such model"}}
	got = line(t, r)["ack"].(map[string]any)
	if got["at_ms"] != nil || got["gap_ms"] != nil || got["error"].(map[string]any)["message"] != "no such model" {
		t.Errorf("%v", got)
	}
	if r := line(t, r); r["ttft_ms"] == nil || r["error"] != nil {
		t.Error("the answer suffers from it")
	}
	targets := Begin("v", r.At, []probe.Target{{Name: "a", Endpoint: &probe.Endpoint{Base: &url.URL{Scheme: "https", Host: "h"}}, Handoff: "fast"}}, probe.Settings{Knobs: []probe.Knobs{{}}}).Targets
	if targets[0].Handoff != "fast" {
		t.Errorf("%+v", targets)
	}
}
