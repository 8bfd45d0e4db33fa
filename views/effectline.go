package views

import (
	"slices"
	"strings"

	"ttftop/probe/tally"
	"ttftop/themes"
)

// leastNotice is the cells in which the beginning of a notice says something.
const leastNotice = 24

// effectLine is the effect, and the newest notice in what the shortest wording of
// the effect with its figures leaves. A notice that has no room there, or is told by
// the footer, is left out.
func (s *sheet) effectLine(snap Snapshot) {
	end := s.w - 1
	told := unsaid(snap)
	if n := len(told); n > 0 {
		room := s.w - 2
		if snap.Effect != nil {
			room -= gap + s.leastEffect(snap.Effect)
		}
		if snap.Effect == nil || room >= leastNotice {
			end = s.right(end, 0, noticeIn(told[n-1], room, s.sym), themes.Warn) - 2
		}
	}
	if snap.Effect == nil {
		if end == s.w-1 {
			s.text(1, 0, clip(noEffect, end-1, s.sym), themes.Dim)
		}
		return
	}
	s.spans(1, 0, s.effectSentence(snap, end-1)...)
}

// unsaid are the notices that the footer doesn't tell.
func unsaid(snap Snapshot) []string {
	return slices.DeleteFunc(slices.Clone(snap.Status.Notices), func(text string) bool { return text == snap.Status.Fresh })
}

// leastEffect is the cells of the shortest wording of an effect with all its figures.
func (s *sheet) leastEffect(e *Effect) int {
	n := spansWidth(s.effectItems(e, nil, wording{}))
	if said := captions(e); len(said) > 1 { // how many knobs is always told
		n += cells(said[len(said)-1] + ":")
	}
	return n
}

// effectSentence words the effect in at most room cells: "prompt 256 → 1,024:
// TTFT p50 A +66 ms ±2 (prefill +64, queue +2)  B +80 ms ±5 (prefill +67)".
// Where that is too long the parts are left out, then the change is told
// briefly, or not at all where it is the one that the chart shows too, and then
// targets are left out. Targets that were not turned are not told of.
func (s *sheet) effectSentence(snap Snapshot, room int) []span {
	e := snap.Effect
	said := captions(e)
	change := func(text string) []span { return []span{{clip(text+":", room, s.sym), themes.Accent}} }
	fits := func(list []span) bool { return spansWidth(list) <= room }
	for i, text := range said {
		tries := []wording{{1, true}, {0, true}, {0, false}}
		if i == 0 {
			tries = append([]wording{{2, true}}, tries...)
			what := append(change(text), span{" TTFT p50", themes.Dim})
			if list := s.effectItems(e, what, tries[0]); fits(list) {
				return list
			}
		}
		for _, how := range tries {
			if list := s.effectItems(e, change(text), how); fits(list) {
				return list
			}
		}
	}
	for _, how := range []wording{{1, true}, {0, true}, {0, false}} {
		if list := s.effectItems(e, nil, how); len(said) == 1 && fits(list) {
			return list
		}
	}
	return s.effectStart(e, change(said[len(said)-1]), room)
}

// effectItems is a beginning with every turned target after it.
func (s *sheet) effectItems(e *Effect, list []span, how wording) []span {
	for _, i := range e.turned() {
		list = append(list, span{"  ", themes.Plain})
		list = append(list, s.effectItem(&e.Targets[i], i, how)...)
	}
	return list
}

// effectStart is a beginning with as many targets after it as fit.
func (s *sheet) effectStart(e *Effect, list []span, room int) []span {
	for _, i := range e.turned() {
		item := append([]span{{"  ", themes.Plain}}, s.effectItem(&e.Targets[i], i, wording{})...)
		if spansWidth(list)+spansWidth(item)+1+cells(s.sym.Ellipsis) > room {
			return append(list, span{clip(" "+s.sym.Ellipsis, room-spansWidth(list), s.sym), themes.Dim})
		}
		list = append(list, item...)
	}
	return list
}

// wording is how much is told of a target in the sentence: so many parts, and
// the interval.
type wording struct {
	parts    int
	interval bool
}

// effectItem is one target in the sentence: "A +66 ms ±2 (prefill +64)". A
// change that could be none says so.
func (s *sheet) effectItem(e *TargetEffect, i int, how wording) []span {
	name := span{letter(i) + " ", themes.Target(i)}
	c := e.Shift.P50
	if !c.OK {
		why := "not yet"
		switch {
		case e.failing():
			why = "no success yet"
		case e.Before.P50.N < tally.Enough:
			why = "too few before"
		}
		return []span{name, {why, themes.Dim}}
	}
	item := []span{name, {signedMillis(c.At, s.sym) + " ms", s.changeToken(c)}}
	if how.interval {
		item = append(item, span{" " + s.plusMinus(c), themes.Dim})
	}
	if !c.Clear() {
		return append(item, span{unclear, themes.Dim})
	}
	var said []string
	for _, p := range largestFirst(e.Shift.Parts) {
		if len(said) < how.parts && p.Clear() {
			said = append(said, string(p.Part)+" "+signedMillis(p.At, s.sym))
		}
	}
	if len(said) > 0 {
		item = append(item, span{" (" + strings.Join(said, ", ") + ")", themes.Dim})
	}
	return item
}
