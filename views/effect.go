package views

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"ttftop/probe/tally"
	"ttftop/themes"
)

// EffectPanel tells what the last change of a knob did to each target that was
// turned. On one line it is a sentence, with the newest notice beside it; on
// more it gives before, after and difference of p50, p95 and the parts, with the
// half width of the interval in which each difference lies.
func EffectPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	switch {
	case s.h == 1:
		s.effectLine(snap)
	case snap.Effect == nil:
		s.text(2, 0, clip(noEffect, s.w-3, s.sym), themes.Dim)
	default:
		s.effectTable(snap)
	}
	return s.String()
}

const noEffect = "turn a knob, and what it did appears here"

// EffectTitle is the name of the panel, with the change that it is about.
func EffectTitle(snap Snapshot, width int, th themes.Theme) (name, remark string) {
	const panel = "effect"
	if snap.Effect == nil {
		return panel, ""
	}
	s := newSheet(width, 0, th)
	room := s.w - len(panel) - titleMargin
	for _, remark = range captions(snap.Effect) {
		if who := snap.Effect.turnedAt(); who != "" && cells(clip(remark+who, s.w, s.sym)) <= room {
			return panel, remark + who
		}
		if cells(clip(remark, s.w, s.sym)) <= room {
			break
		}
	}
	return panel, remark
}

// captions tell what was turned, the fullest first: all of it, and for several
// knobs how many, with the last of them.
func captions(e *Effect) []string {
	list := []string{e.Text}
	if e.Turned < 2 {
		return list
	}
	count := Count(int64(e.Turned)) + " knobs"
	if e.Last != "" {
		list = append(list, count+", last "+e.Last)
	}
	return append(list, count)
}

// turned are the indices of the targets whose knobs were turned; all where that
// isn't known.
func (e *Effect) turned() []int {
	var all, list []int
	for i := range e.Targets {
		all = append(all, i)
		if !e.Targets[i].Still {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return all
	}
	return list
}

// turnedAt names the targets that were turned where others were not: " at A, C".
func (e *Effect) turnedAt() string {
	list := e.turned()
	if len(list) == len(e.Targets) {
		return ""
	}
	names := make([]string, len(list))
	for n, i := range list {
		names[n] = letter(i)
	}
	return " at " + strings.Join(names, ", ")
}

// plusMinus is the interval of a change as the larger of its two sides: "±2.1".
func (s *sheet) plusMinus(c tally.Change) string {
	return clip("±"+rounded(max(c.Hi-c.At, c.At-c.Lo)), s.w, s.sym)
}

// rounded is the milliseconds of a duration with two significant digits, as
// befits the width of an interval.
func rounded(d time.Duration) string {
	v := float64(max(d, 0)) / 1e6
	if v > 0 {
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		v = math.Round(v/unit) * unit
	}
	return short(v)
}

// failing reports whether no probe has succeeded since the change.
func (e *TargetEffect) failing() bool {
	return e.After.Probes > 0 && e.After.Succeeded() <= 0
}

// notYet is why the effect on a target can't be told; "" where it can. What ended
// before the change is as much as there will ever be.
func notYet(e *TargetEffect, s *sheet) string {
	enough, before := tally.Enough, ""
	switch {
	case !e.Before.P50.OK:
		before = "nothing from before to compare"
	case e.Before.P50.N < enough:
		before = "only n " + Count(int64(e.Before.P50.N)) + " from before"
	}
	switch {
	case before != "" && e.After.P50.OK && !e.failing():
		return "p50 " + estimate(e.After.P50, s.sym) + ", and " + before
	case before != "":
		return before
	case e.After.Probes == 0:
		return "not yet: no probe has ended since"
	case !e.After.P50.OK, e.failing():
		return "not yet: no probe has succeeded since"
	case e.After.P50.N < enough:
		return "not yet: n " + Count(int64(e.After.P50.N)) + " of " + Count(int64(enough)) + ", p50 so far " + estimate(e.After.P50, s.sym)
	}
	return ""
}

// largestFirst is the changes of the parts, the largest first, and those that could
// be none after the others.
func largestFirst(list []tally.PartChange) []tally.PartChange {
	weight := func(p tally.PartChange) time.Duration {
		if p.Clear() {
			return p.At.Abs()
		}
		return p.At.Abs() - math.MaxInt64
	}
	return slices.SortedStableFunc(slices.Values(list), func(a, b tally.PartChange) int { return cmp.Compare(weight(b), weight(a)) })
}

// changeToken is the look of a change: shorter is good, and what could be none
// is neither.
func (s *sheet) changeToken(c tally.Change) themes.Token {
	switch {
	case !c.Clear():
		return themes.Text
	case c.At > 0:
		return themes.Warn
	}
	return themes.Good
}
