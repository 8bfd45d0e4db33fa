package prober

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
)

const (
	soundKept = 9 // steps that the usual one is the median of
	bunched   = 2 // one that is shorter by more than this than others are is no step: tokens were held back and came in a bunch
)

// knownSteps are the latest decode steps of a model, for the probes whose own
// shows none. One of them alone may be anything: what holds tokens back on
// their way makes a step out of nothing.
type knownSteps struct {
	sound  []time.Duration // undisturbed, the latest last
	others []time.Duration // the same of streams that were disturbed: they count as long as there is no sound one
}

// add takes the step of a stream. sound says that nothing disturbed it.
func (k *knownSteps) add(step time.Duration, sound bool) {
	into := &k.others
	if sound {
		into = &k.sound
	}
	*into = latest(append(*into, step), soundKept)
}

// usual is the median of the steps, of two the longer.
func (k *knownSteps) usual() probe.Mark {
	steps := k.sound
	if len(steps) == 0 {
		steps = k.others
	}
	if len(steps) == 0 {
		return probe.Mark{}
	}
	s := slices.Sorted(slices.Values(steps))
	return probe.At(s[len(s)/2])
}

// step is one decode step of the probe's stream, or what the target's last ones
// usually were. In a busy batch a step is longer than that of this stream alone:
// what other requests add to it is no first decode, so the steps seen undisturbed
// are the limit. One that doesn't fit into the server time was disturbed by others
// after the first token. One far shorter than the others, or than what the server
// says a token took, is the gap within a bunch. told is that figure of the
// server; not OK where it says nothing.
func (c *cutter) step(r *probe.Result, model string, s time.Duration, told probe.Mark, alone bool) probe.Mark {
	steps := made(c.steps, model)
	own, idle := cut.Step(r.Timeline), steps.usual()
	if own.OK && isBunched(own, told) && fits(told.At, s) {
		if idle.OK {
			return idle
		}
		return told
	}
	switch {
	case !own.OK:
		return idle
	case !fits(own.At, s) && (!idle.OK || idle.At < own.At):
		return idle
	}
	if alone || !idle.OK {
		steps.add(own.At, alone && !r.Coalesced)
	}
	switch {
	case isBunched(own, idle):
		return idle
	case alone || !idle.OK:
		return own
	}
	return probe.At(min(own.At, idle.At))
}

// isBunched reports whether a step is too short to be one, by another that is
// known; not where none is.
func isBunched(step, other probe.Mark) bool { return other.OK && step.At < other.At/bunched }

// fits reports whether a decode step can have been in the server time, give or
// take what steps vary by.
func fits(step, s time.Duration) bool { return step <= s+max(2*time.Millisecond, s/4) }

// basisOf is where a step comes from.
func basisOf(step, own, told probe.Mark) probe.StepBasis {
	switch {
	case !step.OK:
		return 0
	case step == own:
		return probe.StepOwn
	case step == told:
		return probe.StepTold
	}
	return probe.StepEarlier
}
