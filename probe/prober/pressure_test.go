package prober

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// streams is an endpoint whose load streams last for a while.
type streams struct {
	*testserver.Server

	mu   sync.Mutex
	seen []testserver.Request // load requests, in order
}

func newStreams(t *testing.T, lasting time.Duration) *streams {
	s := &streams{}
	s.Server = testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if !r.Load() {
			a.Short()
			return
		}
		s.mu.Lock()
		s.seen = append(s.seen, *r)
		s.mu.Unlock()
		a.Token("A")
		select {
		case <-time.After(lasting):
			a.End(r.Words())
		case <-r.Context().Done():
		}
	})
	return s
}

func (s *streams) last() testserver.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[len(s.seen)-1]
}

// The endpoint sees the number asked for in flight, filled again as streams
// end, and never more, while knobs turn.
func TestPressure(t *testing.T) {
	s := newStreams(t, 120*time.Millisecond)
	const n = 24
	k := fast()
	k.Pressure = n
	r := begin(t, onto(s.Server, k))
	full := func() bool { now, _ := s.Load(); return now == n }
	eventually(t, "all streams", full)
	for i := range 12 {
		r.turn(func(k *probe.Knobs) { k.PromptTokens = 40 + i })
		if i%4 == 0 {
			r.turn(func(k *probe.Knobs) { k.Model = []string{"m", "n"}[i/4%2] })
		}
		time.Sleep(25 * time.Millisecond)
	}
	eventually(t, "all streams again", full)
	s.mu.Lock()
	renewed := len(s.seen)
	s.mu.Unlock()
	eventually(t, "streams are issued again", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.seen) > renewed+2*n
	})
	// A server may learn of the end of a request after the next one has come:
	// it sees a few more for a moment. What the client has out is exact.
	if _, most := s.Load(); most > n+n/2 {
		t.Errorf("%d streams at once, %d were asked for", most, n)
	}
	for _, e := range of[probe.Load](r.events()) {
		if e.InFlight > n || e.Failed > 0 {
			t.Errorf("%+v", e)
		}
	}
}

// Lowering ends the surplus at once, long before the streams would end.
func TestLoweringThePressure(t *testing.T) {
	s := newStreams(t, time.Hour)
	k := fast()
	k.Pressure = 30
	r := begin(t, onto(s.Server, k))
	eventually(t, "30 streams", func() bool { now, _ := s.Load(); return now == 30 })
	for _, n := range []int{7, 0} {
		r.turn(func(k *probe.Knobs) { k.Pressure = n })
		turned := time.Now()
		eventually(t, "the surplus ends", func() bool { now, _ := s.Load(); return now == n })
		if d := time.Since(turned); d > 5*time.Second {
			t.Errorf("it took %v", d)
		}
	}
	r.until("no stream is told", func(events []probe.Event) bool {
		told := of[probe.Load](events)
		last := told[len(told)-1]
		return last.Asked == 0 && last.InFlight == 0
	})
}

// Connections of load streams that are over don't stay open when the pressure
// goes down.
func TestLoweringThePressureClosesConnections(t *testing.T) {
	const n = 40
	var seen atomic.Int64
	all := make(chan struct{})
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if !r.Load() {
			a.Short()
			return
		}
		if seen.Add(1) == n {
			close(all)
		}
		<-all                                         // so that each has a connection
		a.Refuse(503, `{"error":{"message":"busy"}}`) // and then they rest, with their connections idle
	})
	k := fast()
	k.Pressure = n
	r := begin(t, onto(s, k))
	r.until("all streams have failed", func(events []probe.Event) bool {
		told := of[probe.Load](events)
		return len(told) > 0 && told[len(told)-1].Failed >= n
	})
	if open := s.Connections(); open < n {
		t.Fatalf("%d connections, %d are to be idle", open, n)
	}
	r.turn(func(k *probe.Knobs) { k.Pressure = 0 })
	const others = MaxInFlight + 2 // of probes, of the models and of a metrics page
	eventually(t, "the others close", func() bool { return s.Connections() <= others })
}

