package prober

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/quantile"
	"ttftop/probe/sim"
)

// ordinaryRequest reports whether a test server's request is an ordinary probe.
func ordinaryRequest(r *testserver.Request) bool { return r.MaxTokens == fast().MaxTokens }

// A rate limit is obeyed, told, and takes nothing from the count.
func TestRateLimit(t *testing.T) {
	for name, after := range map[string]func() string{
		"seconds": func() string { return "1" },
		"a date":  func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) }, // whole seconds: 1 to 2
		"junk":    func() string { return "soon" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n atomic.Int64
			s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
				if ordinaryRequest(r) && n.Add(1) == 3 {
					a.Header().Set("Retry-After", after())
					a.Refuse(429, `{"error":{"message":"Rate limit reached"}}`)
					return
				}
				a.Short()
			})
			const count = 6
			c := onto(s, fast())
			c.Count, c.LadderFirst = count, true
			r := begin(t, c)
			r.wait()
			all := results(r.events(), probe.Ordinary)
			good, limited := 0, probe.Result{}
			for _, res := range all {
				if res.Failure == nil {
					good++
				} else {
					limited = res
				}
			}
			if good != count || len(all) != count+1 || limited.Failure == nil || limited.Failure.Kind != probe.FailRateLimit {
				t.Fatalf("%d of %d succeeded, want %d: %+v", good, len(all), count, limited.Failure)
			}
			held := slices.DeleteFunc(of[probe.Held](r.events()), func(h probe.Held) bool { return h.Until.IsZero() })
			if len(held) != 1 || !strings.HasPrefix(held[0].Reason, "rate limit") {
				t.Fatalf("held: %+v", held)
			}
			least := limited.At.Add(time.Second)
			if name == "junk" {
				least = limited.At.Add(firstBackoff)
			}
			for _, res := range all {
				if res.At.After(limited.At.Add(200*time.Millisecond)) && res.At.Before(least) {
					t.Errorf("a probe %v after the rate limit", res.At.Sub(limited.At))
				}
				if res.Failure == nil && res.TTFT().At > 500*time.Millisecond {
					t.Errorf("the wait is in a TTFT of %v", res.TTFT().At)
				}
			}
			checkEvents(t, r.events())
		})
	}
}

// While a rate limit holds, the load streams are silent too.
func TestARateLimitHoldsForTheLoad(t *testing.T) {
	t.Parallel()
	var limited atomic.Bool
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		switch {
		case r.Load():
			a.Hold()
		case ordinaryRequest(r) && limited.CompareAndSwap(false, true):
			a.Header().Set("Retry-After", "1")
			a.Refuse(429, `{"error":{"message":"slow down"}}`)
		default:
			a.Short()
		}
	})
	k := fast()
	k.Pressure = 4
	r := begin(t, onto(s, k))
	eventually(t, "the rate limit", limited.Load)
	eventually(t, "no load", func() bool { now, _ := s.Load(); return now == 0 })
	eventually(t, "the load again", func() bool { now, _ := s.Load(); return now == 4 })
	r.until("free again", func(events []probe.Event) bool {
		held := of[probe.Held](events)
		return len(held) >= 2 && held[len(held)-1].Until.IsZero()
	})
}

// After server errors the prober backs off, and goes on as before once the
// endpoint has recovered.
func TestRecovery(t *testing.T) {
	t.Parallel()
	s := simulated(t, func(c *sim.Config) {
		c.Faults = []sim.Fault{{Kind: sim.FaultStatus, Status: 500, From: 15, Count: 3}}
	})
	k := fast()
	r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: tooLong})
	r.until("recovery", func(events []probe.Event) bool {
		failed, after := 0, 0
		for _, res := range results(events, "") {
			if res.Failure != nil {
				failed, after = failed+1, 0
			} else {
				after++
			}
		}
		return failed >= 3 && after >= 10
	})
	var reasons []string
	for _, h := range of[probe.Held](r.events()) {
		reasons = append(reasons, h.Reason)
	}
	if !slices.Contains(reasons, "backing off after status errors") || reasons[len(reasons)-1] != "" {
		t.Errorf("held: %q", reasons)
	}
}

