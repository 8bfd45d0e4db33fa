package views

import (
	"math"
	"sort"
	"strings"
	"time"

	"ttftop/themes"
)

// TallestHistogram is the most lines that a target's histogram is worth.
const TallestHistogram = 12

// Histogram shows the TTFT of this epoch's probes, a lane for each target, all
// on one logarithmic axis; failures have no place on it and are counted beside.
//
//	A near  sim-8b      n 64  0 failed  p50 108  p95 125  p99 max 131    \
//	            ▂▅█▇▃▁      ▁                                             | a lane
//	              ▲50  ▲95  ▲max                                         /
//	20        50        100       200       500 ms
//
// A lane of two lines has its bars between the name and the figures, and one of
// a single line no marks.
func Histogram(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	n := len(snap.Targets)
	lines := min(max((s.h-1)/max(n, 1), 1), TallestHistogram)
	from, to := visibleRange(n, snap.Selected, max(s.h-1, 1)/lines)
	plot := s.plotOf(snap.Targets, lines)
	axis, ok := timeReach(snap.Targets, max(plot.w/9, 3))
	if !ok || plot.w < leastPlot {
		s.text(2, s.h/2, clip(noSuccess(snap), s.w-3, s.sym), themes.Dim)
		return s.String()
	}
	for i := from; i < to; i++ {
		s.histogramLane(snap, i, stretch{(i - from) * lines, lines}, plot, axis)
	}
	if s.h > 1 {
		s.timeAxis(plot.x, s.h-1, plot.w, axis)
		s.text(1, s.h-1, hidden(from, to, n, plot.x-2, s.sym), themes.Warn)
	}
	return s.String()
}

// stretch is lines of a sheet.
type stretch struct{ y, h int }

// plotArea is the columns of a plot.
type plotArea struct{ x, w int }

// fullHistogram is the lines from which a lane has a line for the name alone.
const fullHistogram = 3

// plotMargin is the columns left of a plot: those of the ECDF's percentages.
const plotMargin = 6

// plotOf is where the bars go: over the whole width where the name has a line
// of its own, else between name and figures.
func (s *sheet) plotOf(targets []Target, lines int) plotArea {
	if lines >= fullHistogram {
		return plotArea{plotMargin, s.w - plotMargin - letterMargin}
	}
	name, figures := min(max(s.w/4, 10), 34), 0
	for i := range targets {
		figures = max(figures, spansWidth(s.laneCounts(&targets[i], s.w/2-4)))
	}
	return plotArea{name + 1, s.w - name - figures - 4}
}

func (s *sheet) histogramLane(snap Snapshot, i int, at stretch, plot plotArea, axis reach) {
	t := &snap.Targets[i]
	x := s.laneLetter(snap, i, at.y)
	bars := at
	if at.h >= fullHistogram {
		room := s.w - x - 2
		counts := s.laneCounts(t, room*3/4)
		s.spans(s.w-1-spansWidth(counts), at.y, counts...)
		s.laneTitle(t, x, at.y, room-spansWidth(counts)-2)
		bars = stretch{at.y + 1, at.h - 1}
	} else {
		s.text(x, at.y, clipName(t.Name, plot.x-1-x, s.sym), themes.Strong)
		counts := s.laneCounts(t, s.w/2-4)
		s.spans(s.w-1-spansWidth(counts), at.y, counts...)
	}
	if at.h >= 2 {
		bars.h--
		s.quantileMarks(&t.Figures, bars.y+bars.h, plot, axis)
	}
	s.bars(t.Ranked, i, bars, plot, axis)
}

// laneCounts are the figures beside a histogram, as many as fit, the most
// important first: how many probes, how many of them failed and in which way,
// and the quantiles.
func (s *sheet) laneCounts(t *Target, room int) []span {
	f := &t.Figures
	failures, _ := f.Failures()
	failed := span{Count(int64(failures)) + " failed", themes.Text}
	if failures > 0 {
		failed.tok = themes.Bad
	}
	items := [][]span{{{"n ", themes.Dim}, {Count(int64(f.Probes)), themes.Text}}, {failed}}
	for _, q := range quantilesOf(f) {
		items = append(items, []span{{"p" + q.name + " ", themes.Dim}, {estimate(q.Estimate, s.sym), themes.Text}})
	}
	if f.Failed > 0 || f.Beside > 0 {
		items = append(items, []span{{"(" + howCounted(f) + ")", themes.Dim}})
	}
	var list []span
	for _, item := range items {
		if spansWidth(list)+gap+spansWidth(item) > room {
			continue
		}
		if len(list) > 0 {
			list = append(list, span{"  ", themes.Plain})
		}
		list = append(list, item...)
	}
	return list
}

