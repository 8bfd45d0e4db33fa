package views

import (
	"strconv"
	"time"

	"ttftop/themes"
)

// Chart shows TTFT over time, a line for each target in its colour with its
// letter at the end; dotted uprights mark the changes of knobs, bold ones the
// markers that a person has dropped, crosses on the time axis, or above its labels, the probes that failed, and dashed lines the limits of SLOs.
//
//	200│      ┊prompt 256 → 1,024
//	   │      ┊    ⢀⠤⠤⣀⡠⠤⠔ A
//	100│⠤⠤⠒⠒⠤⠤┊⠤⠊⠁
//	  0└─────60 s──×──30 s───── now
//
// Its window of time grows with the session up to longestWindow. The axis of
// TTFT covers what is in the window, unless the slowest fifth of a target's probes
// would press everything else flat: what is cut then is marked at the top, with
// its value.
func Chart(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	f, ok := newFrame(snap, s)
	if !ok {
		return s.String()
	}
	s.axes(f)
	s.limitLines(snap, f)
	marks := s.epochMarks(snap, f)
	if s.sym.ASCII {
		s.letterPlot(snap, f)
	} else {
		s.braillePlot(snap, f)
	}
	high := f.outliers()
	s.outlierSigns(f, high)
	s.failures(snap, f)
	s.limitTexts(snap, f)
	s.epochTexts(f, marks)
	s.outlierValues(f, high)
	s.endLetters(snap, f)
	if f.empty {
		s.text(f.x+2, f.rows/2, clip("no probe has ended yet", f.w-2, s.sym), themes.Dim)
	}
	return s.String()
}

// ChartTitle is the name of the panel and how much time it shows.
func ChartTitle(snap Snapshot, width int) (name, remark string) {
	return "TTFT over time", "ms, last " + age(windowOf(snap, width))
}

// frame is the place of the plot on the sheet and its scales.
type frame struct {
	x, w, rows int // first column, columns and lines of the plot; the axis is below
	y          axis
	window     time.Duration
	tick       time.Duration // time of one column of dots
	newest     int64         // number of the last column of dots, counted from the start of the session; odd, so that it ends a cell
	cut        bool          // there are points above the axis
	empty      bool          // there is no point at all in the window
	views      [][]Point     // the points of each target that are in the window
}

// The columns that the plot needs, and those after it for the letters.
const (
	leastPlot    = 8
	letterMargin = 2
	dotsAcross   = 2 // dots of a braille cell
	dotsDown     = 4
)

// pausedGrain is for how long a chart stands still while nothing is probed.
const pausedGrain = 5 * time.Second

// ChartNow is the instant that a chart of a width is drawn for: it stands still
// for the time of one column of dots, and is never before the present.
func ChartNow(snap Snapshot, width int) time.Duration {
	cols := max(1, (width-leastPlot)*dotsAcross)
	snap.Now = min(max(snap.Now, 0), longestAxis)
	window := windowOf(snap, width)
	still := snap
	grain := max(1, window/time.Duration(cols))
	if snap.Paused { // nothing comes, and each step moves every line
		grain = max(grain, pausedGrain)
	}
	still.Now = (snap.Now + grain - 1).Truncate(grain)
	if windowOf(still, width) != window {
		return snap.Now
	}
	return still.Now
}

// newFrame lays out the plot; false where there is no room for one.
func newFrame(snap Snapshot, s *sheet) (frame, bool) {
	f := frame{rows: s.h - 1, window: windowOf(snap, s.w)}
	if f.rows < 2 {
		return f, false
	}
	// The window moves by whole cells, so that what is drawn doesn't shimmer: a
	// point keeps its dot within a cell until it leaves.
	cols := max(1, (s.w-leastPlot)*dotsAcross)
	f.views = make([][]Point, len(snap.Targets))
	now := ChartNow(snap, s.w)
	for i := range snap.Targets {
		f.views[i] = since(snap.Targets[i].Points, now-f.window-f.window/time.Duration(cols), now)
	}
	most, cut, any := highest(f.views)
	f.cut, f.empty = cut, !any
	most = reachLimits(most, snap.Limits)
	if f.hasChange(snap, now) { // the top line is for what changed
		most += most / time.Duration(f.rows)
	}
	f.y = niceAxis(most, min(max(2, (f.rows+1)/2), 6))
	label := 0
	for _, t := range f.y.ticks() {
		label = max(label, cells(tickLabel(t)))
	}
	f.x = label + 2
	f.w = s.w - f.x - letterMargin
	if f.w < leastPlot {
		return f, false
	}
	f.tick = max(1, f.window/time.Duration(f.w*dotsAcross))
	f.newest = int64(now/f.tick) | 1
	return f, true
}

// windows are the lengths of time that the chart may show.
var windows = []time.Duration{
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
}