// A server that is loading its model answers 503 for a while: a counted run
// waits for it.
func TestLoading(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.N <= 4 {
			a.Refuse(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`)
			return
		}
		a.Short()
	})
	c := onto(s, fast())
	c.Count, c.LadderFirst = 5, true
	r := begin(t, c)
	r.wait()
	if n := len(results(r.events(), probe.Ordinary)); n != 5 {
		t.Errorf("%d ordinary probes, want 5; notices %q", n, notices(r.events()))
	}
	if n := len(results(r.events(), probe.Warmup)); n != 5 {
		t.Errorf("%d warm-ups, want 5", n)
	}
}

// An endpoint that dies in the middle and comes back is probed again, by
// itself, and every probe meanwhile is a failure that counts.
func TestTheEndpointDiesAndComesBack(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	})
	s := httptest.NewServer(handler)
	address := s.Listener.Addr().String()
	k := fast()
	k.Pressure = 2
	c := Config{
		Targets:  []probe.Target{{Name: "test", Endpoint: testserver.Endpoint(s.URL+"/v1", "")}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 5 * time.Second,
	}
	r := begin(t, c)
	r.ordinary(3)
	s.CloseClientConnections()
	s.Close()
	r.until("failures", func(events []probe.Event) bool {
		all := results(events, probe.Ordinary)
		return all[len(all)-1].Failure != nil && all[len(all)-1].Failure.Kind == probe.FailConnect
	})
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip("the port was taken by somebody else: ", err)
	}
	again := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	again.Start()
	t.Cleanup(again.Close)
	t.Cleanup(r.stop)
	before := len(results(r.events(), probe.Ordinary))
	r.until("successes", func(events []probe.Event) bool {
		good := 0
		for _, res := range results(events, probe.Ordinary)[before:] {
			if res.Failure == nil {
				good++
			} else if !res.Failure.Censored() {
				t.Fatalf("not ranked: %+v", res.Failure)
			}
		}
		return good >= 3
	})
}

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

// Where too many are in flight, a due probe is skipped: it ranks slower than
// every success.
func TestTooManyInFlight(t *testing.T) {
	t.Parallel()
	var started atomic.Int64
	open := make(chan struct{})
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if ordinaryRequest(r) {
			started.Add(1)
			select {
			case <-open:
			case <-r.Context().Done():
				return
			}
		}
		a.Short()
	})
	c := onto(s, fast())
	c.Count, c.LadderFirst, c.Timeout = MaxInFlight+10, true, tooLong
	r := begin(t, c)
	skipped := r.ordinary(10)
	if n := started.Load(); n != MaxInFlight {
		t.Errorf("%d in flight, want %d", n, MaxInFlight)
	}
	for _, res := range skipped {
		if res.Failure == nil || res.Failure.Kind != probe.FailSkipped || !res.Failure.Censored() || res.TTFT().OK {
			t.Errorf("%+v", res.Failure)
		}
	}
	close(open)
	r.wait()
	all := results(r.events(), probe.Ordinary)
	var ttfts []time.Duration
	censored := 0
	for _, res := range all {
		if res.Failure.Censored() {
			censored++
		} else {
			ttfts = append(ttfts, res.TTFT().At)
		}
	}
	if len(all) != MaxInFlight+10 || censored != 10 {
		t.Errorf("%d results, %d censored", len(all), censored)
	}
	if q := quantile.Of(0.95, ttfts, censored, c.Timeout); !q.Censored {
		t.Errorf("p95 %+v", q)
	}
	checkEvents(t, r.events())
}

// Without a model named, the first that the endpoint lists is probed.
func TestTheFirstListedModel(t *testing.T) {
	s := testserver.New(t, []string{"first", "second"}, func(a *testserver.Answer, r *testserver.Request) {
		if r.Model != "first" {
			t.Errorf("the model %q is asked for", r.Model)
		}
		a.Short()
	})
	k := fast()
	k.Model = ""
	c := onto(s, k)
	c.Count, c.LadderFirst = 2, true
	r := begin(t, c)
	r.wait()
	changed, models := of[probe.Changed](r.events()), of[probe.Models](r.events())
	if len(changed) != 1 || changed[0].Epoch != 0 || changed[0].Before.Knobs[0].Model != "" || changed[0].Settings.Knobs[0].Model != "first" {
		t.Errorf("%+v", changed)
	}
	if len(models) != 1 || len(models[0].Names) != 2 {
		t.Errorf("%+v", models)
	}
	if n := len(results(r.events(), probe.Ordinary)); n != 2 {
		t.Errorf("%d probes", n)
	}
}

// A counted run without a model and without a list says so and ends.
func TestNoListOfModels(t *testing.T) {
	s := testserver.New(t, nil, nil)
	k := fast()
	k.Model = ""
	c := onto(s, k)
	c.Count, c.LadderFirst = 2, true
	r := begin(t, c)
	r.wait()
	texts := notices(r.events())
	if len(texts) != 1 || !strings.HasPrefix(texts[0], "no model is named") || !strings.Contains(texts[0], "-m") {
		t.Errorf("notices %q", texts)
	}
	if n := len(results(r.events(), "")); n != 0 {
		t.Errorf("%d probes", n)
	}
}

// With a screen, the list is asked for again and again and the reason is told
// once; a model chosen meanwhile is taken, and not lost to settings that were
// made before it was known.
func TestTheListComesLater(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) { a.Short() })
	k := fast()
	k.Model = ""
	r := begin(t, onto(s, k))
	r.until("the notice", func(events []probe.Event) bool { return len(notices(events)) == 1 })
	old := r.Settings()
	r.until("asked again", func(events []probe.Event) bool { return len(of[probe.Models](events)) >= 2 })
	s.SetModels("late")
	r.until("the choice", func(events []probe.Event) bool { return len(of[probe.Changed](events)) >= 1 })
	old.Knobs[0].PromptTokens = 40
	r.Apply(t.Context(), old)
	for _, res := range r.ordinary(3) {
		if res.Knobs.Model != "late" {
			t.Errorf("probed %q", res.Knobs.Model)
		}
	}
	if texts := notices(r.events()); len(texts) != 1 {
		t.Errorf("notices %q", texts)
	}
}

func TestAModelIsNamedMeanwhile(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) { a.Short() })
	k := fast()
	k.Model = ""
	r := begin(t, onto(s, k))
	r.until("the notice", func(events []probe.Event) bool { return len(notices(events)) == 1 })
	r.turn(func(k *probe.Knobs) { k.Model = "typed" })
	if res := r.ordinary(2); res[0].Knobs.Model != "typed" {
		t.Errorf("%+v", res[0].Knobs)
	}
}
