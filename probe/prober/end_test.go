package prober

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/chat"
	"ttftop/probe/load"
	"ttftop/probe/prober/testserver"
)

// A counted run against an endpoint that will not answer ends soon, and says
// why.
func TestHopelessRunsEnd(t *testing.T) {
	t.Parallel()
	refuse := func(status int, body string) testserver.Handler {
		return func(a *testserver.Answer, _ *testserver.Request) { a.Refuse(status, body) }
	}
	for _, c := range []struct {
		name    string
		handler testserver.Handler
		says    string
	}{
		{"key", refuse(http.StatusUnauthorized, `{"error":{"message":"Incorrect API key"}}`), "given up after 3 tries: HTTP 401"},
		{"model", refuse(http.StatusNotFound, `{"error":{"message":"no such model","code":"model_not_found"}}`), "given up after 3 tries: HTTP 404"},
		{"page", func(a *testserver.Answer, _ *testserver.Request) {
			a.Header().Set("Content-Type", "text/html")
			a.Write([]byte("<title>Sign in</title>"))
		}, "given up after 3 tries"},
		{"a day", func(a *testserver.Answer, _ *testserver.Request) {
			a.Header().Set("Retry-After", "86400")
			a.Refuse(http.StatusServiceUnavailable, `{"error":{"message":"maintenance"}}`)
		}, "given up, since it asks to wait 24h0m0s: HTTP 503: maintenance"},
		{"silence", func(_ *testserver.Answer, r *testserver.Request) { <-r.Context().Done() }, "given up after 3 tries: "}, // after what may be a stall of this program too
		{"too long", func(a *testserver.Answer, r *testserver.Request) {
			if r.Words() > 3000 {
				a.Refuse(400, `{"error":{"message":"maximum context length is 2048 tokens","code":"context_length_exceeded"}}`)
				return
			}
			a.Short()
		}, "given up after 3 tries: HTTP 400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testserver.New(t, nil, c.handler)
			k := fast()
			k.PromptTokens = 4000
			config := onto(s, k)
			config.Count, config.LadderFirst = 50, true
			if c.name == "silence" {
				config.Timeout = 300 * time.Millisecond
			}
			r := begin(t, config)
			r.wait()
			texts := notices(r.events())
			if len(texts) != 1 || !strings.HasPrefix(texts[0], c.says) {
				t.Errorf("notices %q, want %q", texts, c.says)
			}
			if n := len(results(r.events(), probe.Ordinary)); n > giveUpAfter+MaxInFlight { // others may be in flight by then
				t.Errorf("%d ordinary probes", n)
			}
			checkEvents(t, r.events())
		})
	}
}

func TestNobodyThere(t *testing.T) {
	s := testserver.New(t, nil, nil)
	s.Close()
	c := onto(s, fast())
	c.Count, c.LadderFirst = 50, true
	r := begin(t, c)
	r.wait()
	if all := results(r.events(), ""); len(all) != giveUpAfter || all[0].Failure.Kind != probe.FailConnect {
		t.Errorf("%+v", all)
	}
	if texts := notices(r.events()); len(texts) != 1 || !strings.Contains(texts[0], "refused") {
		t.Errorf("notices %q", texts)
	}
}

// The budget ends all, and says so once; no probe begins after it.
func TestTheBudgetEndsAll(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) { a.Short() })
	k := fast()
	k.Pressure = 2
	c := onto(s, k)
	c.LadderFirst, c.Budget = true, 6000
	r := begin(t, c)
	r.wait() // without a count, the budget alone ends it
	spent := of[probe.Spent](r.events())
	last := spent[len(spent)-1]
	if !last.Exhausted || last.Sent+last.Received < 4000 || last.Sent+last.Received > 6100 || last.Budget != 6000 {
		t.Errorf("spent %+v", last)
	}
	exhausted := false
	for _, e := range r.events() {
		switch e := e.(type) {
		case probe.Spent:
			exhausted = exhausted || e.Exhausted
		case probe.Started:
			if exhausted {
				t.Errorf("probe %d begins after the budget", e.Seq)
			}
		}
	}
	now, _ := s.Load()
	eventually(t, "load streams end with the budget", func() bool { now, _ = s.Load(); return now == 0 })
}

