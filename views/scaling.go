package views

import (
	"math"
	"slices"
	"time"

	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"

	"ttftop/probe"
	"ttftop/themes"
)

// ScalingPlot shows TTFT against uncached prompt tokens: the probes of all
// epochs as the letter of their target, dim where they are of an older epoch,
// and as a line what the same prompt costs on an unloaded server. Probes above
// the line have waited.
//
//	300│              B   ⣀⡠⠤⠒A
//	   │   B⣀⡠⠤⠤⠒⠒⠒⠉⠉   A
//	  0└0──────500─────1,000 tokens
//
// Both axes are linear, so that the line is one, or both logarithmic where the
// lengths go over more than logFrom times the shortest. Points that are far above
// all others stand on a line of their own over the axis, beside the highest of
// their values.
func ScalingPlot(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	x, y, above, ok := scalingReach(snap.Targets, (s.w-plotMargin)/10, (s.h-1)/3)
	if !ok {
		s.text(2, s.h/2, clip("not yet: no probe has told its prompt length and had a first token", s.w-3, s.sym), themes.Dim)
		return s.String()
	}
	f := frame{rows: s.h - 1}
	for _, v := range y.ticks {
		f.x = max(f.x, cells(short(v/1e6))+2)
	}
	var p scalingFrame
	if above > 0 {
		p.top = 1
		p.above = s.sym.Above + short(nanoseconds(above)/1e6)
		f.x = max(f.x, cells(p.above)+2)
	}
	f.w = s.w - f.x - letterMargin
	if f.rows < 2+p.top || f.w < leastPlot {
		return s.String()
	}
	p.frame, p.tokens, p.ttft = f, x, y
	s.scalingAxes(p)
	for _, i := range drawOrder(snap) {
		s.costs(snap, i, p)
	}
	for _, i := range drawOrder(snap) {
		s.baseline(&snap.Targets[i], i, p)
	}
	return s.String()
}

// ScalingTitle is the name of the panel, and what its axes are.
func ScalingTitle(snap Snapshot) (name, remark string) {
	name = "TTFT against uncached prompt tokens"
	x, _, _, ok := scalingReach(snap.Targets, 8, 8)
	switch {
	case !ok:
		return name, "all epochs"
	case x.log:
		return name, "ms, both axes logarithmic, all epochs; the line: unloaded"
	}
	return name, "ms, all epochs; the line: unloaded"
}

// scalingFrame is a plot with its scales of tokens and of TTFT.
type scalingFrame struct {
	frame
	tokens, ttft reach
	top          int    // lines over the scale, for the points above it
	above        string // what these lines are named
}

// row is the line of a TTFT.
func (p scalingFrame) row(ttft time.Duration) int {
	if nanoseconds(ttft) > p.ttft.hi {
		return 0
	}
	return p.rows - 1 - p.ttft.at(nanoseconds(ttft), p.rows-p.top)
}

// logFrom is how many times as long as the shortest prompt the longest is
// where a linear axis would press the short ones together.
const logFrom = 200

// strayShare is the share of points of every epoch that the axis of TTFT may leave
// out: more of them may be those of long prompts.
const strayShare = 0.05

// scalingReach are the scales of tokens and of TTFT, and the highest TTFT where it
// is above its scale, else 0; false without a point.
func scalingReach(targets []Target, xTicks, yTicks int) (x, y reach, above time.Duration, ok bool) {
	least, most := math.Inf(1), 0.0
	quickest := math.Inf(1)
	var h heights
	for i := range targets {
		for _, c := range targets[i].Costs {
			tokens := float64(max(c.Tokens, 1))
			least, most = min(least, tokens), max(most, tokens)
			quickest = min(quickest, nanoseconds(c.TTFT))
			h.add(c.TTFT)
		}
	}
	if most == 0 {
		return x, y, 0, false
	}
	slowest := h.most
	if h.n >= fewPoints {
		slowest, _ = reachOf(h.usual(strayShare), h.most)
	}
	xTicks, yTicks = min(max(xTicks, 2), 10), min(max(yTicks, 2), 8)
	if most >= logFrom*least {
		x, y = logReach(least, most, xTicks), logReach(quickest, nanoseconds(slowest), yTicks)
	} else {
		x, y = linearReach(0, most, xTicks), linearReach(0, nanoseconds(slowest), yTicks)
	}
	if nanoseconds(h.most) > y.hi {
		above = h.most
	}
	return x, y, above, true
}

