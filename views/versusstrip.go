package views

import (
	"math"
	"slices"
	"time"

	"ttftop/probe/quantile"
	"ttftop/themes"
)

// sideNameWidth is the most cells that the name of a side takes.
const sideNameWidth = 16

// tailShown is the rank up to which the axis of the distributions reaches: the
// slowest few would press everything else flat.
const tailShown = 0.98

// distributions draws how the TTFT of both sides is spread, in strip lines each
// on one axis, and returns the line after it.
func (s *sheet) distributions(v *Versus, y, strip int) int {
	if strip == 0 {
		return y
	}
	end := y + 2*strip + 1
	left := 2
	for i := range v.Sides {
		left = max(left, 3+min(sideNameWidth, cells(clip(v.Verdict.Sides[i].Name, sideNameWidth, s.sym))))
	}
	left = min(left, s.w/3)
	w := s.w - left
	scale, ok := commonScale(v, w)
	if !ok || w < leastPlot {
		s.text(0, y, clip("no probe has ended yet", s.w, s.sym), themes.Dim)
		return end
	}
	for i, side := range v.Sides {
		tok := themes.Target(side)
		top := y + i*strip
		x := s.text(0, top+strip-1, letter(side), tok)
		s.text(x+1, top+strip-1, clip(v.Verdict.Sides[i].Name, left-x-2, s.sym), themes.Text)
		s.histogram(v.TTFT[i], scale, left, top, w, strip, tok)
	}
	s.stripAxis(v, scale, left, end-1, w)
	return end
}

// commonScale holds the bulk of both sides.
func commonScale(v *Versus, w int) (a expanse, ok bool) {
	lo, hi := time.Duration(0), time.Duration(0)
	for _, sorted := range v.TTFT {
		if len(sorted) == 0 {
			continue
		}
		first, last := sorted[0], sorted[quantile.Rank(tailShown, len(sorted))]
		if !ok {
			lo, hi, ok = first, last, true
		}
		lo, hi = min(lo, first), max(hi, last)
	}
	return niceStretch(lo, hi, max(2, w/12)), ok
}

// histogram draws the values as a heap; what lies beyond the axis is in its last
// column.
func (s *sheet) histogram(sorted []time.Duration, a expanse, x, y, w, rows int, tok themes.Token) {
	across, down := dotsAcross, dotsDown
	if s.sym.ASCII {
		across, down = 1, 1
	}
	counts := make([]int, heaps(len(sorted), w*across))
	most := 0
	for _, d := range sorted {
		c := a.at(d, len(counts))
		counts[c]++
		most = max(most, counts[c])
	}
	for cell := range w {
		for row := range rows {
			var dots [dotsAcross]int // how many dots of this cell are filled, from below
			for i := range across {
				if n := counts[(cell*across+i)*len(counts)/(w*across)]; n > 0 {
					height := max(1, (n*rows*down+most/2)/most)
					dots[i] = min(max(0, height-(rows-1-row)*down), down)
				}
			}
			switch {
			case dots == [dotsAcross]int{}:
			case s.sym.ASCII:
				s.put(x+cell, y+row, "#", tok)
			default:
				s.put(x+cell, y+row, braille[heap(dots[0], 0)|heap(dots[1], 1)], tok)
			}
		}
	}
}

// heaps is the number of heaps for n values on an axis with room for most: few
// values in many heaps would show nothing but themselves.
func heaps(n, most int) int {
	return min(max(8, int(3*math.Sqrt(float64(n)))), most)
}

// columnBits are the dots of a braille cell from the lowest up, by column.
var columnBits = [dotsAcross][dotsDown]byte{{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}

// heap is a column of a braille cell filled from below.
func heap(n, column int) (bits byte) {
	for i := range n {
		bits |= columnBits[column][i]
	}
	return bits
}

// stripAxis draws the axis with its ticks and, at the median of each side, its
// letter.
func (s *sheet) stripAxis(v *Versus, a expanse, x, y, w int) {
	s.fill(x, y, w, s.sym.AxisFloor, themes.Border)
	s.right(x-1, y, clip("p50", x-1, s.sym), themes.Dim)
	taken := make([]bool, w+1)
	for i, side := range v.Sides {
		if m := v.Verdict.Sides[i].P50.Estimate; m.OK {
			at := a.at(m.At, w)
			s.text(x+at, y, letter(side), themes.Target(side))
			taken[at] = true
		}
	}
	for _, t := range a.ticks() {
		label := tickLabel(t)
		if t == a.Hi {
			label += " ms"
		}
		at := max(0, min(a.at(t, w), w-cells(label)))
		end := min(at+cells(label)+1, w)
		if slices.Contains(taken[max(0, at-1):end], true) {
			continue
		}
		s.text(x+at, y, label, themes.Dim)
		for i := at; i < end; i++ {
			taken[i] = true
		}
	}
}
