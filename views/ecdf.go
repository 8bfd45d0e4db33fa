package views

import (
	"time"

	"ttftop/themes"
)

// ECDF shows for each target the share of its probes, failures included, that
// had a first token within a time, on the logarithmic axis of the histogram. A
// curve that ends below 100 % has failures; letters stand at p50, p95 and p99.
//
//	100 %│            ⡠⠤⠒B⠒⠒B
//	 50 %│       A  B
//	    0└20─────50─────100─────200 ms
func ECDF(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	plot := plotArea{plotMargin, s.w - plotMargin - letterMargin}
	f := frame{x: plot.x, w: plot.w, rows: s.h - 1}
	axis, ok := timeReach(snap.Targets, max(plot.w/9, 3))
	if !ok || f.rows < 2 || plot.w < leastPlot {
		s.text(2, s.h/2, clip(noSuccess(snap), s.w-3, s.sym), themes.Dim)
		return s.String()
	}
	s.shareAxis(f)
	s.timeAxis(plot.x, f.rows, plot.w, axis)
	dots := make([]byte, f.w*f.rows)
	for _, i := range drawOrder(snap) {
		t := &snap.Targets[i]
		if len(t.Ranked) == 0 {
			continue
		}
		strokes := f.climb(t, axis)
		if s.sym.ASCII {
			s.letterStrokes(f, i, strokes)
			continue
		}
		s.place(f, i, dots, lines(f, strokes))
	}
	for _, i := range drawOrder(snap) {
		s.quantileLetters(snap, i, f, axis)
	}
	return s.String()
}

// shareAxis draws the axis of shares.
func (s *sheet) shareAxis(f frame) {
	for y := range f.rows {
		s.put(f.x-1, y, s.sym.AxisWall, themes.Border)
	}
	s.put(f.x-1, f.rows, s.sym.AxisCorner, themes.Border)
	for _, tick := range []struct {
		share float64
		label string
		from  int // the height from which it has a line
	}{{1, "100 %", 0}, {.5, "50 %", 3}, {.95, "95 %", 16}, {.75, "75 %", 8}, {.25, "25 %", 8}} {
		if y := f.shareDot(tick.share) / dotsDown; f.rows >= tick.from && s.blank(f.x-2, y) {
			s.right(f.x-1, y, tick.label, themes.Dim)
		}
	}
	s.right(f.x-1, f.rows, "0", themes.Dim)
}

// shareDot is the line of dots, from 0 at the top, of a share.
func (f frame) shareDot(share float64) int {
	last := f.rows*dotsDown - 1
	return last - int(share*float64(last)+0.5)
}

// climb is a target's curve, a stroke for each column of dots.
func (f frame) climb(t *Target, axis reach) []stroke {
	n := f.w * dotsAcross
	list := make([]stroke, 0, n)
	before := f.shareDot(0)
	for c := range n {
		share := shareUpTo(t, time.Duration(axis.from((float64(c)+0.5)/float64(n))))
		y := f.shareDot(share)
		if c == n-1 {
			y = f.shareDot(shareUpTo(t, t.Ranked[len(t.Ranked)-1]))
		}
		if share > 0 || y != before {
			list = append(list, stroke{column: c, high: y, low: before, first: before, last: y})
		}
		before = y
	}
	return list
}

// quantileLetters sets the target's letter where its curve passes a quantile
// that is known.
func (s *sheet) quantileLetters(snap Snapshot, i int, f frame, axis reach) {
	for _, q := range quantilesOf(&snap.Targets[i].Figures) {
		if q.OK && !q.Censored && !q.Max {
			s.text(f.x+axis.at(nanoseconds(q.At), f.w), f.shareDot(q.q)/dotsDown, letter(i), themes.Target(i))
		}
	}
}
