package prober

import "ttftop/probe"

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
	next  int  // index into rungs
	off   bool // a person's own request has no length to turn
}

// left is how many rungs are still to be sent.
func (l *ladder) left() int {
	if l.off {
		return 0
	}
	return len(rungs) - l.next
}

// restart begins again for another model.
func (l *ladder) restart(model string) {
	l.model, l.next = model, 0
}

// knobs are the knobs of the next rung.
func (l *ladder) knobs(k probe.Knobs) probe.Knobs {
	k.PromptTokens = rungs[l.next]
	k.MaxTokens = ladderOutput
	k.Pressure = 0
	k.Cache = probe.Bust
	return k
}

// refused gives up the rungs that are at least as long as the one refused.
func (l *ladder) refused(length int) {
	for l.next < len(rungs) && rungs[l.next] >= length {
		l.next++
	}
}
