package prober

import (
	"slices"
	"time"

	"ttftop/probe"
)

// rungs are the prompt lengths of the calibration, each sent twice: they fit
// the baseline of a new target at zero pressure.
var rungs = []int{16, 1024, 64, 256, 16, 1024, 64, 256}

const (
	ladderOutput = 4 // output tokens of a rung: enough for the gap between tokens, which is the length of one decode step
	ownRungs     = 2 // rungs at the length that is probed, where the others don't show it
)

// CalibrationTokens is what the rungs of a new model cost, in tokens.
func CalibrationTokens() int {
	sum := 0
	for _, n := range rungs {
		sum += n + ladderOutput
	}
	return sum
}

// LengthTokens is what the calibration costs once more, in tokens, where prompts
// of a length are probed for the first time.
func LengthTokens(length int) int {
	return (&ladder{length: length, own: map[int]int{}}).ownLeft() * (length + ladderOutput)
}

// ladder is the calibration of one target, for one model: the rungs, and then,
// for each length that is probed, two at that length. What a prompt costs that
// the endpoint is never seen idle at, since probes or load streams of that very
// length keep it busy, could only be guessed from other lengths.
type ladder struct {
	model string
	since time.Time // when the model was chosen last
	warm  bool      // a request has been answered since
	tried bool      // a request has been answered or has failed
	rest  []int     // prompt lengths still to be sent
	none  bool      // there is no ladder

	repeats int // times it was climbed again because its rungs contradict each other

	length int         // that is probed
	turned time.Time   // when it was turned last
	own    map[int]int // rungs sent at lengths of their own
}

// newLadder is a whole ladder, or none where a person's own request has no
// length to turn.
func newLadder(model string, none bool) *ladder {
	l := &ladder{model: model, none: none}
	l.restart()
	return l
}

// restart begins again, where there is a ladder.
func (l *ladder) restart() {
	if !l.none {
		l.rest, l.own = slices.Clone(rungs), map[int]int{}
	}
}

// renew begins again for a server that has changed.
func (l *ladder) renew(now time.Time) {
	l.restart()
	l.turned = now
}

// turn takes over the length that is probed from now on.
func (l *ladder) turn(length int, now time.Time) {
	if length == l.length {
		return
	}
	if l.left() == 0 { // else constant turning would keep the endpoint to itself
		l.turned = now
	}
	l.length = length
}

// left is how many rungs are still to be sent.
func (l *ladder) left() int { return len(l.rest) + l.ownLeft() }

// total is how many rungs there are, of those that are sent in a row.
func (l *ladder) total() int {
	own := 0
	if l.apart() {
		own = ownRungs
	}
	return len(rungs) + own
}

// ownLeft is how many rungs of the length that is probed are still to be sent.
func (l *ladder) ownLeft() int {
	if l.none || !l.apart() {
		return 0
	}
	return max(0, ownRungs-l.own[l.length])
}

// apart reports whether the length that is probed is none of the ladder's.
func (l *ladder) apart() bool {
	return l.length > 0 && !slices.ContainsFunc(rungs, func(n int) bool { return abs(n-l.length) <= n/32 })
}

// climbed reports whether every length has been sent once, or can't be: only
// then do the probes tell the prompt's cost from the rest.
func (l *ladder) climbed() bool { return l.repeats > 0 || len(l.rest) <= len(rungs)/2 }

// alone is until when the calibration has the endpoint to itself on the
// screen: most are through with it by then, and what is probed beside it is
// disturbed.
func (l *ladder) alone() time.Time {
	if l.turned.After(l.since) {
		return l.turned.Add(ladderAlone)
	}
	return l.since.Add(ladderAlone)
}

// next takes the next rung: the knobs to send it with.
func (l *ladder) next(k probe.Knobs) probe.Knobs {
	k.MaxTokens = ladderOutput
	k.Pressure = 0
	k.Cache = probe.Bust
	if len(l.rest) == 0 {
		k.PromptTokens = l.length
		l.own[l.length]++
		return k
	}
	k.PromptTokens = l.rest[0]
	l.rest = l.rest[1:]
	return k
}

// again puts a rung back that was not answered for want of leave.
func (l *ladder) again(length int) {
	if l.own[length] > 0 {
		l.own[length]--
		return
	}
	l.rest = slices.Insert(l.rest, 0, length)
}

// refused gives up the rungs that are at least as long as the one refused.
func (l *ladder) refused(length int) {
	l.rest = slices.DeleteFunc(slices.Clone(l.rest), func(n int) bool { return n >= length })
	if !l.none && l.length >= length {
		l.own[l.length] = ownRungs
	}
}

func abs(n int) int { return max(n, -n) }
