package tally

import (
	"time"

	"ttftop/probe"
)

// Target is what is known of one target.
type Target struct {
	Models   []string
	InFlight map[int]*Flight // by sequence number
	Last     *probe.Result   // the last with a first token, of any kind
	Failure  *probe.Failure  // of the last probe, or why no model is known to probe; nil after a success
	Flags    []probe.Flag    // of the last probe
	Held     probe.Held
	Load     probe.Load
	Ladder   probe.Calibrating
	Fit      probe.Fit

	Beside Beside

	climbed bool // the calibration of the present model has been over once

	points                   log[Point]
	costs                    []Cost
	current, previous, older *epoch // older: the last before previous that was not too short
	earlier                  *epoch // the one before previous
	compared                 *epoch // the present one is compared with it
	shifted                  shifted
	pace                     pace
	limit                    time.Duration
}

// Beside counts the ordinary probes of a session that say nothing of the
// endpoint.
type Beside struct {
	Unsent    int // due, and never sent since this program was late
	LateReads int // their first token was read late by this program
	Steps     int // the clock was set, or this program stood still
}

func (b *Beside) take(r *probe.Result) {
	switch {
	case r.Failure != nil && r.Failure.Code == probe.CodeNotSent:
		b.Unsent++
	case r.Has(probe.FlagClockStep):
		b.Steps++
	case r.Has(probe.FlagLateRead):
		b.LateReads++
	}
}

// Flight is a probe in flight.
type Flight struct {
	probe.Started
	Steps map[probe.Step]time.Duration
}

func (f *Flight) newer(than *Flight) bool {
	if ordinary := f.Kind == probe.Ordinary; ordinary != (than.Kind == probe.Ordinary) {
		return ordinary
	}
	return f.Seq > than.Seq
}

// Point is one ordinary probe on the time axis.
type Point struct {
	At     time.Duration // start of the probe, from the start of the session
	TTFT   time.Duration // 0 where Failed
	Failed bool
	Epoch  int // the target's own: it began with a change that turned its knobs
}

// Newest is the probe in flight that was started last, preferring ordinary
// ones; nil where none is.
func (t *Target) Newest() *Flight {
	var best *Flight
	for _, f := range t.InFlight {
		if best == nil || f.newer(best) {
			best = f
		}
	}
	return best
}

// epochOf is the epoch a result belongs to, by the session's number of it: a
// probe that began before the target's last turn counts to the one before. It is
// nil for one that is not kept any more.
func (t *Target) epochOf(number int) *epoch {
	switch {
	case number >= t.current.number:
		return t.current
	case t.previous != nil && number >= t.previous.number:
		return t.previous
	}
	return nil
}
