package prober

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// Parameters that the endpoint refuses are left out: the refusal is no probe,
// it is told once, and remembered for all that follows, load streams too.
func TestRefusedParameters(t *testing.T) {
	refusals := map[string]string{
		"max_tokens":        `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}`,
		"max_tokens, bare":  `{"error":{"message":"Unsupported parameter: max_tokens"}}`,
		"stream_options":    `{"detail":"Extra parameters ['stream_options'] are not allowed"}`,
		"max_tokens, named": `{"detail":[{"loc":["body","max_tokens"],"msg":"Use max_completion_tokens instead"}]}`,
	}
	for name, refusal := range refusals {
		t.Run(name, func(t *testing.T) {
			field, _, _ := strings.Cut(name, ",")
			var refused, load atomic.Int64
			s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
				if _, there := r.Fields[field]; there {
					refused.Add(1)
					a.Refuse(400, refusal)
					return
				}
				if field == "max_tokens" && r.Fields["max_completion_tokens"] == nil {
					t.Errorf("no limit is sent: %v", r.Fields)
				}
				if r.Load() {
					load.Add(1)
				}
				a.Short()
			})
			k := fast()
			k.Pressure = 1
			c := onto(s, k)
			c.Count, c.LadderFirst = 5, true
			r := begin(t, c)
			r.wait()
			if n := refused.Load(); n != 1 {
				t.Errorf("%d refusals, want 1", n)
			}
			if load.Load() == 0 {
				t.Error("no load stream was answered")
			}
			all := results(r.events(), "")
			if len(all) != 1+len(rungs)+5 {
				t.Errorf("%d results", len(all))
			}
			for _, res := range all {
				if res.Failure != nil {
					t.Errorf("%s: %v", res.Kind, res.Failure)
				}
				if res.Lag > 500*time.Millisecond {
					t.Errorf("a lag of %v", res.Lag)
				}
			}
			if texts := notices(r.events()); len(texts) != 1 || !strings.Contains(texts[0], "refuses "+field) {
				t.Errorf("notices %q", texts)
			}
			checkEvents(t, r.events())
		})
	}
}

// Probes that meet the refusal together all go out again, and it is told once.
func TestRefusedTogether(t *testing.T) {
	var strict atomic.Bool
	waiting := make(chan struct{})
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if !strict.Load() {
			a.Short()
			return
		}
		if r.Fields["max_tokens"] == nil {
			a.Short()
			return
		}
		<-waiting
		a.Refuse(400, `{"error":{"message":"max_tokens is not supported: use max_completion_tokens"}}`)
	})
	r := begin(t, onto(s, fast()))
	r.ordinary(2)
	strict.Store(true)
	begun := ordinaryBegun(r.events())
	r.until("several in flight", func(events []probe.Event) bool { return ordinaryBegun(events) >= begun+5 })
	close(waiting)
	before := len(results(r.events(), probe.Ordinary))
	for _, res := range r.ordinary(before + 20) {
		if res.Failure != nil {
			t.Errorf("%v", res.Failure)
		}
	}
	if texts := notices(r.events()); len(texts) != 1 {
		t.Errorf("notices %q", texts)
	}
}
