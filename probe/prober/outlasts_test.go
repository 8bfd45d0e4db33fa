package prober

import (
	"net/http"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/reported"
)

// A header that tells of more time than the probe took is no figure.
func TestAHeaderOutlastsTheProbe(t *testing.T) {
	for value, want := range map[string]bool{"999999": true, "40": false, "": false} {
		c, at := taught()
		r := unhurried(256, at.Add(time.Second), 0)
		c.cut(r, attempt.Outcome{Header: http.Header{"Openai-Processing-Ms": {value}}}, reported.Figures{}, true, true)
		if r.Has(probe.FlagAbsurdReport) != want {
			t.Errorf("%q: flags %v", value, r.Flags)
		}
	}
}

// A stream whose steps are longer than the server took for its first token was
// disturbed after it: the step known before stands, and no length seems to cost
// nothing.
func TestADisturbedStepIsNotTaken(t *testing.T) {
	c, at := taught()
	r := unhurried(256, at.Add(time.Second), 0)
	for i := range r.Timeline.Tokens {
		r.Timeline.Tokens[i].At = r.Timeline.FirstToken.At + time.Duration(i)*80*time.Millisecond
	}
	c.cut(r, attempt.Outcome{}, reported.Figures{}, true, true)
	if got := r.Waterfall.Of(probe.FirstDecodePart); got != 5*time.Millisecond {
		t.Errorf("a first decode of %v: %v", got, r.Waterfall)
	}
	next := unhurried(256, at.Add(2*time.Second), 0)
	c.cut(next, attempt.Outcome{}, reported.Figures{}, true, true)
	if d := next.Waterfall.Of(probe.QueuePart); d > time.Millisecond {
		t.Errorf("a queue of %v after it", d)
	}
}
