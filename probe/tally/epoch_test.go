package tally

import (
	"testing"
	"time"

	"ttftop/probe"
)

func change(t *Tally, epoch int, before, after probe.Settings) {
	t.Fold(probe.Changed{Epoch: epoch, At: start.Add(time.Duration(epoch) * time.Minute), Before: before, Settings: after})
}

func in(epoch int, r probe.Result) probe.Result {
	r.Epoch = epoch
	return r
}

// Before and after a change; what was in flight counts to the epoch it began
// in, and what began in one that is not kept any more counts nowhere.
func TestEpochs(t *testing.T) {
	s := session()
	target := s.Target(0)
	if _, ok := target.Before(); ok {
		t.Error("there is nothing before the first epoch")
	}
	finish(s, in(0, success(1, 100*ms)))
	change(s, 1, knobs(256), knobs(1024))
	finish(s, in(0, success(2, 120*ms))) // was in flight
	finish(s, in(1, success(3, 400*ms)))
	before, ok := target.Before()
	if !ok || before.Probes != 2 || before.P50.At != 100*ms || before.Max != probe.At(120*ms) {
		t.Errorf("before: %+v", before)
	}
	if f := target.Figures(); f.Probes != 1 || f.P50.At != 400*ms {
		t.Errorf("after: %+v", f)
	}
	change(s, 2, knobs(1024), knobs(64))
	if f := target.Figures(); f.Probes != 0 {
		t.Errorf("a new epoch has %d probes", f.Probes)
	}
	finish(s, in(0, success(4, 5000*ms)))
	finish(s, in(1, success(5, 410*ms)))
	if f := target.Figures(); f.Probes != 0 {
		t.Errorf("probes of old epochs count to the present one: %+v", f)
	}
	if before, ok := target.Before(); !ok || before.Probes != 2 || before.Max != probe.At(410*ms) {
		t.Errorf("before: %+v", before)
	}
	// An epoch without a probe that ended: nothing is known of what was before
	// until one of its probes ends.
	change(s, 3, knobs(64), knobs(32))
	if before, ok := target.Before(); ok {
		t.Errorf("before: %+v", before)
	}
	finish(s, in(2, success(6, 50*ms)))
	if before, ok := target.Before(); !ok || before.P50.At != 50*ms {
		t.Errorf("before: %+v", before)
	}
	if s.Epoch() != 3 || len(s.Changes()) != 3 || len(target.Points()) != 6 {
		t.Errorf("epoch %d, %d changes, %d points", s.Epoch(), len(s.Changes()), len(target.Points()))
	}
}

// Turns before a probe has begun make one mark that tells the whole way;
// pausing makes none and moves none.
func TestMarks(t *testing.T) {
	s := session()
	change(s, 1, knobs(256), knobs(512))
	change(s, 1, knobs(256), knobs(1024))
	at := s.Changes()[0].At
	paused := knobs(1024)
	paused.Paused = true
	s.Fold(probe.Changed{Epoch: 1, At: start.Add(time.Hour), Before: knobs(1024), Settings: paused})
	if !s.Settings().Paused {
		t.Error("not paused")
	}
	s.Fold(probe.Changed{Epoch: 1, At: start.Add(2 * time.Hour), Before: paused, Settings: knobs(1024)})
	if n := len(s.Changes()); n != 1 {
		t.Fatalf("%d marks", n)
	}
	m := s.Changes()[0]
	if m.Before.Knobs[0].PromptTokens != 256 || m.Settings.Knobs[0].PromptTokens != 1024 || !m.At.Equal(at) {
		t.Errorf("%+v", m)
	}
	for epoch := 2; epoch < 500; epoch++ {
		change(s, epoch, knobs(epoch), knobs(epoch+1))
	}
	if n := len(s.Changes()); n != maxChanges || s.Changes()[n-1].Epoch != 499 {
		t.Errorf("%d marks", n)
	}
}