// howCounted is how the probes without success stand in the figures: "2 censored,
// 1 beside, 14 by this side".
func howCounted(f *Figures) string {
	how := Count(int64(f.Failed)) + " censored"
	if n := f.Beside - f.Ours; n > 0 {
		how += ", " + Count(int64(n)) + " beside"
	}
	if f.Ours > 0 {
		how += ", " + Count(int64(f.Ours)) + " by this side"
	}
	return how
}

// quantileMarks draws a sign below the bars for each quantile, with its number
// where there is room; those beyond the limit stand at the end.
func (s *sheet) quantileMarks(f *Figures, y int, plot plotArea, axis reach) {
	var beyond []string
	list := quantilesOf(f)
	for _, q := range list {
		switch {
		case q.OK && q.Censored:
			beyond = append(beyond, q.name)
		case q.OK:
			s.put(plot.x+axis.at(nanoseconds(q.At), plot.w), y, s.sym.Above, themes.Accent)
		}
	}
	for _, q := range list {
		if !q.OK || q.Censored {
			continue
		}
		if q.Max {
			q.name = "max"
		}
		x := plot.x + axis.at(nanoseconds(q.At), plot.w) + 1
		if s.allBlank(x, y, cells(q.name)) {
			s.text(x, y, q.name, themes.Dim)
		}
	}
	if len(beyond) > 0 {
		s.right(plot.x+plot.w, y, strings.Join(beyond, " ")+s.sym.Over, themes.Bad)
	}
}

// allBlank reports whether n cells are within the sheet and blank.
func (s *sheet) allBlank(x, y, n int) bool {
	for i := range n {
		if !s.blank(x+i, y) {
			return false
		}
	}
	return true
}

// bars draws the histogram of ascending values. Its bins are as many as suit
// their number (Rice's rule: twice its cube root over their range), each a
// whole number of cells.
func (s *sheet) bars(ranked []time.Duration, target int, at stretch, plot plotArea, axis reach) {
	n := len(ranked)
	if n == 0 || at.h < 1 {
		return
	}
	first, last := axis.at(nanoseconds(ranked[0]), plot.w), axis.at(nanoseconds(ranked[n-1]), plot.w)
	width := max(1, int(float64(last-first+1)/(2*math.Cbrt(float64(n)))))
	counts := make([]int, (plot.w+width-1)/width)
	highest := 0
	for bin := range counts {
		counts[bin] = below(ranked, axis, plot.w, (bin+1)*width) - below(ranked, axis, plot.w, bin*width)
		highest = max(highest, counts[bin])
	}
	steps := len(s.sym.Rises) - 1
	for bin, count := range counts {
		tall := (count*at.h*steps + highest - 1) / highest // what is there is never nothing
		for c := bin * width; c < min((bin+1)*width, plot.w); c++ {
			for row := 0; row*steps < tall; row++ {
				s.put(plot.x+c, at.y+at.h-1-row, s.sym.Rises[min(tall-row*steps, steps)], themes.Target(target))
			}
		}
	}
}

// below is how many of the values are drawn left of a column.
func below(ranked []time.Duration, axis reach, w, column int) int {
	return sort.Search(len(ranked), func(i int) bool { return axis.at(nanoseconds(ranked[i]), w) >= column })
}

// shareUpTo is the share of ranked probes, failures included, whose TTFT is at
// most d.
func shareUpTo(t *Target, d time.Duration) float64 {
	n := len(t.Ranked) + t.Censored
	if n == 0 {
		return 0
	}
	return float64(sort.Search(len(t.Ranked), func(i int) bool { return t.Ranked[i] > d })) / float64(n)
}
