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

// both are the knobs of two targets.
func both(a, b int) probe.Settings {
	return probe.Settings{Knobs: []probe.Knobs{knobs(a).Knobs[0], knobs(b).Knobs[0]}}
}

// finishes folds n successes of both targets.
func finishes(s *Tally, epoch, n int) {
	for i := range n {
		for target := range 2 {
			r := in(epoch, success(100*epoch+i+1, 100*ms))
			r.Target = target
			finish(s, r)
		}
	}
}

// A turn for one target alone leaves the figures of the other, and its effect.
func TestEpochsOfOneTarget(t *testing.T) {
	s := New([]probe.Target{{Name: "a"}, {Name: "b"}}, both(256, 256), start, limit)
	a, b := s.Target(0), s.Target(1)
	finishes(s, 0, 10)
	change(s, 1, both(256, 256), both(512, 512))
	finishes(s, 1, 20)
	change(s, 2, both(512, 512), both(1024, 512))
	finishes(s, 2, 3)
	if na, nb := a.Figures().Probes, b.Figures().Probes; na != 3 || nb != 23 {
		t.Errorf("n %d and %d", na, nb)
	}
	if before, ok := b.Before(); !ok || before.Probes != 10 || !b.Shift().P50.OK {
		t.Errorf("b is compared with %+v", before)
	}
	if from, to, ok := s.Compared(); !ok || from.Knobs[0].PromptTokens != 512 || to.Knobs[0].PromptTokens != 1024 || from.Knobs[1] != to.Knobs[1] {
		t.Errorf("compared: %+v, %+v", from, to)
	}
	if s.Epoch() != 2 || a.Epoch() != 2 || b.Epoch() != 1 {
		t.Errorf("epochs %d, %d, %d", s.Epoch(), a.Epoch(), b.Epoch())
	}
	if points, costs := b.Points(), b.Costs(); points[len(points)-1].Epoch != 1 || costs[len(costs)-1].Epoch != 1 {
		t.Error("the line of b is broken by what was turned at a")
	}
	// Both again; then a, through an epoch that was too short.
	change(s, 3, both(1024, 512), both(2048, 1024))
	finishes(s, 3, 1)
	late := in(2, success(900, 100*ms))
	late.Target = 1
	finish(s, late) // of an epoch that b had no part in
	if before, _ := b.Before(); before.Probes != 24 {
		t.Errorf("b before: %+v", before)
	}
	change(s, 4, both(2048, 1024), both(4096, 1024))
	if from, _, _ := s.Compared(); from.Knobs[0].PromptTokens != 1024 {
		t.Errorf("the epoch of a that was only turned through: %+v", from)
	}
}

// What is turned back before it had a probe was never turned.
func TestTurnedBack(t *testing.T) {
	s := New([]probe.Target{{Name: "a"}, {Name: "b"}}, both(256, 256), start, limit)
	finishes(s, 0, 10)
	change(s, 1, both(256, 256), both(512, 256))
	change(s, 1, both(256, 256), both(512, 512)) // b as well
	if n := s.Target(1).Figures().Probes; n != 0 {
		t.Errorf("b has %d probes", n)
	}
	change(s, 1, both(256, 256), both(256, 512))
	finishes(s, 1, 2)
	if na, nb := s.Target(0).Figures().Probes, s.Target(1).Figures().Probes; na != 12 || nb != 2 {
		t.Errorf("n %d and %d", na, nb)
	}
	if from, to, ok := s.Compared(); !ok || from.Knobs[0] != to.Knobs[0] || from.Knobs[1].PromptTokens != 256 {
		t.Errorf("compared: %+v, %+v", from, to)
	}
}
