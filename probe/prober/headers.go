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
)

// headerWatch learns when the headers of an unknown server leave: whether they
// come before the first token by what must lie between them, and whether they
// move with load. It takes probes that met an idle server and probes that
// waited; with one kind alone nothing is known.
type headerWatch struct {
	idle, waited []headersSeen // the latest last
}

// headersSeen is what one probe shows. All durations count from the request on
// the server: after the wire and the round trip.
type headersSeen struct {
	headers time.Duration // until the headers left
	after   time.Duration // from the headers to the first token
	step    time.Duration // one decode step, which lies after headers that tell something
	prefill time.Duration // of this prompt on an idle server
	wait    time.Duration // what the baseline does not explain
}

// add takes a probe that the baseline has a say in.
func (w *headerWatch) add(in cut.Input) {
	t, curve := in.Timeline, in.Baseline
	if !t.Headers.OK || !in.Step.OK || !curve.Covers(in.Uncached) {
		return
	}
	s := cut.Server(in)
	whole, _, _ := curve.At(in.Uncached)
	prefill, _, _ := curve.Prefill(in.Uncached)
	seen := headersSeen{after: min(s, max(0, t.FirstToken.At-t.Headers.At)), step: in.Step.At, prefill: prefill}
	seen.headers = s - seen.after
	seen.wait = s - seen.step - whole
	switch {
	case seen.wait >= max(leastWait, whole/2):
		w.waited = latest(append(w.waited, seen))
	case seen.wait <= max(headersNoise, whole/10):
		w.idle = latest(append(w.idle, seen))
	}
}

func latest(s []headersSeen) []headersSeen { return s[max(0, len(s)-headersKept):] }

// rule is when the headers leave, as far as that was seen.
func (w *headerWatch) rule() cut.HeadersRule {
	if len(w.idle) < headersNeed || len(w.waited) < headersNeed {
		return cut.HeadersUnknown
	}
	still := w.usual()
	early := func(s headersSeen) bool { return s.after >= s.step-max(s.step/2, headersNoise) }
	if !most(w.idle, early) || !most(w.waited, early) {
		return cut.HeadersUnknown
	}
	switch {
	case most(w.waited, func(s headersSeen) bool { return s.headers-still <= share(s.wait, heldStill)+headersNoise }):
		return cut.OnAcceptance
	case most(w.waited, func(s headersSeen) bool { return s.headers-still >= share(s.wait, wentAlong) }) && most(w.idle, wholePrefill):
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
	n := 0
	for _, s := range seen {
		if holds(s) {
			n++
		}
	}
	return float64(n) >= headersMost*float64(len(seen))
}

func share(d time.Duration, by float64) time.Duration { return time.Duration(by * float64(d)) }
