package prober

import (
	"slices"
	"time"

	"ttftop/probe"
)

// rungs are the prompt lengths of the calibration, each sent twice: they fit
// the baseline of a new target at zero pressure.
var rungs = []int{16, 1024, 64, 256, 16, 1024, 64, 256}

// ladderOutput is the output tokens of a rung: enough for the gap between
// tokens, which is the length of one decode step.
const ladderOutput = 4

// CalibrationTokens is what a calibration costs, in tokens.
func CalibrationTokens() int {
	sum := 0
	for _, n := range rungs {
		sum += n + ladderOutput
	}
	return sum
}

// ladder is the calibration of one target, for one model.
type ladder struct {
	model string
	since time.Time // when the model was chosen last
	warm  bool      // a request has been answered since
	tried bool      // a request has been answered or has failed
	rest  []int     // prompt lengths still to be sent
	none  bool      // there is no ladder
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
		l.rest = slices.Clone(rungs)
	}
}

// left is how many rungs are still to be sent.
func (l *ladder) left() int { return len(l.rest) }

// climbed reports whether every length has been sent once, or can't be: only
// then do the probes tell the prompt's cost from the rest.
func (l *ladder) climbed() bool { return len(l.rest) <= len(rungs)/2 }

// next takes the next rung: the knobs to send it with.
func (l *ladder) next(k probe.Knobs) probe.Knobs {
	k.PromptTokens = l.rest[0]
	k.MaxTokens = ladderOutput
	k.Pressure = 0
	k.Cache = probe.Bust
	l.rest = l.rest[1:]
	return k
}

// again puts a rung back that was not answered for want of leave.
func (l *ladder) again(length int) {
	l.rest = slices.Insert(l.rest, 0, length)
}

// refused gives up the rungs that are at least as long as the one refused.
func (l *ladder) refused(length int) {
	l.rest = slices.DeleteFunc(slices.Clone(l.rest), func(n int) bool { return n >= length })
}
