package prober

import (
	"testing"
	"time"

	"ttftop/probe"
)

// streamOf is a probe whose tokens come these gaps apart, in
// milliseconds, from 100 ms on.
func streamOf(gaps ...float64) *probe.Result {
	r := &probe.Result{}
	at := msec(100)
	r.Timeline.FirstToken = probe.At(at)
	r.Timeline.Tokens = []probe.Arrival{{At: at}}
	for i, gap := range gaps {
		at += msec(gap)
		r.Timeline.Tokens = append(r.Timeline.Tokens, probe.Arrival{At: at, Read: i + 1})
	}
	return r
}

// Tokens that come in a bunch on one probe give that probe no short step, and
// later ones under pressure neither.
func TestABunchIsNoStep(t *testing.T) {
	steady, bunch, busy := streamOf(12, 12, 12, 12), streamOf(1.4, 1.4, 1.4, 1.4), streamOf(31, 31, 31, 31)
	c := newCutter(false)
	s, none := msec(100), probe.Mark{}
	for range 4 {
		c.step(steady, "m", s, none, true)
	}
	if got := c.step(bunch, "m", s, none, true); got != probe.At(msec(12)) {
		t.Errorf("the bunch alone gives %v", got)
	}
	if got := c.step(bunch, "m", s, none, false); got != probe.At(msec(12)) {
		t.Errorf("a bunch under pressure gives %v", got)
	}
	if got := c.step(busy, "m", s, none, false); got != probe.At(msec(12)) {
		t.Errorf("a busy batch after it gives %v", got)
	}
}

// A bunch that comes first is corrected by what comes after it.
func TestABunchThatComesFirst(t *testing.T) {
	c := newCutter(false)
	s, none := msec(100), probe.Mark{}
	c.step(streamOf(1.4, 1.4, 1.4), "m", s, none, true)
	c.step(streamOf(12, 12, 12), "m", s, none, true)
	if got := c.step(streamOf(31, 31, 31), "m", s, none, false); got != probe.At(msec(12)) {
		t.Errorf("got %v", got)
	}
}

// A step far below what the server says a token took is none; what it says is
// one where no other is known and it fits into the server time.
func TestAStepBelowTheServersOwn(t *testing.T) {
	told := probe.At(msec(12))
	c := newCutter(false)
	if got := c.step(streamOf(1.4, 1.4, 1.4), "m", msec(100), told, true); got != told {
		t.Errorf("got %v, the server says %v", got, told)
	}
	if got := c.step(streamOf(11.5, 11.5), "m", msec(100), told, true); got != probe.At(msec(11.5)) {
		t.Errorf("a step like the server's: %v", got)
	}
	if got := c.step(streamOf(1.4, 1.4, 1.4), "m", msec(100), told, true); got != probe.At(msec(11.5)) {
		t.Errorf("the steps that were seen are %v", got)
	}
	c = newCutter(false)
	if got := c.step(streamOf(12, 12), "m", msec(100), probe.At(12*time.Second), true); got != probe.At(msec(12)) {
		t.Errorf("with a mistaken unit: %v", got)
	}
}

// A disturbed stream, or one whose reads held several tokens, stands for the
// step only as long as there is no other.
func TestDisturbedStepsStandIn(t *testing.T) {
	coalesced := streamOf(24, 24, 24)
	coalesced.Coalesced = true
	c := newCutter(false)
	s, none := msec(100), probe.Mark{}
	c.step(coalesced, "m", s, none, true)
	c.step(coalesced, "m", s, none, true)
	if got := c.step(streamOf(31, 31), "m", s, none, false); got != probe.At(msec(24)) {
		t.Errorf("with nothing else: %v", got)
	}
	c.step(streamOf(12, 12), "m", s, none, true)
	c.step(coalesced, "m", s, none, true)
	if got := c.step(streamOf(31, 31), "m", s, none, false); got != probe.At(msec(12)) {
		t.Errorf("beside a sound one: %v", got)
	}
}

// A server that has become faster is not held to the steps of before for long.
func TestAFasterStepIsBelieved(t *testing.T) {
	c := newCutter(false)
	s, none := msec(100), probe.Mark{}
	for range 12 {
		c.step(streamOf(12, 12), "m", s, none, true)
	}
	for range soundKept {
		c.step(streamOf(4, 4), "m", s, none, true)
	}
	if got := c.step(streamOf(4, 4), "m", s, none, true); got != probe.At(msec(4)) {
		t.Errorf("got %v", got)
	}
}

// One bunch, whole probes: neither the first decode nor the queue of later ones
// under pressure is off.
func TestABunchLeavesTheCutsAlone(t *testing.T) {
	step := 12.0
	f := newFed(t, func(_, n int) (float64, float64, float64, float64, string) {
		return 10, 0, 0.2 * float64(n), step, ""
	})
	f.held = func(i int) bool { return i == 10 }
	for range 4 {
		f.probe(500)
	}
	f.overlap = true
	for range 12 {
		r := f.probe(500)
		if off(r, probe.FirstDecodePart, 12) > 1 || off(r, probe.QueuePart, 0) > 6 {
			t.Errorf("probe %d: %v", f.i, r.Waterfall)
		}
	}
}
