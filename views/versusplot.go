package views

import (
	"slices"
	"strconv"
	"time"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/themes"
)

// bulk is the share of the pairs that the axis of the differences holds in any
// case; those outside lie on its ends.
const bulk = 0.9

// leastDiff is the least that the axis of the differences spans.
const leastDiff = 100 * time.Microsecond

// dotBits are the dots of a braille cell from the top down, by column.
var dotBits = [dotsAcross][dotsDown]byte{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

// differences draws the paired differences B − A in the order of the pairs, the
// zero line, and the band in which their median lies at any time of looking;
// rows lines with the axis. It returns the line after them.
func (s *sheet) differences(v *Versus, y, rows int) int {
	if rows < leastPlotRows {
		return y + max(rows, 0)
	}
	d, ok := newDiffPlot(v, s, y, rows-1)
	if !ok {
		s.text(0, y, clip("no pair has ended yet", s.w, s.sym), themes.Dim)
		return y + rows
	}
	s.diffAxes(d)
	s.band(d)
	s.fill(d.x, d.y+d.row(0), d.w, s.sym.Rule, themes.Border)
	s.diffPoints(d)
	s.diffWords(d)
	return y + rows
}

// diffPlot is the place of the differences and their scale.
type diffPlot struct {
	v          *Versus
	x, y, w, h int
	scale      reach
	last       int // number of the last pair shown
}

func newDiffPlot(v *Versus, s *sheet, y, rows int) (d diffPlot, ok bool) {
	d = diffPlot{v: v, y: y, h: rows}
	var values []time.Duration
	for _, m := range v.History {
		d.last = max(d.last, m.Number)
		if m.Diff.OK {
			values = append(values, m.Diff.At)
		}
	}
	if d.last == 0 {
		return d, false
	}
	d.scale = diffScale(values, v.History, rows)
	label := 1
	for _, t := range d.scale.ticks {
		label = max(label, cells(diffLabel(t, s.sym)))
	}
	d.x = label + 1
	d.w = s.w - d.x
	return d, d.w >= leastPlot
}

// diffScale holds zero, the bulk of the differences and the newest band.
func diffScale(values []time.Duration, history []ab.Moment, rows int) reach {
	lo, hi := time.Duration(0), time.Duration(0)
	reach := func(d time.Duration) { lo, hi = min(lo, d), max(hi, d) }
	if n := len(values); n > 0 {
		slices.Sort(values)
		cut := int((1 - bulk) / 2 * float64(n))
		reach(values[cut])
		reach(values[n-1-cut])
	}
	newest := history[len(history)-1]
	for _, m := range []probe.Mark{newest.Lo, newest.Hi} {
		if m.OK {
			reach(m.At)
		}
	}
	return linearReach(signed(lo), signed(max(hi, lo+leastDiff)), max(2, rows/2))
}

// dot is the line of dots of a difference, from the top.
func (d diffPlot) dot(v time.Duration, perCell int) int {
	n := d.h * perCell
	return n - 1 - d.scale.at(signed(v), n)
}

// row is the line of cells of a difference.
func (d diffPlot) row(v time.Duration) int { return d.dot(v, dotsDown) / dotsDown }

// column is the place of a pair among n.
func (d diffPlot) column(number, n int) int {
	if d.last <= 1 {
		return 0
	}
	return min(max(0, (number-1)*(n-1)/(d.last-1)), n-1)
}

// diffAxes draws the wall with its ticks and the floor with the pairs.
func (s *sheet) diffAxes(d diffPlot) {
	for i := range d.h {
		s.put(d.x-1, d.y+i, s.sym.AxisWall, themes.Border)
	}
	taken := map[int]bool{}
	for _, t := range append([]float64{0}, d.scale.ticks...) { // zero first: it has its label in any case
		if y := d.row(time.Duration(t)); !taken[y] {
			taken[y] = true
			s.right(d.x-1, d.y+y, diffLabel(t, s.sym), themes.Dim)
		}
	}
	floor := d.y + d.h
	s.put(d.x-1, floor, s.sym.AxisCorner, themes.Border)
	s.fill(d.x, floor, d.w, s.sym.AxisFloor, themes.Border)
	x := s.text(d.x, floor, clip("ms at pair 1", d.w, s.sym), themes.Dim)
	if end := strconv.Itoa(d.last); d.last > 1 && d.x+d.w-cells(end) > x {
		s.right(d.x+d.w, floor, end, themes.Dim)
	}
}

// band shades where the median lies, as it was known after each pair. A bound
// that did not exist yet reaches to the end.
func (s *sheet) band(d diffPlot) {
	shade := s.sym.Fill(probe.QueuePart)
	next := 0
	var now *ab.Moment
	for c := range d.w {
		for next < len(d.v.History) && d.column(d.v.History[next].Number, d.w) <= c {
			now = &d.v.History[next]
			next++
		}
		if now == nil || !now.Lo.OK && !now.Hi.OK {
			continue
		}
		top, bottom := 0, d.h-1
		if now.Hi.OK {
			top = d.row(now.Hi.At)
		}
		if now.Lo.OK {
			bottom = d.row(now.Lo.At)
		}
		for y := top; y <= bottom; y++ {
			s.put(d.x+c, d.y+y, shade, themes.Dim)
		}
	}
}

// diffWords says what above and below zero mean.
func (s *sheet) diffWords(d diffPlot) {
	zero := d.row(0)
	if zero > 0 {
		s.text(d.x+1, d.y, clip(sideLetters[0]+" faster", d.w-1, s.sym), themes.Dim)
	}
	if zero < d.h-1 {
		s.text(d.x+1, d.y+d.h-1, clip(sideLetters[1]+" faster", d.w-1, s.sym), themes.Dim)
	}
}

// diffPoints draws each pair; one in which a side failed is a cross at the end
// of the side that won, and on the zero line where both failed.
func (s *sheet) diffPoints(d diffPlot) {
	dots := make([]byte, d.w*d.h)
	for _, m := range d.v.History {
		cell := d.column(m.Number, d.w)
		switch {
		case m.Failed == ab.SideA:
			s.put(d.x+cell, d.y+d.h-1, s.sym.Failed, themes.Bad)
		case m.Failed == ab.SideB:
			s.put(d.x+cell, d.y, s.sym.Failed, themes.Bad)
		case m.Failed == ab.Both:
			s.put(d.x+cell, d.y+d.row(0), s.sym.Failed, themes.Bad)
		case m.Diff.OK && s.sym.ASCII:
			s.put(d.x+cell, d.y+d.row(m.Diff.At), "*", themes.Text)
		case m.Diff.OK:
			column, dot := d.column(m.Number, d.w*dotsAcross), d.dot(m.Diff.At, dotsDown)
			i := dot/dotsDown*d.w + column/dotsAcross
			dots[i] |= dotBits[column%dotsAcross][dot%dotsDown]
			s.put(d.x+column/dotsAcross, d.y+dot/dotsDown, braille[dots[i]], themes.Text)
		}
	}
}

// diffLabel is the label of a tick with its sign.
func diffLabel(ns float64, sym *themes.Symbols) string {
	switch {
	case ns < 0:
		return sym.Minus + short(-ns/1e6)
	case ns == 0:
		return "0"
	}
	return "+" + short(ns/1e6)
}