// Load streams have the prompt length and the model of the knobs, prompts of
// their own, and up to 256 tokens of output.
func TestLoadStreamsFollowTheKnobs(t *testing.T) {
	s := newStreams(t, 30*time.Millisecond)
	k := fast()
	k.Pressure, k.PromptTokens = 3, 300
	r := begin(t, onto(s.Server, k))
	right := func(model string, words int) func() bool {
		return func() bool {
			s.mu.Lock()
			seen := len(s.seen)
			s.mu.Unlock()
			if seen == 0 {
				return false
			}
			q := s.last()
			return q.Model == model && q.Words() >= words*99/100-2 && q.Words() <= words*101/100+2 && q.MaxTokens == probe.LoadOutputCap
		}
	}
	eventually(t, "the first knobs", right("m", 300))
	r.turn(func(k *probe.Knobs) { k.PromptTokens = 900 })
	eventually(t, "another length", right("m", 900))
	r.turn(func(k *probe.Knobs) { k.Model = "n" })
	eventually(t, "another model", right("n", 900))
	s.mu.Lock()
	defer s.mu.Unlock()
	first := map[string]bool{}
	for _, q := range s.seen {
		word, _, _ := strings.Cut(q.Prompt, " ")
		first[word] = true
	}
	if len(first) < min(len(s.seen), 10) {
		t.Errorf("%d prompts begin with %d different words", len(s.seen), len(first))
	}
}

// What a load stream meets is told, and doesn't end the probing.
func TestLoadErrorsAreTold(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Load() {
			a.Refuse(503, `{"error":{"message":"overloaded, sk-TESTKEY-0000-do-not-print"}}`)
			return
		}
		a.Short()
	})
	s.Key = "sk-TESTKEY-0000-do-not-print"
	k := fast()
	k.Pressure = 2
	r := begin(t, onto(s, k))
	r.ordinary(5)
	r.until("the failure of a load stream", func(events []probe.Event) bool {
		for _, e := range of[probe.Load](events) {
			if strings.Contains(e.LastErr, "TESTKEY") {
				t.Fatalf("the key is told: %s", e.LastErr)
			}
			if e.Failed > 0 && strings.Contains(e.LastErr, "HTTP 503: overloaded") {
				return true
			}
		}
		return false
	})
}

// A server that goes on for ever is cut, and the pressure stays what it says.
func TestEndlessLoadStreamsAreCut(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if !r.Load() {
			a.Short()
			return
		}
		for r.Context().Err() == nil {
			a.Token("A")
		}
	})
	k := fast()
	k.Pressure = 2
	r := begin(t, onto(s, k))
	said := func(events []probe.Event) (n int) {
		for _, e := range of[probe.Notice](events) {
			if strings.Contains(e.Text, "load streams are cut after 768 tokens") {
				n++
			}
		}
		return n
	}
	r.until("load streams come again", func(events []probe.Event) bool {
		return said(events) > 0 && len(of[probe.Load](events)) > 3
	})
	if n := said(r.events()); n != 1 {
		t.Errorf("it is said %d times", n)
	}
	for _, e := range of[probe.Load](r.events()) {
		if e.Failed > 0 {
			t.Errorf("%+v", e)
		}
	}
}

// What was due and what was sent of it is told, and the load streams likewise.
func TestWhatIsAchievedIsTold(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.N == 1 {
			a.Short() // the warm-up
			return
		}
		a.Hold()
	})
	k := fast()
	k.Rate, k.Pressure = 50, 3
	r := begin(t, onto(s, k))
	r.until("probes are skipped", func(events []probe.Event) bool {
		all := of[probe.Pace](events)
		if len(all) == 0 {
			return false
		}
		last := all[len(all)-1]
		return last.Due > 2*MaxInFlight && last.Sent <= MaxInFlight && last.Sent > 0 && last.Loaded > 0 && last.InFlight <= last.Asked
	})
}