// windowOf is the shortest window that shows the whole session, bounded by
// what a chart of this width can show in detail.
func windowOf(snap Snapshot, width int) time.Duration {
	longest := 2 * time.Minute
	switch {
	case width >= 150:
		longest = 10 * time.Minute
	case width >= 100:
		longest = 5 * time.Minute
	}
	for _, w := range windows {
		if w >= snap.Now || w >= longest {
			return w
		}
	}
	return longest
}

// age is a length of time in the words of the time axis.
func age(d time.Duration) string {
	if d <= 90*time.Second || d%time.Minute != 0 {
		return strconv.Itoa(int(d/time.Second)) + " s"
	}
	return strconv.Itoa(int(d/time.Minute)) + " min"
}

// hasChange reports whether a knob was turned within the window.
func (f frame) hasChange(snap Snapshot, now time.Duration) bool {
	for _, c := range snap.Changes {
		if c.At >= now-f.window && c.At <= now {
			return true
		}
	}
	return false
}

// column is the column of dots, from 0 at the left, in which an instant falls;
// it is negative before the window.
func (f frame) column(at time.Duration) int {
	return int(int64(positive(at)/f.tick)-f.newest) + f.w*dotsAcross - 1
}

// dot is the line of dots, from 0 at the top, of a TTFT.
func (f frame) dot(ttft time.Duration) int {
	last := f.rows*dotsDown - 1
	return last - f.y.at(ttft, last)
}

// axes draws both axes with their labels.
func (s *sheet) axes(f frame) {
	for y := range f.rows {
		s.put(f.x-1, y, s.sym.AxisWall, themes.Border)
	}
	s.put(f.x-1, f.rows, s.sym.AxisCorner, themes.Border)
	s.fill(f.x, f.rows, f.w, s.sym.AxisFloor, themes.Border)
	last := -1
	for _, t := range f.y.ticks() {
		y := f.dot(t) / dotsDown
		if t == 0 {
			y = f.rows
		}
		if y != last {
			s.right(f.x-1, y, tickLabel(t), themes.Dim)
		}
		last = y
	}
	if f.cut {
		s.put(0, 0, s.sym.Above, themes.Warn)
	}
	steps := timeSteps(f.window, f.w)
	for i := range steps {
		label := age(f.window - f.window*time.Duration(i)/time.Duration(steps))
		s.text(f.x+f.w*i/steps, f.rows, label, themes.Dim)
	}
	s.right(f.x+f.w+letterMargin, f.rows, " now", themes.Dim)
}

// timeSteps is how many labels the time axis has over w cells.
func timeSteps(window time.Duration, w int) int {
	switch {
	case w < 24:
		return 1
	case window == 30*time.Second:
		return 3
	case window >= 5*time.Minute:
		return 5
	case w < 60:
		return 2
	}
	return 4
}

// failures marks failed probes on the time axis.
func (s *sheet) failures(snap Snapshot, f frame) {
	for i := range f.views {
		for _, p := range f.views[i] {
			if c := f.column(p.At); p.Failed && c >= 0 && c < f.w*dotsAcross {
				s.failure(f, f.x+c/dotsAcross)
			}
		}
	}
}

// failure marks a column of cells on the axis, or above it where a label stands.
func (s *sheet) failure(f frame, x int) {
	y := f.rows
	if on := s.cells[y*s.w+x].text; on != s.sym.AxisFloor && on != s.sym.Failed {
		y--
	}
	s.put(x, y, s.sym.Failed, themes.Bad)
}

// endLetters puts each target's letter behind its last point, on a free line no
// farther than the next. Where there is none, the letters of a line give way to how
// many there are.
func (s *sheet) endLetters(snap Snapshot, f frame) {
	left := make([]int, f.rows) // letters of each line without a place
	for i := range f.views {
		for j := len(f.views[i]) - 1; j >= 0; j-- {
			p := f.views[i][j]
			if p.Failed {
				continue
			}
			if row := f.dot(p.TTFT) / dotsDown; !s.endLetter(f, i, row) {
				left[row]++
			}
			break
		}
	}
	for row, n := range left {
		if n > 0 {
			s.text(f.x+f.w, row, crowd(n+letterMargin), themes.Dim)
		}
	}
}

// crowd is a number of letters in letterMargin cells.
func crowd(n int) string {
	if n > 9 {
		return "9+"
	}
	return "+" + strconv.Itoa(n)
}

// endLetter puts a letter at a line; false where there is no room.
func (s *sheet) endLetter(f frame, target, row int) bool {
	for _, x := range []int{f.x + f.w, f.x + f.w + 1} {
		for away := range 2 {
			for _, y := range []int{row - away, row + away} {
				if y >= 0 && y < f.rows && s.blank(x, y) {
					s.text(x, y, letter(target), themes.Target(target))
					return true
				}
			}
		}
	}
	return false
}
