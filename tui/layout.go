package tui

import "slices"

// panel names what is drawn in a place.
type panel string

// The panels.
const (
	panelHeader     panel = "header"
	panelWaterfalls panel = "waterfalls"
	panelFigures    panel = "figures"
	panelChart      panel = "chart"
	panelKnobs      panel = "knobs"
	panelLevers     panel = "levers"
	panelDiagnosis  panel = "diagnosis"
	panelEffect     panel = "effect"
	panelFinding    panel = "finding"
	panelStatus     panel = "status"
	panelFooter     panel = "footer"
	panelHistogram  panel = "histogram"
	panelECDF       panel = "ecdf"
	panelScaling    panel = "scaling"
	panelFits       panel = "fits"
	panelProbes     panel = "probes"
	panelCompare    panel = "compare"
	panelSummary    panel = "summary"
	panelTour       panel = "tour"
	panelInspector  panel = "inspector"
	panelWhatIf     panel = "what if"
	panelTooSmall   panel = "too small"
)

// Place is where a panel goes, in cells from the top left corner. With Title,
// its first line is a rule with the panel's name.
type Place struct {
	Panel      panel
	X, Y, W, H int
	Title      bool
}

// The sizes at which the screen changes its shape.
const (
	leastWidth, leastHeight     = 20, 5  // below: only a sentence
	panelsWidth, panelsHeight   = 60, 16 // below: one column without panels
	columnsWidth, columnsHeight = 120, 30
	effectHeight                = 20      // from here on one column has a line for the effect, and one for the diagnosis; below, one for both
	titlesHeight                = 34      // from here on its panels have titles
	knobsWidth                  = 100     // below, the knobs may need two lines
	chartsWidth, chartsHeight   = 160, 12 // from here on there are further charts beside the one over time
)

// Arrange places the panels of a view on a screen of width × height cells that
// shows so many targets. Places don't overlap; what no place covers is blank.
//
// The other views are drawn above the functions that arrange them. In the
// explore view a small window, such as 80×24, has one column:
//
//	header
//	waterfalls    as many lines for each target as leave room for the rest
//	figures
//	chart         all that is left
//	diagnosis     of the selected target
//	effect        with the newest notice; under 20 lines it shares one with the diagnosis
//	knobs
//	status
//	footer
//
// and from 120×30 on the panels that are lists stand beside each other:
//
//	header
//	waterfalls  │ knobs
//	figures     │ effect
//	chart
//	diagnosis
//	status        with the notices
//	footer
//
// On a large screen further charts stand beside the one over time:
//
//	chart       │ histogram
//	            │ scaling
//
// Under 60×16 there is a summary in one column, under 20×5 a sentence.
func Arrange(m mode, width, height, targets int) []Place {
	whole := Place{W: max(width, 0), H: max(height, 0)}
	switch {
	case width < leastWidth || height < leastHeight:
		whole.Panel = panelTooSmall
		return []Place{whole}
	case width < panelsWidth || height < panelsHeight:
		whole.Panel = panelSummary
		return []Place{whole}
	}
	switch m {
	case distribution:
		return arrangeDistribution(width, height, targets)
	case scaling:
		return arrangeScaling(width, height, targets)
	case probes:
		return arrangeWhole(panelProbes, width, height)
	case compare:
		return arrangeWhole(panelCompare, width, height)
	}
	if width >= columnsWidth && height >= columnsHeight {
		return exploreWide(width, height, targets)
	}
	return exploreNarrow(width, height, targets)
}

