package prober

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/reported"
	"ttftop/probe/stream"
)

// fed is a cutter that is fed probes without a server, one a second: what comes
// of it depends on nothing else.
type fed struct {
	t *testing.T
	c cutter
	i int
	// Of the i-th probe, in milliseconds; report is raw JSON, "" for none.
	serve func(i, tokens int) (handling, queue, prefill, step float64, report string)

	overlap bool                // probes are not alone
	name    string              // of the model in the answers
	leave   leave               // when the headers do
	change  func(*probe.Result) // what else is of a probe, nil for nothing
	held    func(i int) bool    // the tokens after the first come in a bunch; nil for never

	told []string
}

func newFed(t *testing.T, serve func(i, tokens int) (handling, queue, prefill, step float64, report string)) *fed {
	f := &fed{t: t, c: newCutter(false), serve: serve}
	f.ladder()
	return f
}

// ladder feeds the rungs of one.
func (f *fed) ladder() {
	for _, n := range rungs {
		f.probe(n)
	}
}

func msec(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

// probe feeds one probe, undisturbed.
func (f *fed) probe(tokens int) probe.Result {
	f.t.Helper()
	handling, queue, prefill, step, report := f.serve(f.i, tokens)
	jitter := 1 + 0.01*float64((f.i*7)%5-2)
	at := msec(0.1 + (handling+queue+prefill+step)*jitter)
	r := probe.Result{At: noon.Add(time.Duration(f.i) * time.Second), RTT: probe.At(0), PromptTokens: tokens, OutputTokens: 6, PromptExact: true}
	gap := step
	if f.held != nil && f.held(f.i) {
		gap /= 9
	}
	f.i++
	r.Knobs.Model, r.Knobs.Cache, r.Model = "m", probe.Bust, f.name
	if f.name != "" && !sameModel(f.name, "m") {
		r.Flagged(probe.FlagOtherModel)
	}
	r.Timeline = probe.Timeline{GotConn: probe.At(0), Sent: probe.At(msec(0.1)), Headers: probe.At(at), FirstToken: probe.At(at)}
	switch f.leave {
	case onAcceptance:
		r.Timeline.Headers.At -= msec((queue + prefill + step) * jitter)
	case onSlot:
		r.Timeline.Headers.At -= msec((prefill + step) * jitter)
	}
	for i := range 6 {
		r.Timeline.Tokens = append(r.Timeline.Tokens, probe.Arrival{At: at + time.Duration(i)*msec(gap*jitter), Read: i})
	}
	r.Timeline.LastToken = probe.At(r.Timeline.Tokens[5].At)
	if f.change != nil {
		f.change(&r)
	}
	o := attempt.Outcome{Result: r}
	if report != "" {
		o.Answer = stream.Answer{Raw: []json.RawMessage{json.RawMessage(report)}}
	}
	found := f.c.cut(&r, o, reported.Figures{}, !f.overlap, f.i > 8)
	for _, text := range []string{found.alias, found.changed, found.unsaid, found.belied} {
		if text != "" {
			f.told = append(f.told, text)
		}
	}
	return r
}

// off is how far a part of a result is from the truth, in milliseconds.
func off(r probe.Result, p probe.Part, truth float64) float64 {
	d := float64(r.Waterfall.Of(p))/float64(time.Millisecond) - truth
	return max(d, -d)
}

func timings(n int, prompt float64) string {
	return fmt.Sprintf(`{"timings":{"cache_n":0,"prompt_n":%d,"prompt_ms":%g}}`, n, prompt)
}

// A server that leaves its report out of half of its answers finds those it
// makes believed, and the others cut by them, though a constant prefill looks
// like handling.
func TestAPartialReport(t *testing.T) {
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		if i%3 == 1 {
			return 2, 0, 20, 3, ""
		}
		if i == 6 {
			return 2, 0, 20, 3, timings(n, 17) // wrong, but not by far
		}
		return 2, 0, 20, 3, timings(n, 23)
	})
	for range 40 {
		r := f.probe(256)
		if off(r, probe.PrefillPart, 20) > 1.5 || off(r, probe.QueuePart, 0) > 1.5 || off(r, probe.HandlingPart, 2) > 1.5 {
			t.Errorf("probe %d: %v", f.i, r.Waterfall)
		}
	}
}

