package prober

import (
	"strings"
	"sync"
	"testing"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// asked is a chat request as a server saw it.
type asked struct {
	model, prompt, from string
	output              int
}

// pair is a server of a large and a fast model that notes what it is asked.
type pair struct {
	mu  sync.Mutex
	all []asked
}

func (p *pair) note(r *testserver.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, asked{r.Model, r.Prompt, r.RemoteAddr, r.MaxTokens})
}

// by are the requests to a model, by their prompts.
func (p *pair) by(model string) map[string]asked {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := map[string]asked{}
	for _, a := range p.all {
		if a.model == model {
			found[a.prompt] = a
		}
	}
	return found
}

// handedOff is a session whose prompts go to the model m and to the fast one.
func handedOff(s *testserver.Server, k probe.Knobs) Config {
	c := onto(s, k)
	c.Targets[0].Handoff = "fast"
	return c
}

// Each probe sends one prompt to both models, each on a connection of its own;
// the result is the large model's, with the acknowledgement beside it, and the
// tokens of both are counted.
func TestHandoff(t *testing.T) {
	var p pair
	meet := make(chan struct{})
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		p.note(r)
		if r.MaxTokens == fast().MaxTokens { // none is answered before both are there
			select {
			case meet <- struct{}{}:
			case <-meet:
			}
		}
		a.Token("A")
		a.Token("B")
		if r.Model == "m" {
			a.Token("C")
		}
		a.End(r.Words())
	})
	c := handedOff(s, fast())
	c.Count = 5
	r := begin(t, c)
	r.wait()
	all := results(r.events(), "")
	sent, received := int64(0), int64(0)
	for _, got := range all {
		sent, received = sent+int64(got.PromptTokens), received+int64(got.OutputTokens)
		if got.Kind == probe.Calibration {
			if got.Ack != nil {
				t.Errorf("a rung is handed off: %+v", got.Ack)
			}
			continue
		}
		a := got.Ack
		if a == nil || a.Failure != nil || a.Model != "fast" || a.Named != "fast" || !a.At.OK || a.OutputTokens != 2 || !a.OutputExact ||
			a.PromptTokens != got.PromptTokens || !a.PromptExact || a.Status != 200 || got.Model != "m" || got.OutputTokens != 3 {
			t.Fatalf("%s: %+v of %s, %d tokens", got.Kind, a, got.Model, got.OutputTokens)
		}
		if gap := got.AckGap(); !gap.OK || gap.At != got.TTFT().At-a.At.At || got.Waterfall.Total() != got.TTFT().At {
			t.Errorf("gap %v, waterfall %v of %v", gap, got.Waterfall.Total(), got.TTFT())
		}
		sent, received = sent+int64(a.PromptTokens), received+int64(a.OutputTokens)
	}
	spent := of[probe.Spent](r.events())
	if last := spent[len(spent)-1]; last.Sent != sent || last.Received != received {
		t.Errorf("%d and %d tokens are counted, want %d and %d", last.Sent, last.Received, sent, received)
	}
	large, small := p.by("m"), p.by("fast")
	if len(small) != 6 || len(large) != 6+len(rungs) {
		t.Errorf("%d requests to the fast model, %d to the large one", len(small), len(large))
	}
	for prompt, a := range small {
		if l, ok := large[prompt]; !ok || l.from == a.from && a.output == fast().MaxTokens {
			t.Errorf("the prompt to the fast model came from %s, and to the large one from %q", a.from, l.from)
		}
	}
	steps := 0
	for _, e := range of[probe.Reached](r.events()) {
		if e.Step == probe.StepAck {
			steps++
		}
	}
	if steps != 6 {
		t.Errorf("%d acknowledgements are told as they come, want 6", steps)
	}
}

// An acknowledgement that fails takes nothing from the answer.
func TestAckFails(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Model == "fast" {
			a.Refuse(404, `{"error":{"message":"The model fast does not exist"}}`)
			return
		}
		a.Short()
	})
	c := handedOff(s, fast())
	c.Count = 3
	r := begin(t, c)
	r.wait()
	got := results(r.events(), probe.Ordinary)
	if len(got) != 3 {
		t.Fatalf("%d results", len(got))
	}
	for _, g := range got {
		if g.Failure != nil || !g.TTFT().OK || g.Ack == nil || g.Ack.Failure == nil || g.Ack.Failure.Status != 404 || g.Ack.At.OK || g.Ack.PromptTokens != 0 || g.AckGap().OK {
			t.Errorf("%+v, answer %v", g.Ack, g.Failure)
		}
	}
}