// exploreNarrow is the one column of the explore view.
func exploreNarrow(width, height, targets int) []Place {
	c := column{w: width}
	titles := height >= titlesHeight
	title := 0
	knobs, status := 1, 1
	if titles {
		title, status = 1, 2
		if width < knobsWidth {
			knobs = 2
		}
	}
	figures := title + 1 + min(targets, max(2, height/6))
	effect, diagnosis, finding := 0, 0, 0
	switch {
	case titles:
		effect, diagnosis = title+min(2*targets, max(3, height/6)), 1
	case height >= effectHeight:
		effect, diagnosis = 1, 1
	default:
		finding = 1
	}
	rest := height - 2 - knobs - status - figures - effect - diagnosis - finding
	waterfalls := laneLines(rest, targets, title)

	c.add(panelHeader, 1, false)
	c.add(panelWaterfalls, waterfalls, titles)
	c.add(panelFigures, figures, titles)
	c.add(panelChart, rest-waterfalls, titles)
	c.add(panelDiagnosis, diagnosis, false)
	c.add(panelEffect, effect, titles)
	c.add(panelFinding, finding, false)
	c.add(panelKnobs, knobs, false)
	c.add(panelStatus, status, false)
	c.add(panelFooter, 1, false)
	return c.places
}

// leastSide is the least width of the second column; beside it there is room for
// 80 cells.
const leastSide = 38

// exploreWide is the explore view with knobs and effect in a second column.
func exploreWide(width, height, targets int) []Place {
	const gutter, status, knobs, diagnosis = 2, 2, 9, 1
	side := min(max(width*3/10, leastSide), 60)
	figures := 2 + min(targets, max(2, height/4))
	rest := height - 2 - status - diagnosis
	waterfalls := laneLines(rest-figures, targets, 1)

	top := column{w: width}
	top.add(panelHeader, 1, false)
	left := column{w: width - side - gutter, y: top.y}
	left.add(panelWaterfalls, waterfalls, true)
	left.add(panelFigures, figures, true)
	right := column{x: width - side, w: side, y: top.y}
	upper := min(knobs, max(2, left.y-top.y-3))
	right.add(panelKnobs, upper, true)
	right.add(panelEffect, left.y-right.y, true)
	charts := height - 1 - status - diagnosis - left.y
	low := column{w: width, y: left.y}
	if width >= chartsWidth && charts >= chartsHeight {
		low.w = left.w
		right.addCharts(charts)
	}
	low.add(panelChart, charts, true)
	low.w = width
	low.add(panelDiagnosis, diagnosis, false)
	low.add(panelStatus, status, false)
	low.add(panelFooter, 1, false)

	places := append(top.places, left.places...)
	places = append(places, right.places...)
	return append(places, low.places...)
}

// addCharts adds further charts: the distribution, and where there is room for two
// the scaling below it.
func (c *column) addCharts(h int) {
	second := 0
	if h >= 2*chartsHeight {
		second = h / 2
	}
	c.add(panelHistogram, h-second, true)
	c.add(panelScaling, second, true)
}

// withoutCharts takes the further charts away; the one over time stays as it is.
func withoutCharts(places []Place) []Place {
	if placeOf(places, panelChart) < 0 {
		return places
	}
	return slices.DeleteFunc(places, func(p Place) bool { return p.Panel == panelHistogram || p.Panel == panelScaling })
}

// chartLeaves is the least that is left to the chart when each lane has the
// line count that is the index: a lane grows only as long as the chart stays
// worth its place.
var chartLeaves = [...]int{0, 4, 5, 5, 5, 9, 12, 14}

// laneLines is the height of the waterfalls out of rest lines that they share
// with the chart: heads and axis, a title or none, and the same number of
// lines for each target.
func laneLines(rest, targets, title int) int {
	const headsAndAxis = 2
	for lines := len(chartLeaves) - 1; lines > 0; lines-- {
		if h := title + headsAndAxis + lines*max(targets, 1); h <= rest-title-chartLeaves[lines] {
			return h
		}
	}
	return max(rest-title-chartLeaves[1], min(rest, title+headsAndAxis+1))
}

// column stacks places from the top down.
type column struct {
	x, y, w int
	places  []Place
}

// add puts a panel below what is there; one without lines is left out.
func (c *column) add(p panel, h int, title bool) {
	if h <= 0 {
		return
	}
	c.places = append(c.places, Place{Panel: p, X: c.x, Y: c.y, W: c.w, H: h, Title: title})
	c.y += h
}
