package views

import (
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// A bar is a waterfall drawn along a time axis. Its rules:
//
//   - Every boundary is the sum of all that comes before it, rounded to an
//     eighth of a cell; so the bar's length is right however many parts are
//     small, and a part that is shorter than half an eighth of a cell is not
//     drawn. Its figure is still in the lane.
//   - A cell that one part fills shows the part's pattern on its colour.
//   - A cell in which parts meet shows the two that have most of it, as a block
//     of eighths in their colours; without colour or eighths, the pattern of
//     the one that has most of it.
//   - A bar that has a length is at least an eighth of a cell (without colour
//     or eighths: a cell).
//   - A bar longer than the axis ends in a sign that it goes on.

// eighths is how many steps a cell is cut into.
const eighths = 8

// piece is a part of a bar, in eighths of a cell from the bar's start.
type piece struct {
	part     probe.Part
	from, to int
}

// pieces cuts a waterfall for a bar of so many cells. Parts that come to no
// length are left out.
func pieces(w probe.Waterfall, a axis, width int) []piece {
	var list []piece
	var sum time.Duration
	from := 0
	largest, most := probe.ServerPart, time.Duration(0)
	for _, p := range probe.Parts {
		d := partOf(w, p)
		if d <= 0 {
			continue
		}
		if d > most {
			largest, most = p, d
		}
		sum = min(sum+d, longestAxis)
		to := a.at(sum, width*eighths)
		if to > from {
			list = append(list, piece{p, from, to})
		}
		from = to
	}
	if len(list) == 0 && most > 0 {
		list = append(list, piece{largest, 0, 1})
	}
	return list
}

// bar draws a waterfall from (x, y) over at most width cells, and the ticks of
// the axis behind it.
func (s *sheet) bar(x, y, width int, w probe.Waterfall, a axis) {
	if width <= 0 {
		return
	}
	for _, t := range a.ticks() {
		if t > 0 && t < a.Top {
			s.put(x+a.at(t, width), y, s.sym.Tick, themes.Border)
		}
	}
	list := pieces(w, a, width)
	if len(list) == 0 {
		return
	}
	end := list[len(list)-1].to
	for c := 0; c*eighths < end; c++ {
		if glyph, tok, ok := s.barCell(list, c); ok {
			s.put(x+c, y, glyph, tok)
		}
	}
	if length(w) > a.Top {
		s.put(x+width-1, y, s.sym.Over, themes.Fill(list[len(list)-1].part))
	}
}

// barCell is what the cell number c of a bar shows; false for nothing.
func (s *sheet) barCell(list []piece, c int) (string, themes.Token, bool) {
	var a, b piece // the parts with the largest and the second largest share
	var na, nb, filled int
	for _, p := range list {
		n := min(p.to, (c+1)*eighths) - max(p.from, c*eighths)
		if n <= 0 {
			continue
		}
		filled += n
		switch {
		case n > na:
			a, na, b, nb = p, n, a, na
		case n > nb:
			b, nb = p, n
		}
	}
	fine := s.th.Colour && s.sym.Eighths[1] != ""
	switch {
	case filled == 0:
		return "", 0, false
	case na == eighths:
		return s.sym.Fill(a.part), themes.Fill(a.part), true
	case !fine:
		return s.sym.Fill(a.part), themes.Fill(a.part), filled*2 >= eighths || c == 0
	case filled < eighths:
		return s.sym.Eighths[filled], themes.Edge(a.part, ""), true
	}
	if b.from < a.from {
		a, b, na, nb = b, a, nb, na
	}
	k := min(max(eighths*na/(na+nb), 1), eighths-1)
	return s.sym.Eighths[k], themes.Edge(a.part, b.part), true
}

// partOf is the duration of a part; segments below 0 count as 0.
func partOf(w probe.Waterfall, p probe.Part) time.Duration {
	var sum time.Duration
	for _, seg := range w {
		if seg.Name.Part() == p {
			sum = min(sum+min(max(seg.Duration, 0), longestAxis), longestAxis)
		}
	}
	return sum
}

// length is the duration of the whole waterfall as it is drawn.
func length(w probe.Waterfall) time.Duration {
	var sum time.Duration
	for _, seg := range w {
		sum = min(sum+min(max(seg.Duration, 0), longestAxis), longestAxis)
	}
	return sum
}
