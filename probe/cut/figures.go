package cut

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/reported"
)

// slack is how far figures may exceed what holds them before they contradict
// it: rounding, and stamps of a busy machine (±4 ms were seen on llama.cpp).
func slack(of time.Duration) time.Duration { return max(2*time.Millisecond, of/50) }

// minor is what may be left beside known parts without a name of its own.
func minor(s time.Duration) time.Duration { return max(time.Millisecond, s/100) }

// look settles which figures, step and headers the cut can use.
func (c *cutter) look() {
	f := &c.in.Figures
	if f.Loaded() {
		c.flag(probe.FlagModelLoad)
	}
	c.disbelieve()
	c.step, c.out.Basis.Step = c.in.Step, c.in.StepBasis
	if !c.step.OK && f.Step.OK {
		c.step, c.out.Basis.Step = f.Step, probe.StepTold
	}
	c.step.At = max(0, c.step.At)
	if b := c.in.Baseline; b != nil && b.Covers(c.in.Uncached) {
		c.idle = idleOf(*b, c.in.Uncached)
	}
	c.fit()
	c.lookAtHeaders()
	c.part()
	c.out.DecodeInReport = c.showsDecode()
}

// part tells prefill from handling on an idle server where it has reported its
// prefill on other probes: the baseline takes a fixed part of it for handling.
func (c *cutter) part() {
	own := c.in.OwnPrefill
	if c.idle == nil || own == nil || c.in.Figures.Prefill.OK || !own.Idle || c.belied(*own) {
		return
	}
	p, w := estimated(own.Usual, own.Lo, own.Hi), c.idle.whole
	if p.d > w.d {
		return
	}
	c.idle.prefill, c.idle.told = p, true
	c.idle.fixed = estimated(w.d-p.d, max(0, w.lo-p.hi), w.hi-p.lo)
}

// fit drops a report that contradicts what was measured, as a whole: where one
// of its figures is wrong, none is to be believed. It may not take longer than
// S, and a pass over the prompt not far less than one over a single token, or
// than its length was seen to cost.
func (c *cutter) fit() {
	f := &c.in.Figures
	most := c.s + slack(c.s)
	sum := at(f.Handling) + at(f.Queue) + at(f.Prefill)
	if sum <= most && at(f.WholeTTFT) <= most && !c.tooShort() && !c.tooCheap() {
		return
	}
	c.flag(probe.FlagReportMismatch)
	c.drop()
}

const (
	leastPass  = 2  // a figure that holds a step is no shorter than this part of it
	leastRest  = 20 // nor a prefill beside it than this
	someTokens = 64 // uncached prompt tokens whose prefill is a pass of its own
	stepNoise  = time.Millisecond
)

// tooShort reports whether a prefill or a TTFT, as the server has it, is too
// short to be one: a mistaken unit makes it a thousandth. A pass reads all
// weights, as a decode step does, so prefill can be short only beside the first
// decode, and only where most of the prompt was cached.
func (c *cutter) tooShort() bool {
	f, step := c.in.Figures, c.leastStep()
	under := func(m probe.Mark, part time.Duration) bool { return m.OK && m.At < step/part && m.At < step-stepNoise }
	if under(f.WholeTTFT, leastPass) {
		return true
	}
	if f.FirstDecodeInPrefill == reported.Yes {
		return under(f.Prefill, leastPass)
	}
	return c.in.Uncached >= someTokens && under(f.Prefill, leastRest)
}

// leastStep is what a step takes at least: where one event carries the tokens
// of several steps, the gaps between events are longer. 0 where that was not
// measured.
func (c *cutter) leastStep() time.Duration {
	events := c.in.Timeline.Tokens
	n := max(len(events), c.in.OutputTokens)
	if !c.in.Step.OK || len(events) < 2 {
		return 0
	}
	return min(c.in.Step.At, (events[len(events)-1].At-events[0].At)/time.Duration(n-1))
}

// lookAtHeaders takes the headers' instant where the rule says what it means
// and the time after it holds what must come after it: where the headers come
// too late for that, a build or a proxy held them back.
func (c *cutter) lookAtHeaders() {
	f, t := c.in.Figures, c.in.Timeline
	rule := c.in.Headers
	switch {
	case rule != HeadersUnknown:
	case f.QueueFromHeaders:
		rule = OnSlot
	case f.HandlingFromHeaders:
		rule = OnAcceptance
	}
	if rule != OnAcceptance && rule != OnSlot || !t.Headers.OK {
		return
	}
	after := afterHeaders(t, c.s)
	if after+slack(c.s) < at(f.Prefill) || after < min(at(c.step), c.s)-min(at(c.step)/2, slack(c.s)) {
		return
	}
	c.headers = probe.At(c.s - after)
	c.rule = rule
}

func (c *cutter) flag(f probe.Flag) { c.out.Flags = append(c.out.Flags, f) }

func at(m probe.Mark) time.Duration {
	if !m.OK {
		return 0
	}
	return m.At
}

// beside reports whether the first decode lies beside the reported prefill,
// not in it. Where the server does not say, what earlier probes have shown holds
// for all, and before that what this one shows: its noise must not move a step
// from one probe to the next. Where nothing shows it the step is in it.
func (c *cutter) beside() bool {
	for _, said := range []reported.Contains{c.in.Figures.FirstDecodeInPrefill, c.in.DecodeInReport} {
		if said != reported.Unknown {
			return said == reported.No
		}
	}
	return c.out.DecodeInReport == reported.No
}

// showsDecode is whether the probe shows the first decode in the reported
// prefill: the figure is too short to hold a step, or what is left of S has a
// step beside it or has not.
func (c *cutter) showsDecode() reported.Contains {
	f, step := c.in.Figures, at(c.step)
	if !f.Prefill.OK || step <= 0 || f.FirstDecodeInPrefill != reported.Unknown {
		return reported.Unknown
	}
	room := c.s - f.Prefill.At - at(f.Queue)
	handling, known := c.expectedHandling()
	switch {
	case f.Prefill.At < step*9/10 && room >= step:
		return reported.No
	case !f.Queue.OK || !known:
		return reported.Unknown
	case room-handling >= step*3/4:
		return reported.No
	}
	return reported.Yes
}

// expectedHandling is what handling should take, by the headers or the
// baseline.
func (c *cutter) expectedHandling() (time.Duration, bool) {
	switch {
	case c.in.Figures.QueueHasHandling:
		return 0, true
	case c.rule == OnAcceptance:
		return max(c.headers.At, at(c.in.Figures.Handling)), true
	case c.idle != nil:
		return max(c.idle.fixed.d, at(c.in.Figures.Handling)), true
	}
	return 0, false
}