// scalingAxes draws both axes with their labels.
func (s *sheet) scalingAxes(p scalingFrame) {
	f, x, y := p.frame, p.tokens, p.ttft
	for row := range f.rows {
		s.put(f.x-1, row, s.sym.AxisWall, themes.Border)
	}
	s.put(f.x-1, f.rows, s.sym.AxisCorner, themes.Border)
	s.fill(f.x, f.rows, f.w, s.sym.AxisFloor, themes.Border)
	for _, v := range y.ticks {
		row := f.rows - 1 - y.at(v, f.rows-p.top)
		if v == 0 {
			row = f.rows
		}
		s.right(f.x-1, row, short(v/1e6), themes.Dim)
	}
	s.right(f.x-1, 0, p.above, themes.Warn)
	end := f.x
	for i, v := range x.ticks {
		label := shortCount(int64(math.Round(v)))
		if i == len(x.ticks)-1 {
			label += " tokens"
		}
		at := min(f.x+x.at(v, f.w)-cells(label)/2, f.x+f.w-cells(label))
		if at = max(at, f.x); at >= end {
			end = s.text(at, f.rows, label, themes.Dim) + 1
		}
	}
}

// costs draws a target's probes.
func (s *sheet) costs(snap Snapshot, i int, p scalingFrame) {
	for _, now := range []bool{false, true} { // the present epoch on top
		for _, c := range snap.Targets[i].Costs {
			if (c.Epoch == snap.Targets[i].Epoch) != now {
				continue
			}
			tok := themes.Dim
			if now {
				tok = themes.Target(i)
			}
			s.text(p.x+p.tokens.at(float64(c.Tokens), p.w), p.row(c.TTFT), letter(i), tok)
		}
	}
}

// baseline draws a target's line where no probe is: what an unloaded request
// costs, with the network and the first decode that its probes usually have.
func (s *sheet) baseline(t *Target, target int, p scalingFrame) {
	outside, ok := usualOutside(t)
	if len(t.Fit.Line) == 0 || !t.Figures.Fixed.OK || !ok { // one that is not firm is no line
		return
	}
	w, h := p.w*dotsAcross, (p.rows-p.top)*dotsDown
	var strokes []stroke
	first := p.tokens.at(float64(t.Fit.Line[0].Tokens), w)
	last := p.tokens.at(float64(t.Fit.Line[len(t.Fit.Line)-1].Tokens), w)
	for column := first; column <= last; column++ {
		tokens := p.tokens.from(float64(column) / float64(w-1))
		cost := outside + costAt(t.Fit.Line, tokens)
		if float64(cost) > p.ttft.hi {
			break
		}
		y := p.rows*dotsDown - 1 - p.ttft.at(nanoseconds(cost), h)
		strokes = append(strokes, stroke{column: column, high: y, low: y, first: y, last: y, joined: true})
	}
	if s.sym.ASCII {
		for _, k := range strokes {
			if x, y := p.x+k.column/dotsAcross, k.high/dotsDown; s.blank(x, y) {
				s.put(x, y, s.sym.Tick, themes.Target(target))
			}
		}
		return
	}
	s.placeBlank(p.frame, target, lines(p.frame, strokes))
}

// placeBlank is place that leaves what is drawn already.
func (s *sheet) placeBlank(f frame, target int, patterns [][]rune) {
	for y, row := range patterns {
		for x, r := range row {
			if r != runes.BrailleBlockOffset && x < f.w && y < f.rows && s.blank(f.x+x, y) {
				s.put(f.x+x, y, braille[byte(r-runes.BrailleBlockOffset)], themes.Target(target))
			}
		}
	}
}

// costAt is a line's cost at a prompt length: between its points straight, and
// beyond them level.
func costAt(line []probe.LinePoint, tokens float64) time.Duration {
	i, _ := slices.BinarySearchFunc(line, tokens, func(p probe.LinePoint, n float64) int {
		switch {
		case float64(p.Tokens) < n:
			return -1
		case float64(p.Tokens) > n:
			return 1
		}
		return 0
	})
	switch {
	case i == 0:
		return line[0].Cost
	case i == len(line):
		return line[i-1].Cost
	}
	l, r := line[i-1], line[i]
	share := (tokens - float64(l.Tokens)) / float64(r.Tokens-l.Tokens)
	return l.Cost + time.Duration(share*float64(r.Cost-l.Cost))
}

// recentCosts is how many of the newest probes tell what is usual.
const recentCosts = 100

// usualOutside is the median of network and first decode over a target's
// newest probes that were cut; false where none was.
func usualOutside(t *Target) (time.Duration, bool) {
	var list []time.Duration
	for i := len(t.Costs) - 1; i >= 0 && len(list) < recentCosts; i-- {
		if o := t.Costs[i].Outside; o >= 0 {
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		return 0, false
	}
	return medianOf(list), true
}
