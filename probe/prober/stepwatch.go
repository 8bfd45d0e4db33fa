package prober

import (
	"fmt"
	"slices"
	"time"
)

const (
	stepsKept   = 32  // undisturbed steps remembered of a model
	stepsBefore = 8   // of these, that must be from before a change
	stepsDoubt  = 2   // changed ones in a row from which the server may be another
	stepsRow    = 6   // and from which it is, where they are alike
	stepTimes   = 2.0 // a step so many times as long, or as short, is another server's
	stepAlike   = 1.6 // longest over shortest of steps that are alike
	stepLeast   = time.Millisecond

	besideTimes = 1.5 // stepsRow steps in a row amid other probes of ours that are so many times as long may be another server's…
	besideSure  = 2   // …and are where so many undisturbed ones are as long
)

// stepWatch tells from the decode steps of a model, seen undisturbed, that the
// server has changed: a queue delays the first token and leaves the steps as
// they are.
type stepWatch struct {
	steps []time.Duration // the latest last

	beside []time.Duration // the latest amid other probes of ours, since one was undisturbed and as short as ever
	ours   time.Duration   // as long as such ones were found to be without another server, since our own probes share it
	sure   int             // undisturbed ones since the doubt that are as long
}

// add takes a step. doubt says that the server may have changed, and the
// sentence, "" mostly, that it has: then what was learnt of it is of no use.
func (w *stepWatch) add(step time.Duration) (doubt bool, sentence string) {
	if sentence = w.settle(step); sentence != "" {
		return true, sentence
	}
	w.steps = latest(append(w.steps, step), stepsKept)
	if !w.moved(stepsDoubt) {
		return false, ""
	}
	row := latest(w.steps, stepsRow)
	if !w.moved(stepsRow) || float64(slices.Max(row)) > stepAlike*float64(slices.Min(row)) {
		return true, ""
	}
	before, now := middleStep(w.steps[:len(w.steps)-stepsRow]), middleStep(row)
	w.steps = slices.Clone(row)
	return true, stepSentence(before, now)
}

func stepSentence(before, now time.Duration) string {
	return fmt.Sprintf("The server has changed (another model or machine behind the name, or a steady load): a decode step took %s and now takes %s; its baseline starts anew.",
		tenths(before), tenths(now))
}

// addBeside takes a step amid other probes of ours, which may lengthen it.
func (w *stepWatch) addBeside(step time.Duration) {
	w.beside = latest(append(w.beside, step), stepsRow)
}

// inDoubt reports whether the latest steps amid other probes of ours are all
// longer than those were seen to lengthen them: an undisturbed probe decides.
func (w *stepWatch) inDoubt() bool {
	return len(w.beside) == stepsRow && len(w.steps) >= stepsBefore && w.longer(slices.Min(w.beside), max(w.ours, w.usual()))
}

func (w *stepWatch) longer(step, than time.Duration) bool {
	return float64(step) >= besideTimes*float64(than) && step-than >= stepLeast
}

// usual is the undisturbed step, without the latest ones that may decide a doubt.
func (w *stepWatch) usual() time.Duration { return middleStep(w.steps[:len(w.steps)-w.sure]) }

// settle decides a doubt by an undisturbed step.
func (w *stepWatch) settle(step time.Duration) (sentence string) {
	doubt := w.inDoubt()
	switch {
	case len(w.steps) < stepsBefore:
		return ""
	case !w.longer(step, w.usual()):
		if doubt {
			w.ours = middleStep(w.beside)
		}
		w.beside, w.sure = nil, 0
		return ""
	case !doubt:
		w.sure = 0
		return ""
	}
	if w.sure++; w.sure < besideSure {
		return ""
	}
	before := middleStep(w.steps[:len(w.steps)-(w.sure-1)])
	*w = stepWatch{steps: []time.Duration{step}}
	return stepSentence(before, step)
}

// moved reports whether the latest n steps are all far longer, or all far
// shorter, than those before them.
func (w *stepWatch) moved(n int) bool {
	at := len(w.steps) - n
	if at < stepsBefore {
		return false
	}
	// What is in doubt must not move what it is compared with.
	before := middleStep(w.steps[:max(stepsBefore, len(w.steps)-stepsRow)])
	longer := func(s time.Duration) bool { return float64(s) >= stepTimes*float64(before) && s-before >= stepLeast }
	shorter := func(s time.Duration) bool { return float64(s) <= float64(before)/stepTimes && before-s >= stepLeast }
	not := func(f func(time.Duration) bool) func(time.Duration) bool {
		return func(s time.Duration) bool { return !f(s) }
	}
	recent := w.steps[at:]
	return !slices.ContainsFunc(recent, not(longer)) || !slices.ContainsFunc(recent, not(shorter))
}

func middleStep(steps []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(steps))
	return s[(len(s)-1)/2]
}

// tenths is a duration for a sentence, to a tenth of a millisecond.
func tenths(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
