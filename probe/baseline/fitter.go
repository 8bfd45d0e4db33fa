package baseline

import (
	"slices"
	"time"
)

// maxLengths bounds the prompt lengths that are kept apart; beyond it the one
// that was not seen for longest goes.
const maxLengths = 40

// Fitter fits the baseline of one target in one cache mode from its probes.
// The zero value is ready. It keeps a bounded number of points and is not safe
// for concurrent use.
type Fitter struct {
	lengths []*length // in ascending order of tokens
	opening opening
	warm    bool // told that the server has warmed up little by little
	newest  time.Time
	curve   Curve
	known   bool   // curve stands
	stale   bool   // points came in since
	changed string // a sentence not yet told
}

// Add takes what one probe tells. Points that can't be (a negative cost or
// length) are left out. Cost grows with the points of the same length only.
func (f *Fitter) Add(p Point) {
	if p.Tokens < 0 || p.Server < 0 {
		return
	}
	if p.At.After(f.newest) {
		f.newest = p.At
	}
	l := f.at(p.Tokens)
	f.weigh(l, p)
	l.add(p)
	f.stale = true
	f.opening.add(p)
	if s, ok := moved(l.quiet); ok {
		f.restart(s.since, s.sentence(l.around))
	} else if s, tokens, ok := f.seconded(); ok {
		f.restart(s.since, s.sentence(tokens))
	}
}

// Curve is the baseline as the points so far tell it; false until there are
// two clearly different prompt lengths. It is computed once for each Add.
func (f *Fitter) Curve() (Curve, bool) {
	if !f.stale {
		return f.curve, f.known
	}
	f.refit()
	since, sentence, ok := f.opening.warmedUp(f.curve, f.known)
	if !ok {
		since, sentence, ok = f.warmed()
	}
	if ok {
		f.restart(since, sentence)
		f.refit()
	}
	return f.curve, f.known
}

// Changed tells, once, that the server has lastingly become faster or slower,
// or has warmed up, with a sentence for a person. The curve then stands on the
// points since, and may be unknown until two prompt lengths were seen again.
func (f *Fitter) Changed() (sentence string, ok bool) {
	sentence, f.changed = f.changed, ""
	return sentence, sentence != ""
}

func (f *Fitter) refit() {
	f.stale = false
	f.curve, f.known = Curve{}, false
	if len(f.lengths) < 2 {
		return
	}
	for _, l := range f.lengths {
		l.refresh()
	}
	if curve := fit(f.lengths, f.newest); curve.lengths >= 2 {
		f.curve, f.known = curve, true
	}
}

// restart forgets what came before since.
func (f *Fitter) restart(since time.Time, sentence string) {
	f.changed, f.stale = sentence, true
	f.lengths = slices.DeleteFunc(f.lengths, func(l *length) bool { return !l.since(since) })
	for _, l := range f.lengths {
		l.run = run{} // it was held against the curve that is gone
	}
}

// at returns the length that n tokens belong to, a new one where there is none.
func (f *Fitter) at(n int) *length {
	var nearest *length
	for _, l := range f.lengths {
		if l.near(n) && (nearest == nil || abs(n-l.around) < abs(n-nearest.around)) {
			nearest = l
		}
	}
	if nearest != nil {
		return nearest
	}
	if len(f.lengths) >= maxLengths {
		f.dropOldest()
	}
	l := &length{around: n}
	i, _ := slices.BinarySearchFunc(f.lengths, n, func(l *length, n int) int { return l.around - n })
	f.lengths = slices.Insert(f.lengths, i, l)
	return l
}

func (f *Fitter) dropOldest() {
	oldest := 0
	for i, l := range f.lengths {
		if l.newest.Before(f.lengths[oldest].newest) {
			oldest = i
		}
	}
	f.lengths = slices.Delete(f.lengths, oldest, oldest+1)
}
