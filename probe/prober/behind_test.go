package prober

import (
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
	"ttftop/probe/reported"
)

// begun is a server with 6 ms of handling and a prefill of 15 ms + 80 ms per
// 1,000 tokens, the fixed part of which a baseline takes for handling. Every
// third probe after the ladder and a few more waits.
func begun(t *testing.T, name reported.Server, leave leave) *fed {
	f := &fed{t: t, c: newCutter(false), leave: leave}
	f.c.server = name
	f.serve = func(i, n int) (float64, float64, float64, float64, string) {
		return 6, begunQueue(i), begunPrefill(n), 10, ""
	}
	f.ladder()
	return f
}

func begunPrefill(n int) float64 { return 15 + 80*float64(n)/1000 }

func begunQueue(i int) float64 {
	if i < 12 || i%3 > 0 {
		return 0
	}
	return 40 + float64(i*7%40)
}

// isAbout reports whether a segment is about so long, give or take the jitter of a
// fed probe, and its interval holds that.
func isAbout(r probe.Result, name probe.SegmentName, truth float64) bool {
	return holds(r, name, truth) && off(r, name.Part(), truth) <= 1+float64(r.TTFT().At)/25e6
}

// Headers tell a fixed part of prefill from handling: no part of it is queue on
// an idle server, nor contention behind a wait.
func TestAFixedPartOfPrefillBehindHeaders(t *testing.T) {
	for _, c := range []struct {
		name   string
		server reported.Server
		leave  leave
		from   int // probes after which an unknown server's headers are understood
	}{
		{"vLLM", reported.VLLM, onAcceptance, 0},
		{"llama.cpp", reported.LlamaCPP, onSlot, 0},
		{"unknown, on acceptance", "", onAcceptance, 36},
		{"unknown, on a slot", "", onSlot, 36},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := begun(t, c.server, c.leave)
			for i := range 60 {
				queue := begunQueue(f.i)
				r := f.probe(256)
				if i < c.from {
					continue
				}
				if !isAbout(r, probe.Handling, 6) || !isAbout(r, probe.Queue, queue) || !isAbout(r, probe.Prefill, begunPrefill(256)) {
					t.Errorf("probe %d with a queue of %.0f ms: %v", i, queue, r.Waterfall)
				}
				if r.Contention.At > msec(2) {
					t.Errorf("probe %d: contention of %v", i, r.Contention.At)
				}
			}
			if len(f.told) > 0 {
				t.Errorf("told %q", f.told)
			}
		})
	}
}

// A longer prompt of a server that has shown only short ones, and one that took
// longer to handle.
func TestHandlingThatVariesBehindHeaders(t *testing.T) {
	f := begun(t, reported.VLLM, onAcceptance)
	for range 12 {
		f.probe(256)
	}
	f.serve = func(_, n int) (float64, float64, float64, float64, string) {
		return 30, 0, begunPrefill(n), 10, ""
	}
	for _, n := range []int{1024, 256} {
		if r := f.probe(n); off(r, probe.HandlingPart, 30) > 2 || n == 256 && !isAbout(r, probe.Prefill, begunPrefill(n)) {
			t.Errorf("%d tokens: %v", n, r.Waterfall)
		}
	}
}

// A server of vLLM's name whose headers wait for a slot: what lies before them
// is not taken for handling, and a person is told once.
func TestHeadersBelieTheName(t *testing.T) {
	f := begun(t, reported.VLLM, onSlot)
	for i := range 60 {
		queue := begunQueue(f.i)
		r := f.probe(256)
		if !isAbout(r, probe.Queue, queue) {
			t.Errorf("probe %d with a queue of %.0f ms: %v", i, queue, r.Waterfall)
		}
		if i > 36 && !(isAbout(r, probe.Handling, 6) && isAbout(r, probe.Prefill, begunPrefill(256))) {
			t.Errorf("probe %d, headers known to leave with a slot: %v", i, r.Waterfall)
		}
	}
	if len(f.told) != 1 {
		t.Errorf("told %q", f.told)
	}
}

// One request in many that was slow to be taken does not belie the name.
func TestSlowHandlingIsNoLie(t *testing.T) {
	f := begun(t, reported.VLLM, onAcceptance)
	for range 30 {
		f.probe(256)
	}
	f.serve = func(_, n int) (float64, float64, float64, float64, string) {
		return 70, 0, begunPrefill(n), 10, ""
	}
	if r := f.probe(256); off(r, probe.HandlingPart, 70) > 3 || len(f.told) > 0 {
		t.Errorf("%v, told %q", r.Waterfall, f.told)
	}
}

// What a far path adds to some probes comes before their headers and belies no
// name, known or not.
func TestThePathsJitterIsNoWait(t *testing.T) {
	for _, name := range []reported.Server{reported.VLLM, ""} {
		f := begun(t, name, onAcceptance)
		f.change = func(r *probe.Result) {
			later := 140 * time.Millisecond
			if r.RTT.At = later; f.i%3 == 0 {
				later += 30 * time.Millisecond
			}
			for _, at := range []*time.Duration{&r.Timeline.Headers.At, &r.Timeline.FirstToken.At, &r.Timeline.LastToken.At} {
				*at += later
			}
			for i := range r.Timeline.Tokens {
				r.Timeline.Tokens[i].At += later
			}
		}
		for range 60 {
			f.probe(256)
		}
		if rule := f.c.headers.rule(); len(f.told) > 0 || rule == cut.OnSlot {
			t.Errorf("%q: rule %v, told %q", name, rule, f.told)
		}
	}
}

// What lay before the headers of a server that has changed is forgotten with its
// baseline: longer handling is no queue then.
func TestHandlingOfAChangedServer(t *testing.T) {
	f := begun(t, reported.LlamaCPP, onSlot)
	for range 12 {
		f.probe(256)
	}
	f.serve = func(_, n int) (float64, float64, float64, float64, string) {
		return 106, 0, begunPrefill(n), 10, ""
	}
	for i := 0; len(f.told) == 0; i++ {
		if i == 60 {
			t.Fatal("the change is not told")
		}
		f.probe(256)
	}
	f.ladder()
	for range 4 {
		if r := f.probe(256); !isAbout(r, probe.Queue, 0) || !isAbout(r, probe.Handling, 106) {
			t.Errorf("after the change: %v", r.Waterfall)
		}
	}
}

// What lies before the headers is known of a model and a length that two idle
// probes have shown since the server last changed.
func TestBeforeHeaders(t *testing.T) {
	seen := func(model string, tokens int, ms float64) headersSeen {
		return headersSeen{model: model, tokens: tokens, headers: msec(ms)}
	}
	w := headerWatch{idle: []headersSeen{seen("a", 256, 7), seen("b", 256, 50), seen("a", 1024, 30), seen("a", 260, 6), seen("b", 1024, 52), seen("a", 250, 6.2)}}
	if u := w.before("a", 256); u == nil || u.Usual != msec(6.2) || u.Lo > msec(6) || u.Hi < msec(7) {
		t.Errorf("got %v", u)
	}
	for _, unknown := range []struct {
		model  string
		tokens int
	}{{"a", 1024}, {"b", 256}, {"c", 256}} {
		if u := w.before(unknown.model, unknown.tokens); u != nil {
			t.Errorf("%v: got %v", unknown, u)
		}
	}
	w.outdate()
	if u := w.before("a", 256); u != nil {
		t.Errorf("of the server before: %v", u)
	}
}
