package views

import (
	"slices"

	"ttftop/probe/quantile"
	"ttftop/themes"
)

// sideLetters are the letters of the sides: those of a verdict, whichever
// targets they are.
var sideLetters = [2]string{"A", "B"}

// sideNameWidth is the most cells that the name of a side takes.
const sideNameWidth = 16

// tailShown is the rank up to which the axis of the distributions reaches: the
// slowest few would press everything else flat.
const tailShown = 0.98

// sideRoom is the cells that letters and names take, up to a third of the width.
func (s *sheet) sideRoom(v *Versus) int {
	room := 2
	for i := range v.Sides {
		room = max(room, 3+cells(clipName(v.Verdict.Sides[i].Name, sideNameWidth, s.sym)))
	}
	return min(room, s.w/3)
}

// distributions draws how the TTFT of both sides is spread, in strip lines each
// on one axis, and returns the line after it. What lies beyond the axis is in its
// last bar.
func (s *sheet) distributions(v *Versus, y, strip int) int {
	if strip == 0 {
		return y
	}
	end := y + 2*strip + 1
	left := s.sideRoom(v)
	plot := plotArea{left, s.w - left}
	scale, ok := commonScale(v, plot.w)
	if !ok || plot.w < leastPlot {
		s.text(0, y, clip("no probe has ended yet", s.w, s.sym), themes.Dim)
		return end
	}
	for i, side := range v.Sides {
		top := y + i*strip
		s.sideName(v, i, top+strip-1, left)
		s.bars(v.TTFT[i], side, stretch{top, strip}, plot, scale)
	}
	s.stripAxis(v, scale, plot, end-1)
	return end
}

// sideName draws the letter and the name of a side in so many cells.
func (s *sheet) sideName(v *Versus, side, y, room int) {
	x := s.text(0, y, sideLetters[side], themes.Target(v.Sides[side]))
	s.text(x+1, y, clipName(v.Verdict.Sides[side].Name, room-x-2, s.sym), themes.Text)
}

// commonScale holds the bulk of both sides.
func commonScale(v *Versus, w int) (r reach, ok bool) {
	least, most := 0.0, 0.0
	for _, sorted := range v.TTFT {
		if len(sorted) == 0 {
			continue
		}
		first, last := nanoseconds(sorted[0]), nanoseconds(sorted[quantile.Rank(tailShown, len(sorted))])
		if !ok {
			least, most, ok = first, last, true
		}
		least, most = min(least, first), max(most, last)
	}
	return linearReach(least, max(most, least+float64(leastDiff)), max(2, w/12)), ok
}

// stripAxis draws the axis with its ticks and, at the median of each side, its
// letter.
func (s *sheet) stripAxis(v *Versus, r reach, plot plotArea, y int) {
	s.fill(plot.x, y, plot.w, s.sym.AxisFloor, themes.Border)
	s.right(plot.x-1, y, clip("p50", plot.x-1, s.sym), themes.Dim)
	taken := make([]bool, plot.w+1)
	for i, side := range v.Sides {
		if m := v.Verdict.Sides[i].P50.Estimate; m.OK {
			at := r.at(nanoseconds(m.At), plot.w)
			s.text(plot.x+at, y, sideLetters[i], themes.Target(side))
			taken[at] = true
		}
	}
	for _, t := range r.ticks {
		label := short(t / 1e6)
		if t == r.hi {
			label += " ms"
		}
		at := max(0, min(r.at(t, plot.w), plot.w-cells(label)))
		end := min(at+cells(label)+1, plot.w)
		if slices.Contains(taken[max(0, at-1):end], true) {
			continue
		}
		s.text(plot.x+at, y, label, themes.Dim)
		for i := at; i < end; i++ {
			taken[i] = true
		}
	}
}
