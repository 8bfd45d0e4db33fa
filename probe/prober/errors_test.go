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
			least := time.Second
			if name == "junk" {
				least = firstBackoff
			}
			until := held[0].Until
			if until.Sub(limited.At) < least {
				t.Errorf("held for %v after the start of what was refused, want %v at least", until.Sub(limited.At), least)
			}
			// What is sent after the hold began starts, and has its TTFT from, when it is over.
			waits := map[int]bool{}
			holding := false
			for _, e := range r.events() {
				switch e := e.(type) {
				case probe.Held:
					holding = true
				case probe.Started:
					waits[e.Seq] = holding
					if holding && e.At.Before(until) {
						t.Errorf("a probe %v before the hold is over", until.Sub(e.At))
					}
				}
			}
			for _, res := range all {
				if waits[res.Seq] && res.At.Before(until) {
					t.Errorf("a TTFT starts %v before the hold is over", until.Sub(res.At))
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
