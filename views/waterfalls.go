package views

import (
	"time"

	"ttftop/themes"
)

// The columns of the panel: labels, bars, and the total with a remark.
const (
	labelWidth  = 8
	totalWidth  = 9  // "1,234 ms", and a blank before it
	remarkWidth = 11 // "probe 123", "n 23", and a blank on either side
	remarkRoom  = remarkWidth - 2
	rightWidth  = totalWidth + remarkWidth
)

// Waterfalls shows a lane for each target: where the time to first token went,
// for the probe in flight, the last one and the p50 of the epoch, all on one
// time axis.
//
//	          ─ network  ═ handling  ░ queue  █ prefill …      heads of the figures
//	▸ A us-east  near  sim-8b                      load 4/4    \
//	  last   ─══░░░██████                   62.1 ms 256 tok     |
//	  marks    H                                                | a lane
//	  p50    ─══░░░██████████▚▚             94.2 ms n 23        |
//	  of p50   12.1 m      2.01 r   11.0 r    68.4 e …         /
//	  ms     0        50        100       150                  the axis
//
// A lane has 1 to 7 lines as there is room, the same for all. Where not even
// one line each fits, the lanes around the selected one are shown, and the
// axis says which these are.
func Waterfalls(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	p := planWaterfalls(snap, s)
	if p.heads {
		s.heads(p)
	}
	y := p.top
	for i := p.from; i < p.to; i++ {
		s.lane(snap, i, y, p)
		y += p.lines
	}
	if p.ruler && s.h > 1 {
		s.ruler(min(y, s.h-1), p, len(snap.Targets))
	}
	return s.String()
}

// plan is how the panel shares out its lines and columns.
type plan struct {
	lines    int // of a lane
	truth    bool
	rows     []laneRow // of a lane of more than one line, under its name
	from, to int       // the lanes shown
	top      int       // line of the first lane
	heads    bool
	ruler    bool
	name     int // cells for the name in lanes of one line, else 0
	barX     int
	barW     int
	axis     axis
	columns  []figureColumn
	style    figureStyle
}

func planWaterfalls(snap Snapshot, s *sheet) plan {
	p := plan{truth: snap.Truth, heads: s.h >= 4, ruler: s.h >= 3, barX: labelWidth}
	room := s.h
	if p.heads {
		p.top = 1
		room--
	}
	if p.ruler {
		room--
	}
	n := len(snap.Targets)
	p.lines = min(max(room/max(n, 1), 1), MostLane)
	p.rows = rowsFor(p.lines, p.truth)
	p.from, p.to = visibleRange(n, snap.Selected, room/p.lines)
	if p.lines == 1 {
		p.name = min(max(s.w/4, 10), 34)
		p.barX = p.name + 1
	}
	p.barW = max(0, s.w-p.barX-rightWidth)
	p.axis = niceAxis(longestBar(snap.Targets), max(2, p.barW/11))
	p.columns, p.style = columnsOf(snap, s)
	return p
}

// overshoot is how far beyond the slowest p50 (or, before there is one, the
// slowest settled probe) the axis may stretch for a single probe. A longer bar
// is cut at the axis' end; its figure is given in full.
const overshoot = 3

// longestBar is what the axis must reach.
func longestBar(targets []Target) time.Duration {
	var p50, last, live time.Duration
	for i := range targets {
		t := &targets[i]
		p50 = max(p50, length(t.P50))
		if t.Last != nil {
			last = max(last, length(t.Last.Waterfall))
		}
		if t.Live != nil {
			live = max(live, length(t.Live.Waterfall))
		}
	}
	usual := p50
	if usual == 0 {
		usual = last
	}
	most := max(p50, last, live)
	if usual > 0 {
		most = min(most, overshoot*usual)
	}
	return most
}

// heads draws the names of the parts with their patterns, above the columns of
// their figures, and what the letters behind figures mean.
func (s *sheet) heads(p plan) {
	end := 0
	for _, c := range p.columns {
		x := c.x
		if !p.showsFigures() { // no figures below: close together
			x = max(end+2, 1)
		}
		x = s.text(x, 0, s.sym.Fill(c.part), themes.Fill(c.part))
		end = s.text(x+1, 0, string(c.part), themes.Dim)
	}
	if p.showsFigures() && s.w-end >= sourceWidth(sourceWords)+2 {
		s.sources(s.w-1, 0, sourceWords)
	}
}

// sourceWords and sourceShort tell what the letter behind a figure means.
var (
	sourceWords = []string{"measured", "reported", "estimated"}
	sourceShort = []string{"meas", "rep", "est"}
)

func sourceWidth(words []string) int {
	n := 0
	for _, w := range words {
		n += 2 + len(w) + 1
	}
	return n - 1
}

// sources draws the legend of the letters so that it ends before a column.
func (s *sheet) sources(end, y int, words []string) {
	x := end - sourceWidth(words)
	for _, w := range words {
		x = s.text(x, y, w[:1], themes.Text)
		x = s.text(x+1, y, w, themes.Dim) + 1
	}
}

// ruler draws the axis under the bars, and which of n lanes are shown.
func (s *sheet) ruler(y int, p plan, n int) {
	if text := hidden(p.from, p.to, n, p.barX-2, s.sym); text != "" {
		s.text(1, y, text, themes.Warn)
	} else {
		s.text(2, y, "ms", themes.Dim)
	}
	end := 0
	for _, t := range p.axis.ticks() {
		label := tickLabel(t)
		x := p.barX + p.axis.at(t, p.barW)
		switch t {
		case 0:
		case p.axis.Top:
			x -= cells(label)
		default:
			x -= (cells(label) + 1) / 2
		}
		if x > end || end == 0 {
			end = s.text(x, y, label, themes.Dim)
		}
	}
	long := end + sourceWidth(sourceWords) + 2
	short := end + sourceWidth(sourceShort) + 1
	headsEnd := 0
	if len(p.columns) > 0 {
		c := p.columns[len(p.columns)-1]
		headsEnd = c.x + len(c.part) + 2
	}
	switch {
	case !p.showsFigures(), p.heads && s.w-headsEnd >= sourceWidth(sourceWords)+2:
	case long <= s.w:
		s.sources(s.w-1, y, sourceWords)
	case short <= s.w:
		s.sources(s.w, y, sourceShort)
	}
}
