package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
	"ttftop/views"
)

// Screen draws a snapshot: exactly height lines of width cells. It depends on
// its arguments alone.
func Screen(s views.Snapshot, width, height int, th themes.Theme) string {
	return screen(s, "", width, height, th, draw)
}

// screen is Screen with a zoomed panel ("" for none) and another way to come by
// the lines of a place.
func screen(s views.Snapshot, zoom panel, width, height int, th themes.Theme, draw drawer) string {
	if width <= 0 || height <= 0 {
		return ""
	}
	roomy := width >= leastWidth && height >= leastHeight
	if s.Page != nil && roomy {
		return views.PagePanel(*s.Page, width, height, th)
	}
	places := arranged(s, zoom, width, height, th)
	if showsNotice(s, places) {
		s.Status.Fresh = ""
	}
	lines := compose(places, width, height, func(p Place) []string { return draw(s, p, th) })
	if s.Dialog != nil && roomy {
		overlay(lines, *s.Dialog, width, height, th)
	}
	return strings.Join(lines, "\n")
}

// showsNotice reports whether the newest notice has a line beside the footer: that
// of the status, or that of an effect of which there is nothing to tell.
func showsNotice(s views.Snapshot, places []Place) bool {
	return slices.ContainsFunc(places, func(p Place) bool {
		return p.Panel == panelStatus && p.H > 1 || (p.Panel == panelEffect || p.Panel == panelFinding) && p.H == 1 && s.Effect == nil
	})
}

// drawer gives the lines of one place.
type drawer func(views.Snapshot, Place, themes.Theme) []string

// compose joins the lines of the panels.
func compose(places []Place, width, height int, draw func(Place) []string) []string {
	drawn := make([][]string, len(places))
	for i, p := range places {
		drawn[i] = draw(p)
	}
	order := make([]int, len(places)) // from the left
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return places[a].X - places[b].X })
	lines := make([]string, height)
	var b strings.Builder
	for y := range lines {
		b.Reset()
		x := 0
		for _, i := range order {
			p := places[i]
			if y < p.Y || y >= p.Y+p.H {
				continue
			}
			b.WriteString(strings.Repeat(" ", p.X-x))
			b.WriteString(drawn[i][y-p.Y])
			x = p.X + p.W
		}
		b.WriteString(strings.Repeat(" ", width-x))
		lines[y] = b.String()
	}
	return lines
}

// draw is the drawer that draws anew each time.
func draw(s views.Snapshot, p Place, th themes.Theme) []string {
	var lines []string
	h := p.H
	if p.Title {
		name, remark := titleOf(s, p, th)
		lines = append(lines, views.Title(name, remark, p.W, th))
		h--
	}
	if h <= 0 {
		return lines
	}
	return append(lines, strings.Split(drawPanel(s, p.Panel, p.W, h, th), "\n")...)
}

// drawers are the views of the panels.
var drawers = map[panel]func(views.Snapshot, int, int, themes.Theme) string{
	panelHeader:     views.Header,
	panelWaterfalls: views.Waterfalls,
	panelFigures:    views.FiguresPanel,
	panelChart:      views.Chart,
	panelKnobs:      views.Knobs,
	panelLevers:     views.LeversPanel,
	panelDiagnosis:  views.DiagnosisPanel,
	panelEffect:     views.EffectPanel,
	panelFinding:    views.FindingPanel,
	panelStatus:     views.StatusPanel,
	panelFooter:     views.Footer,
	panelHistogram:  views.Histogram,
	panelECDF:       views.ECDF,
	panelScaling:    views.ScalingPlot,
	panelFits:       views.Fits,
	panelProbes:     views.ProbesPanel,
	panelCompare:    views.ComparePanel,
	panelSummary:    views.Summary,
	panelTour:       views.TourPanel,
	panelInspector:  views.Inspector,
	panelWhatIf:     views.WhatIfPanel,
	panelTooSmall: func(_ views.Snapshot, w, h int, th themes.Theme) string {
		return views.TooSmall(w, h, th)
	},
}

func drawPanel(s views.Snapshot, p panel, w, h int, th themes.Theme) string {
	return drawers[p](s, w, h, th)
}

// titleOf is the name in a panel's title, and a remark after it.
func titleOf(s views.Snapshot, p Place, th themes.Theme) (name, remark string) {
	switch p.Panel {
	case panelWaterfalls:
		return "where TTFT goes", ""
	case panelFigures:
		return "figures of this epoch", ""
	case panelChart:
		return views.ChartTitle(s, p.W)
	case panelEffect:
		return views.EffectTitle(s, p.W, th)
	case panelLevers:
		return views.LeversTitle(s)
	case panelHistogram:
		return "distribution of TTFT", views.EpochName(s)
	case panelECDF:
		return "ECDF: share of probes up to a TTFT", "letters stand at p50, p95 and p99"
	case panelScaling:
		return views.ScalingTitle(s)
	case panelFits:
		return "cost of an unloaded request", ""
	case panelProbes:
		return views.ProbesTitle(s, p.W, p.H-1, th)
	case panelCompare:
		return views.CompareTitle(s)
	}
	return string(p.Panel), ""
}

// overlay draws the dialog over the middle of the lines.
func overlay(lines []string, d views.Dialog, width, height int, th themes.Theme) {
	d = d.On(width, height)
	w, h := views.DialogSize(d, width, height, th)
	x, y := (width-w)/2, (len(lines)-h)/2
	for i, row := range strings.Split(views.DialogPanel(d, w, h, th), "\n") {
		lines[y+i] = spliced(lines[y+i], row, x, w, width)
	}
}

// spliced is a line of width cells with its cells from x to x+w replaced. A
// wide character that is cut in half leaves a blank.
func spliced(line, row string, x, w, width int) string {
	left := ansi.Truncate(line, x, "")
	right := ansi.TruncateLeft(line, x+w, "")
	if ansi.StringWidth(right) > width-x-w { // it keeps the half character whole
		right = ansi.TruncateLeft(line, x+w+1, "")
	}
	return left + strings.Repeat(" ", max(0, x-ansi.StringWidth(left))) + row +
		strings.Repeat(" ", max(0, width-x-w-ansi.StringWidth(right))) + right
}
