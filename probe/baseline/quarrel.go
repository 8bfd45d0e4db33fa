package baseline

import (
	"math"
	"slices"
)

const (
	alike    = 0.25 // repeats of a length agree where they differ by no more than this share…
	alikeLow = 4e6  // …or this, in ns; and so do lengths with the form
	quarrels = 2    // so many disagreements show that others kept the server busy: a single one may be a hiccup
)

// quarrel reports whether the lengths contradict each other: repeats of one
// that differ, a longer one that costs less, one that no form explains. Then
// what they cost is not what they cost an idle server, however few the points
// are that say so. Points to come may end it.
func quarrel(lengths []*length, rows []row, m model) bool {
	count := 0
	for i, l := range lengths {
		if l.level.loaded {
			continue
		}
		if !l.agrees() {
			count++
		}
		if beyond(rows[i].cost, m.cost(rows[i].k)) {
			count++
		}
		if i > 0 && !lengths[i-1].level.loaded && rows[i-1].cost > rows[i].cost && beyond(rows[i-1].cost, rows[i].cost) {
			count++
		}
	}
	return count >= quarrels
}

// falls reports whether a length costs less than the shorter one beside it, where
// the points of both say the same.
func falls(lengths []*length, rows []row) bool {
	for i := 1; i < len(lengths); i++ {
		shorter, longer := lengths[i-1], lengths[i]
		if shorter.repeated() && longer.repeated() && rows[i-1].cost > rows[i].cost && beyond(rows[i-1].cost, rows[i].cost) {
			return true
		}
	}
	return false
}

// repeated reports whether several points of the length, of which none was under
// load of our own, say the same.
func (l *length) repeated() bool {
	return !l.level.loaded && len(l.quiet) >= 2 && l.agrees()
}

// agrees reports whether the cheapest points of the length say the same; one
// alone contradicts nothing.
func (l *length) agrees() bool {
	if l.level.points >= fewPoints {
		return l.idle()
	}
	values := l.quiet.values()
	slices.Sort(values)
	return len(values) < 2 || !beyond(values[1], values[0])
}

// idle reports whether enough points of the length show an idle server.
func (l *length) idle() bool {
	v := &l.level
	return v.points >= fewPoints && !v.loaded && (v.shown() || v.calm())
}

// idle reports whether the points show an idle server, as far as so many can:
// their cheapest stand out, or hardly anything delays the others.
func (v *level) idle() bool {
	return !v.loaded && (v.clear() || v.points >= fewPoints && v.calm())
}

// beyond reports whether costs differ by more than an idle server's do.
func beyond(a, b float64) bool { return math.Abs(a-b) > max(alike*min(a, b), alikeLow) }