// With a screen, the budget stops probing and the load, and the run goes on.
func TestTheBudgetStopsAScreen(t *testing.T) {
	t.Parallel()
	var after atomic.Int64
	var exhausted atomic.Bool
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if exhausted.Load() {
			after.Add(1)
		}
		a.Short()
	})
	k := fast()
	k.Pressure = 3
	c := onto(s, k)
	c.Budget = 3000
	r := begin(t, c)
	r.until("the budget", func(events []probe.Event) bool {
		return slices.ContainsFunc(of[probe.Spent](events), func(e probe.Spent) bool { return e.Exhausted })
	})
	r.until("nothing in flight", func(events []probe.Event) bool {
		told := of[probe.Load](events)
		last := told[len(told)-1]
		return last.Asked+last.InFlight == 0 && len(of[probe.Started](events)) == len(results(events, ""))
	})
	exhausted.Store(true)
	time.Sleep(300 * time.Millisecond)
	if n := after.Load(); n != 0 {
		t.Errorf("%d requests after the budget", n)
	}
	select {
	case <-r.ended:
		t.Error("the run has ended")
	default:
	}
}

// What has ended when the run ends is told; nothing is sent any more, though a
// refusal could be answered by another request.
func TestNothingIsSentAtTheEnd(t *testing.T) {
	var asked atomic.Int64
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { asked.Add(1) })
	p, err := New(onto(s, fast()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := p.lanes[0]
	l.load = load.New(ctx, func(load.State) {})
	defer l.load.Close()
	refusal := []byte(`{"detail":"Extra parameters ['stream_options'] are not allowed"}`)
	for i, kind := range []probe.Kind{probe.Warmup, probe.Ordinary} {
		done := shot{seq: i, kind: kind, knobs: fast(), shape: l.shape.Load()}
		done.outcome.Result.Status = 200
		if kind == probe.Ordinary {
			done.outcome.Result.Status, done.outcome.Refusal = 400, refusal
			done.outcome.Result.Failure = &probe.Failure{Kind: probe.FailStatus, Status: 400}
		}
		l.aloft[done.epoch]++
		l.ended <- done
	}
	cancel()
	l.drainFlying(ctx)
	l.flying.Wait()
	l.pool.Close()
	close(p.events)
	finished := 0
	for e := range p.Events() {
		switch e.(type) {
		case probe.Finished:
			finished++
		case probe.Started:
			t.Error("a request is sent again")
		}
	}
	if finished != 2 || l.inFlight() != 0 || asked.Load() != 0 {
		t.Errorf("%d results, %d in flight, %d requests", finished, l.inFlight(), asked.Load())
	}
}

// A run can be ended at any time, whoever reads.
func TestEnds(t *testing.T) {
	s := testserver.New(t, []string{"m"}, func(a *testserver.Answer, r *testserver.Request) { a.Hold() })
	k := fast()
	k.Pressure = 8
	c := onto(s, k)
	own, err := chat.ParseTemplate([]byte(`{"messages":[{"role":"user","content":"Hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	c.Template = own // without a ladder nothing comes before the load streams
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	for len(p.events) < cap(p.events) {
		p.events <- probe.Notice{} // nobody reads
	}
	ended := make(chan struct{})
	go func() { p.Run(ctx); close(ended) }()
	turned := make(chan struct{})
	go func() {
		defer close(turned)
		settings := p.Settings()
		settings.Knobs[0].Pressure = 9
		p.Apply(context.Background(), settings)
	}()
	eventually(t, "load", func() bool { now, _ := s.Load(); return now > 0 })
	cancel()
	for name, c := range map[string]chan struct{}{"Run": ended, "Apply": turned} {
		select {
		case <-c:
		case <-time.After(tooLong):
			t.Fatalf("%s hangs", name)
		}
	}
	p.Apply(context.Background(), p.Settings()) // after the end: nothing, and no panic
	settings := p.Settings()
	settings.Paused = true
	p.Apply(context.Background(), settings)
}