// A server whose reports had a wrong unit, or were too small by a third, is
// believed soon after it reports as it should.
func TestACorrectedReport(t *testing.T) {
	for _, factor := range []float64{0.001, 0.3} {
		f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
			prefill := 5 + 0.1*float64(n)
			if i < 40 {
				return 2, 0, prefill, 3, timings(n, max(3.2, factor*1000)*factor+factor*prefill)
			}
			return 2, 0, prefill, 3, timings(n, prefill+3)
		})
		for f.i < 40 {
			r := f.probe(256)
			if factor == 0.001 && !r.Has(probe.FlagReportMismatch) {
				t.Fatalf("a thousandth is not flagged: %v", r.Waterfall)
			}
		}
		for range ownRow {
			f.probe(256)
		}
		for range 20 {
			r := f.probe(256)
			if off(r, probe.PrefillPart, 30.6) > 1 || off(r, probe.QueuePart, 0) > 1.5 || r.Has(probe.FlagReportMismatch) {
				t.Errorf("factor %v, probe %d: %v %v", factor, f.i, r.Flags, r.Waterfall)
			}
		}
	}
}

// What is reported above what is reported when idle stays contention.
func TestReportedContention(t *testing.T) {
	slow := 0.0
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		prefill := 5 + 0.1*float64(n) + slow
		return 2, 0, prefill, 3, timings(n, prefill+3)
	})
	for range 4 {
		f.probe(256)
	}
	slow = 15
	for range 3 {
		r := f.probe(256)
		if off(r, probe.PrefillPart, 30.6) > 1.5 || !r.Contention.OK || off(r, probe.QueuePart, 15) > 1.5 {
			t.Errorf("contention %v, %v", r.Contention, r.Waterfall)
		}
	}
}

// A model is swapped behind the name: the step grows at once, so what was
// learnt of the server before is dropped within a few probes, and until then
// nothing is said for certain.
func TestASwappedModelIsSeenInItsSteps(t *testing.T) {
	swapped := false
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		if swapped {
			return 1, 0, 0.3 * float64(n), 9.5, ""
		}
		return 10, 0, 0.03 * float64(n), 2.2, ""
	})
	for range 20 {
		f.probe(256)
	}
	if len(f.told) != 0 {
		t.Fatalf("told without a change: %q", f.told)
	}
	swapped = true
	f.probe(256)
	for range stepsRow - 1 {
		r := f.probe(256)
		for _, s := range r.Waterfall {
			if s.Name == probe.Queue && (s.Lo > 0 || s.Hi < s.Duration) {
				t.Errorf("a queue of %v in %v to %v is certain", s.Duration, s.Lo, s.Hi)
			}
		}
	}
	if len(f.told) != 1 || !strings.Contains(f.told[0], "2.2 ms and now takes 9.4 ms") {
		t.Fatalf("told %q", f.told)
	}
	f.ladder()
	for range 10 {
		r := f.probe(256)
		if off(r, probe.PrefillPart, 76.8) > 4 || off(r, probe.QueuePart, 0) > 4 {
			t.Errorf("probe %d: %v", f.i, r.Waterfall)
		}
	}
	if len(f.told) != 1 {
		t.Errorf("told %q", f.told)
	}
}

// Steps that scatter, as in a batch that others fill and leave, are no other
// server.
func TestScatteredStepsAreNoChange(t *testing.T) {
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		step := 3.0
		if i%20 > 14 {
			step = 7 * float64(i%20-13)
		}
		return 2, 0, 0.1 * float64(n), step, ""
	})
	for range 100 {
		f.probe(256)
	}
	if len(f.told) != 0 {
		t.Errorf("told %q", f.told)
	}
}

// Of a server that is now fast and now slow no line fits: the intervals say so.
func TestAnAlternatingServerIsNotCertain(t *testing.T) {
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		times := 1.0
		if i%2 == 0 {
			times = 8
		}
		return 0, 0, times * (3 + 0.03*float64(n)), 2, ""
	})
	for range 40 {
		r := f.probe(256)
		for _, s := range r.Waterfall {
			if s.Name == probe.Prefill && s.Hi-s.Lo < 3*time.Millisecond {
				t.Errorf("probe %d: prefill %v in %v to %v", f.i, s.Duration, s.Lo, s.Hi)
			}
		}
	}
}
