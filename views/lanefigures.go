package views

import (
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// detailed is a waterfall whose parts get figures.
type detailed struct {
	w     probe.Waterfall
	of    string // what the line with its figures is called
	queue bound
}

// detail is the p50 of the epoch, or before there is one the last probe's.
func detail(t *Target) detailed {
	switch {
	case len(t.P50) > 0:
		return detailed{t.P50, "ms", boundOf(t.P50Least, t.P50Most)}
	case t.Last != nil:
		return detailed{t.Last.Waterfall, "last", boundOfLast(t)}
	}
	return detailed{of: "ms"}
}

// bound says on which sides a queue is open.
type bound int

// The bounds. One that is open on both sides is no more than a guess.
const (
	asItIs bound = iota
	atLeast
	atMost
	openBound
)

func boundOf(least, most bool) bound {
	switch {
	case least && most:
		return openBound
	case least:
		return atLeast
	case most:
		return atMost
	}
	return asItIs
}

// sign stands before a figure with the bound.
func (b bound) sign(sym *themes.Symbols) string {
	return [...]string{"", sym.AtLeast, sym.AtMost, sym.Approx}[b]
}

// boundOfProbe is the bound of a probe's queue.
func boundOfProbe(r *probe.Result) bound {
	return boundOf(r.Has(probe.FlagAtLeast), r.Has(probe.FlagAtMost))
}

// boundOfLast is that of a target's last probe.
func boundOfLast(t *Target) bound {
	if t.Last == nil {
		return asItIs
	}
	return boundOf(t.Last.Known.Has(probe.FlagAtLeast), t.Last.Known.Has(probe.FlagAtMost))
}

// signOf stands before the figure of a part; only a queue is a bound.
func (b bound) signOf(part probe.Part, sym *themes.Symbols) string {
	if part != probe.QueuePart {
		return ""
	}
	return b.sign(sym)
}

// sign stands before the figure of a part.
func (d *detailed) sign(part probe.Part, sym *themes.Symbols) string {
	return d.queue.signOf(part, sym)
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
		d := detail(&targets[i])
		for _, seg := range d.w {
			part := seg.Name.Part()
			shown[part] = true
			sign := d.sign(part, sym)
			if _, _, ok := intervalOf(d.w, part); ok && style != plainFigures || sign != "" {
				n := cells(sign+figureText(d.w, part, style, sym)) + len(" e")
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

// figure draws a part's milliseconds, with a sign where they are a bound, and the
// letter of their source.
func (s *sheet) figure(c figureColumn, y int, d detailed, style figureStyle) {
	src, ok := sourceOf(d.w, c.part)
	if !ok {
		s.right(c.x+c.width-2, y, s.sym.Unknown, themes.Dim)
		return
	}
	end := c.x + c.width
	s.right(end-2, y, clip(d.sign(c.part, s.sym)+figureText(d.w, c.part, style, s.sym), c.width-2, s.sym), themes.Text)
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