// An answer that comes before its acknowledgement has a gap below 0.
func TestAnswerFirst(t *testing.T) {
	answered := make(chan struct{}, 100)
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Model == "fast" {
			<-answered
			a.Short()
			return
		}
		a.Short()
		answered <- struct{}{}
	})
	c := handedOff(s, fast())
	c.Count, c.Settings.Knobs[0].Rate = 2, 10
	r := begin(t, c)
	r.wait()
	// A rung leaves a token behind, so that only the first acknowledgement is
	// sure to wait: that of the warm-up.
	got := results(r.events(), probe.Warmup)
	if len(got) != 1 || !got[0].AckGap().OK || got[0].AckGap().At >= 0 {
		t.Errorf("%v", got)
	}
}

// The fast model may take other parameters than the large one: both requests
// are sent again, and each keeps to what its model takes.
func TestAckShape(t *testing.T) {
	var mu sync.Mutex
	refused := 0
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if _, old := r.Fields["max_tokens"]; old && r.Model == "fast" {
			mu.Lock()
			refused++
			mu.Unlock()
			a.Refuse(400, `{"error":{"message":"Unsupported parameter: max_tokens","param":"max_tokens"}}`)
			return
		}
		if _, other := r.Fields["max_completion_tokens"]; other && r.Model != "fast" {
			a.Refuse(400, `{"error":{"message":"no","param":"max_completion_tokens"}}`)
			return
		}
		a.Short()
	})
	c := handedOff(s, fast())
	c.Count = 3
	r := begin(t, c)
	r.wait()
	for _, g := range results(r.events(), "") {
		if g.Failure != nil || g.Ack != nil && g.Ack.Failure != nil {
			t.Errorf("%s: %v, acknowledgement %+v", g.Kind, g.Failure, g.Ack)
		}
	}
	if refused != 1 {
		t.Errorf("%d refusals", refused)
	}
	said := notices(r.events())
	if len(said) != 1 || !strings.HasPrefix(said[0], "fast: the endpoint refuses max_tokens") {
		t.Errorf("%q", said)
	}
	// The discarded answer of the warm-up is spent as well.
	sum := int64(0)
	for _, g := range results(r.events(), "") {
		sum += int64(g.PromptTokens)
		if g.Ack != nil {
			sum += int64(g.Ack.PromptTokens)
		}
		if g.Kind == probe.Warmup {
			sum += int64(g.PromptTokens)
		}
	}
	spent := of[probe.Spent](r.events())
	if last := spent[len(spent)-1]; last.Sent != sum {
		t.Errorf("%d tokens are counted as sent, want %d", last.Sent, sum)
	}
}

// A rate limit of the fast model is obeyed, and a budget has room for both.
func TestAckIsLimited(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Model == "fast" && r.N > 2 {
			a.Header().Set("Retry-After", "60")
			a.Refuse(429, `{"error":{"message":"slow down"}}`)
			return
		}
		a.Short()
	})
	r := begin(t, handedOff(s, fast()))
	r.until("the limit is told", func(events []probe.Event) bool {
		for _, h := range of[probe.Held](events) {
			if strings.Contains(h.Reason, "rate limit") {
				return true
			}
		}
		return false
	})
	r.stop()

	c := handedOff(testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() }), fast())
	c.Budget = int64(3 * (rungs[0] + ladderOutput) / 2) // a warm-up of one request, not of two
	c.Count = 1
	r = begin(t, c)
	r.wait()
	if got := results(r.events(), ""); len(got) > 0 {
		t.Errorf("%d results on a budget for one request", len(got))
	}
	spent := of[probe.Spent](r.events())
	if len(spent) == 0 || !spent[len(spent)-1].Exhausted || spent[len(spent)-1].Sent > 0 {
		t.Errorf("%+v of %d", spent, c.Budget)
	}
}
