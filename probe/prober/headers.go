package prober

import (
	"slices"
	"time"

	"ttftop/probe/cut"
)

const (
	headersKept  = 16   // probes of each kind that are looked at
	headersNeed  = 8    // and that must be there
	headersMost  = 0.8  // share of them that must agree
	heldStill    = 0.1  // share of a wait that headers may move by without being behind it
	wentAlong    = 0.75 // share of a wait that headers must move by to be behind it
	leastWait    = 5 * time.Millisecond
	headersNoise = time.Millisecond
	headersFew   = 2 // idle probes of a length that show what lies before the headers
)

// headerWatch learns when the headers of an unknown server leave: whether they
// come before the first token by what must lie between them, and whether they
// move with load. It takes probes that met an idle server and probes that
// waited; with one kind alone nothing is known. Of a known server it learns
// what lies before the headers, and whether they contradict its name.
type headerWatch struct {
	idle, waited []headersSeen // the latest last
	told         bool          // that they contradict it
}

// headersSeen is what one probe shows. All durations count from the request on
// the server: after the wire and the round trip.
type headersSeen struct {
	headers time.Duration // until the headers left
	after   time.Duration // from the headers to the first token
	step    time.Duration // one decode step, which lies after headers that tell something
	prefill time.Duration // of this prompt on an idle server
	wait    time.Duration // what the baseline does not explain
	model   string        // that was asked
	tokens  int           // uncached ones of the prompt
	old     bool          // the server has changed since
}

// add takes a probe of a model that the baseline has a say in, and reports
// whether its headers came as much later as it waited.
func (w *headerWatch) add(in cut.Input, model string) (along bool) {
	curve := in.Baseline
	if !in.Timeline.Headers.OK || !in.Step.OK || !curve.Covers(in.Uncached) {
		return false
	}
	s := cut.Server(in)
	whole, _, _ := curve.At(in.Uncached)
	prefill, _, _ := curve.Prefill(in.Uncached)
	seen := headersSeen{headers: cut.HeadersOf(in), step: in.Step.At, prefill: prefill, model: model, tokens: in.Uncached}
	seen.after = s - seen.headers
	seen.wait = s - seen.step - whole
	switch {
	case seen.wait >= max(leastWait, whole/2, in.RTT.At/2): // less may be the path's jitter, behind which headers come later too
		w.waited = latest(append(w.waited, seen), headersKept)
		return len(w.idle) >= headersFew && seen.along(w.usual())
	case seen.wait <= max(headersNoise, whole/10):
		w.idle = latest(append(w.idle, seen), headersKept)
	}
	return false
}

// still reports whether the headers of a probe that waited came about when they
// usually do, along whether they came later by the wait.
func (s headersSeen) still(usual time.Duration) bool {
	return s.headers-usual <= share(s.wait, heldStill)+headersNoise
}

func (s headersSeen) along(usual time.Duration) bool {
	return s.headers-usual >= share(s.wait, wentAlong)
}

// before is what lies before the headers of such a prompt to a model on an idle
// server; nil where too few have shown it.
func (w *headerWatch) before(model string, tokens int) *cut.Usual {
	var all []time.Duration
	for _, s := range w.idle {
		if !s.old && s.model == model && sameLength(tokens, s.tokens) {
			all = append(all, s.headers)
		}
	}
	if len(all) < headersFew {
		return nil
	}
	slices.Sort(all)
	u := cut.UsualOf(all)
	return &u
}

// outdate forgets what lies before the headers of a server that has changed; when
// they leave stays known.
func (w *headerWatch) outdate() {
	for i := range w.idle {
		w.idle[i].old = true
	}
}

// rule is when the headers leave, as far as that was seen.
func (w *headerWatch) rule() cut.HeadersRule {
	if len(w.idle) < headersNeed || len(w.waited) < headersNeed {
		return cut.HeadersUnknown
	}
	usual := w.usual()
	early := func(s headersSeen) bool { return s.after >= s.step-max(s.step/2, headersNoise) }
	if !most(w.idle, early) || !most(w.waited, early) {
		return cut.HeadersUnknown
	}
	switch {
	case most(w.waited, func(s headersSeen) bool { return s.still(usual) }):
		return cut.OnAcceptance
	case most(w.waited, func(s headersSeen) bool { return s.along(usual) }) && most(w.idle, wholePrefill):
		return cut.OnSlot
	}
	return cut.HeadersUnknown
}

// usual is the median of the headers' instant on an idle server.
func (w *headerWatch) usual() time.Duration {
	var all []time.Duration
	for _, s := range w.idle {
		all = append(all, s.headers)
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// wholePrefill reports whether the greater part of an idle prefill came after
// the headers: where it doesn't, they leave amid it.
func wholePrefill(s headersSeen) bool {
	return s.after+headersNoise >= s.step/2+share(s.prefill, 0.75)
}

func most(seen []headersSeen, holds func(headersSeen) bool) bool {
	return float64(count(seen, holds)) >= headersMost*float64(len(seen))
}

func share(d time.Duration, by float64) time.Duration { return time.Duration(by * float64(d)) }
