package views

import (
	"ttftop/probe"
	"ttftop/themes"
)

// laneRow draws one line of a lane.
type laneRow func(s *sheet, t *Target, y int, p plan)

// laneRows are the rows under the name in a lane whose number of lines is the
// index; a lane of more lines has blank ones at its end.
var laneRows = [][]laneRow{
	2: {(*sheet).newestAndP50Row},
	3: {(*sheet).newestRow, (*sheet).p50Row},
	4: {(*sheet).newestRow, (*sheet).p50Row, (*sheet).detailRow},
	5: {(*sheet).liveRow, (*sheet).lastRow, (*sheet).p50Row, (*sheet).detailRow},
	6: {(*sheet).liveRow, (*sheet).lastRow, (*sheet).marksRow, (*sheet).p50Row, (*sheet).detailRow},
	7: {(*sheet).liveRow, (*sheet).lastRow, (*sheet).marksRow, (*sheet).p50Row, (*sheet).detailRow},
}

// truthRows are those with the simulator's truth laid under the cuts: the last
// probe, and what there is room for. A lane of two lines has no room for it.
var truthRows = [][]laneRow{
	2: {(*sheet).newestAndP50Row},
	3: {(*sheet).lastRow, (*sheet).lastTruthRow},
	4: {(*sheet).lastRow, (*sheet).lastTruthRow, (*sheet).p50Row},
	5: {(*sheet).lastRow, (*sheet).lastTruthRow, (*sheet).p50Row, (*sheet).p50TruthRow},
	6: {(*sheet).lastRow, (*sheet).lastTruthRow, (*sheet).p50Row, (*sheet).p50TruthRow, (*sheet).detailRow},
	7: {(*sheet).liveRow, (*sheet).lastRow, (*sheet).lastTruthRow, (*sheet).p50Row, (*sheet).p50TruthRow, (*sheet).detailRow},
}

// MostLane is the most lines that a lane of the waterfalls uses.
const MostLane = 7

// rowsFor are the rows of a lane of so many lines.
func rowsFor(lines int, truth bool) []laneRow {
	if lines < 2 {
		return nil
	}
	if truth {
		return truthRows[lines]
	}
	return laneRows[lines]
}

// showsFigures reports whether the lanes have lines with figures.
func (p plan) showsFigures() bool {
	return p.lines >= figuresFrom(p.truth)
}

// figuresFrom is the least number of lines with which a lane has figures.
func figuresFrom(truth bool) int {
	if truth {
		return 6
	}
	return 4
}

// LanesShow reports whether the lanes of a panel of waterfalls have lines with
// figures, where intervals stand, and lines for a simulator's truth.
func LanesShow(snap Snapshot, width, height int, th themes.Theme) (figures, truth bool) {
	p := planWaterfalls(snap, newSheet(width, height, th))
	return p.showsFigures(), p.truth && p.lines > 2
}

// lastTruthRow draws what the simulator says of the last probe.
func (s *sheet) lastTruthRow(t *Target, y int, p plan) {
	if t.Last == nil {
		s.truth(nil, y, p)
		return
	}
	s.truth(t.Last.Truth, y, p)
}

// p50TruthRow draws what the simulator says of the probes around the p50.
func (s *sheet) p50TruthRow(t *Target, y int, p plan) { s.truth(t.P50Truth, y, p) }

// truth draws a true waterfall, on the axis and with the patterns of the others.
func (s *sheet) truth(w probe.Waterfall, y int, p plan) {
	s.text(2, y, "truth", themes.Accent)
	s.bar(p.barX, y, p.barW, w, p.axis)
	if len(w) == 0 {
		s.noTotal(y, p)
	} else {
		s.total(y, p, length(w), themes.Text)
	}
	s.right(s.w-1, y, clip("simulator", remarkRoom, s.sym), themes.Dim)
}
