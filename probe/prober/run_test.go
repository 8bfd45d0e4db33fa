package prober

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tooLong is how long a test waits for what must come.
const tooLong = 30 * time.Second

// running is a prober whose events are read as they come.
type running struct {
	*Prober
	t      *testing.T
	cancel context.CancelFunc
	ended  chan struct{}

	mu   sync.Mutex
	all  []probe.Event
	more chan struct{}
}

// fast are knobs for a test server: short and frequent, at a length of the ladder.
func fast() probe.Knobs {
	k := probe.DefaultKnobs
	k.Model, k.Rate, k.PromptTokens, k.MaxTokens = "m", 50, 64, 8
	return k
}

// onto is a session on one test server with the knobs.
func onto(s *testserver.Server, k probe.Knobs) Config {
	return Config{Targets: []probe.Target{{Name: "test", Endpoint: s.Endpoint()}}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 10 * time.Second}
}

// begin runs a prober until the test ends.
func begin(t *testing.T, c Config) *running {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{Prober: p, t: t, cancel: cancel, ended: make(chan struct{}), more: make(chan struct{}, 1)}
	var wait sync.WaitGroup
	wait.Go(func() { p.Run(ctx) })
	wait.Go(func() {
		for e := range p.Events() {
			r.mu.Lock()
			r.all = append(r.all, e)
			r.mu.Unlock()
			select {
			case r.more <- struct{}{}:
			default:
			}
		}
	})
	go func() { wait.Wait(); close(r.ended) }()
	t.Cleanup(r.stop)
	return r
}

// stop ends the run and waits for it.
func (r *running) stop() {
	r.cancel()
	r.wait()
}

// wait waits for the run to end by itself.
func (r *running) wait() {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(tooLong):
		r.t.Fatal("the run does not end")
	}
}

// events are those so far.
func (r *running) events() []probe.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// until waits until the events so far are what is wanted.
func (r *running) until(what string, wanted func([]probe.Event) bool) {
	r.t.Helper()
	late := time.After(tooLong)
	for !wanted(r.events()) {
		select {
		case <-r.more:
		case <-late:
			r.t.Fatalf("never came: %s; events: %v", what, tail(r.events()))
		}
	}
}

func tail(events []probe.Event) []probe.Event { return events[max(0, len(events)-20):] }

// of are the events of one type.
func of[E probe.Event](events []probe.Event) []E {
	var found []E
	for _, e := range events {
		if e, ok := e.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

// results are the results of a kind, of any where kind is "".
func results(events []probe.Event, kind probe.Kind) []probe.Result {
	var found []probe.Result
	for _, e := range of[probe.Finished](events) {
		if f := e.Result.Failure; f != nil && f.Code == probe.CodeNotSent {
			continue // the machine is busy: nothing was probed
		}
		if kind == "" || e.Result.Kind == kind {
			found = append(found, e.Result)
		}
	}
	return found
}

// ordinary waits for so many ordinary results, and returns all there are.
func (r *running) ordinary(n int) []probe.Result {
	r.t.Helper()
	r.until("ordinary probes", func(events []probe.Event) bool { return len(results(events, probe.Ordinary)) >= n })
	return results(r.events(), probe.Ordinary)
}

// turn changes the knobs of the first target.
func (r *running) turn(change func(*probe.Knobs)) {
	s := r.Settings()
	change(&s.Knobs[0])
	r.Apply(context.Background(), s)
}

// pause pauses, or goes on.
func (r *running) pause(paused bool) {
	s := r.Settings()
	s.Paused = paused
	r.Apply(context.Background(), s)
}

// eventually waits until a condition holds that no event tells.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(tooLong); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func notices(events []probe.Event) []string {
	var texts []string
	for _, n := range of[probe.Notice](events) {
		texts = append(texts, n.Text)
	}
	return texts
}
