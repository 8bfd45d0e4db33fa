package prober

import (
	"fmt"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/reported"
)

// groqReport has the queue and a prompt time in milliseconds, of which nobody
// says whether the first decode is in it.
func groqReport(queue, prompt float64) string {
	return fmt.Sprintf(`{"x_groq":{"usage":{"queue_time":%g,"prompt_time":%g,"completion_time":0.1,"total_time":0.2}}}`, queue/1000, prompt/1000)
}

// Whether a step is taken out of the reported prefill is settled for a server,
// not by the noise of each probe.
func TestAReportedPrefillKeepsItsMeaning(t *testing.T) {
	for inside, noise := range map[float64]float64{0: -8, 12: 11} { // as much as would show the other
		f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
			handling, prefill := 10.0, 0.2*float64(n)
			if i%8 == 3 {
				handling += noise
			}
			return handling, 0, prefill, 12, groqReport(0, prefill+inside)
		})
		for range 8 {
			f.probe(500)
		}
		for range 32 {
			r := f.probe(500)
			if got := off(r, probe.PrefillPart, 100); got > 0.3 {
				t.Errorf("with %v ms of the first decode in the report, probe %d: prefill %v", inside, f.i, r.Waterfall.Of(probe.PrefillPart))
			}
		}
	}
}

func TestDecodePlace(t *testing.T) {
	var p decodePlace
	show := func(n int, shown reported.Contains) {
		for range n {
			p.add(shown)
		}
	}
	if show(decodesNeed-1, reported.No); p.settled != reported.Unknown {
		t.Errorf("settled by %d probes", decodesNeed-1)
	}
	if show(1, reported.No); p.settled != reported.No {
		t.Errorf("%d probes leave it %v", decodesNeed, p.settled)
	}
	if show(5, reported.Yes); p.settled != reported.No {
		t.Error("5 others undo it")
	}
	if show(decodesKept, reported.Unknown); p.settled != reported.No {
		t.Error("probes that show nothing undo it")
	}
	if show(decodesKept, reported.Yes); p.settled != reported.Yes {
		t.Errorf("%d others in a row leave it %v", decodesKept, p.settled)
	}
}

// The rest is taken from prompts about as long, or shorter: those have no more
// handling.
func TestRests(t *testing.T) {
	var r rests
	if r.of(100) != nil {
		t.Error("a rest without a probe")
	}
	r.add(16000, 50*time.Millisecond)
	if r.of(100) != nil {
		t.Error("a rest by a longer prompt alone")
	}
	for i := range 5 {
		r.add(100, time.Duration(5+i)*time.Millisecond)
	}
	got := r.of(105)
	if got == nil || got.Least != 5*time.Millisecond || got.Usual != 7*time.Millisecond {
		t.Errorf("got %+v", got)
	}
}
