package views

import (
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// detail is the waterfall whose parts get figures: the p50 of the epoch, or
// before there is one the last probe's.
func detail(t *Target) (w probe.Waterfall, of string) {
	switch {
	case len(t.P50) > 0:
		return t.P50, "ms"
	case t.Last != nil:
		return t.Last.Waterfall, "last"
	}
	return nil, "ms"
}

// figureStyle says how the figures under the bars are worded.
type figureStyle int

// The styles: "9.30 e", "9.30 (8.12–10.2) e" and "8.12–10.2 e". What is not
// estimated has no interval in any of them.
const (
	plainFigures figureStyle = iota
	fullFigures
	rangeFigures
)

// figureColumn is the column of a part's figures.
type figureColumn struct {
	part  probe.Part
	x     int // where it begins
	width int
}

// columnsOf places a column for each part that any target has. Where intervals
// are asked for, they are worded as fully as all of them fit.
func columnsOf(snap Snapshot, s *sheet) ([]figureColumn, figureStyle) {
	if snap.Intervals {
		for _, style := range []figureStyle{fullFigures, rangeFigures} {
			cols := columnsIn(style, snap.Targets, s.sym)
			if n := len(cols); n == 0 || cols[n-1].x+cols[n-1].width <= s.w {
				return cols, style
			}
		}
	}
	return columnsIn(plainFigures, snap.Targets, s.sym), plainFigures
}

// columnsIn are the columns in one style. Their widths come in steps, so that
// the line stands still while figures change.
func columnsIn(style figureStyle, targets []Target, sym *themes.Symbols) []figureColumn {
	const step = 3
	shown, width := map[probe.Part]bool{}, map[probe.Part]int{}
	for i := range targets {
		w, _ := detail(&targets[i])
		for _, seg := range w {
			part := seg.Name.Part()
			shown[part] = true
			if _, _, ok := intervalOf(w, part); ok && style != plainFigures {
				n := cells(figureText(w, part, style, sym)) + len(" e")
				width[part] = max(width[part], (n+step-1)/step*step)
			}
		}
	}
	x := labelWidth
	var list []figureColumn
	for _, part := range probe.Parts {
		if shown[part] || len(shown) == 0 {
			c := figureColumn{part, x, max(len(part)+2, 9, width[part])}
			list = append(list, c)
			x += c.width + 2
		}
	}
	return list
}

// figureText is a part's milliseconds, with its interval as the style has it.
func figureText(w probe.Waterfall, part probe.Part, style figureStyle, sym *themes.Symbols) string {
	text := millis(partOf(w, part), sym)
	lo, hi, ok := intervalOf(w, part)
	switch {
	case !ok || style == plainFigures:
		return text
	case style == fullFigures:
		return text + " (" + interval(lo, hi, sym) + ")"
	}
	return interval(lo, hi, sym)
}

// interval is two ends in milliseconds: "8.12–10.2".
func interval(lo, hi time.Duration, sym *themes.Symbols) string {
	return millis(positive(lo), sym) + sym.To + millis(positive(hi), sym)
}

// intervalOf is the interval of a part: those of its estimated segments and the
// lengths of the others, added up; false where none of them is an estimate.
func intervalOf(w probe.Waterfall, part probe.Part) (lo, hi time.Duration, ok bool) {
	add := func(sum, d time.Duration) time.Duration { return min(sum+min(positive(d), longestAxis), longestAxis) }
	for _, seg := range w {
		switch {
		case seg.Name.Part() != part:
		case seg.Source == probe.Estimated:
			lo, hi, ok = add(lo, seg.Lo), add(hi, seg.Hi), true
		default:
			lo, hi = add(lo, seg.Duration), add(hi, seg.Duration)
		}
	}
	return lo, hi, ok
}

// figure draws a part's milliseconds and the letter of its source.
func (s *sheet) figure(c figureColumn, y int, w probe.Waterfall, style figureStyle) {
	src, ok := sourceOf(w, c.part)
	if !ok {
		s.right(c.x+c.width-2, y, s.sym.Unknown, themes.Dim)
		return
	}
	end := c.x + c.width
	s.right(end-2, y, clip(figureText(w, c.part, style, s.sym), c.width-2, s.sym), themes.Text)
	s.text(end-1, y, src, themes.Dim)
}

// sourceRank orders the sources, the weakest last.
var sourceRank = map[probe.Source]int{probe.Measured: 1, probe.Reported: 2, probe.Estimated: 3}

// sourceOf is the letter of the weakest source among the segments of a part
// that have a length, or else of its first one; false where the waterfall
// doesn't have the part.
func sourceOf(w probe.Waterfall, part probe.Part) (string, bool) {
	var first, weakest probe.Source
	found := false
	for _, seg := range w {
		if seg.Name.Part() != part {
			continue
		}
		if !found {
			first, found = seg.Source, true
		}
		if seg.Duration > 0 && sourceRank[seg.Source] > sourceRank[weakest] {
			weakest = seg.Source
		}
	}
	if weakest == "" {
		weakest = first
	}
	return head(string(weakest), 1), found
}
