package tui

import (
	"ttftop/themes"
	"ttftop/views"
)

// sheets are the boxes that a person reads over a view, and how large each wants
// to be.
var sheets = map[panel]func(views.Snapshot, int, int, themes.Theme) (w, h int){
	panelInspector: views.InspectorSize,
	panelWhatIf:    views.WhatIfSize,
}

// sheetOf is the box that is open; "" for none.
func sheetOf(s views.Snapshot) panel {
	switch {
	case s.Inspect != nil:
		return panelInspector
	case s.WhatIf != nil:
		return panelWhatIf
	}
	return ""
}

// The sizes of a screen with a sheet.
const (
	sheetLive   = 8  // lines from which on a window without panels has a live one
	sheetKeys   = 6  // and one with the keys
	sheetBeside = 40 // cells beside a sheet that are worth the effect in full
	chartWorth  = 6  // lines that are worth a chart
)

// withSheet keeps the screen live around a box that a person reads:
//
//	header
//	waterfalls    all that the box leaves, at least the selected target's
//	chart         where even more is left
//	the box       │ effect, where it is wide enough
//	diagnosis     where panels have titles
//	effect        in one line, with the newest notice; more where panels have titles
//	status        where panels have titles
//	footer        with the keys of the box
//
// A window without panels has the newest probe of the selected target above the
// box, and the keys below it, as far as there are lines.
func withSheet(s views.Snapshot, p panel, width, height int, th themes.Theme) []Place {
	c := column{w: width}
	if width < panelsWidth || height < panelsHeight {
		live, keys := 0, 0
		if height >= sheetLive && width >= sheetBeside {
			live = 1
		}
		if height >= sheetKeys {
			keys = 1
		}
		c.add(panelWaterfalls, live, false)
		c.add(p, height-live-keys, false)
		c.add(panelFooter, keys, false)
		return c.places
	}
	effect, diagnosis, status := 1, 0, 0
	titles := height >= titlesHeight
	if titles {
		effect, diagnosis, status = 1+min(max(len(s.Targets), 1), 2), 1, 2
	}
	w, _ := sheets[p](s, width, height, th)
	beside := titles && width-w-1 >= sheetBeside
	if beside {
		effect = 0
	}
	rest := height - 2 - effect - diagnosis - status
	_, h := sheets[p](s, w, rest-1, th)
	lanes, chart := liveLines(rest-h, len(s.Targets))
	c.add(panelHeader, 1, false)
	c.add(panelWaterfalls, lanes, lanes > titledLanes(len(s.Targets)))
	c.add(panelChart, chart, true)
	y, h := c.y, rest-lanes-chart
	c.places = append(c.places, Place{Panel: p, Y: y, W: w, H: h})
	if beside {
		c.places = append(c.places, Place{Panel: panelEffect, X: w + 1, Y: y, W: width - w - 1, H: h, Title: true})
	}
	c.y += h
	c.add(panelDiagnosis, diagnosis, false)
	c.add(panelEffect, effect, titles)
	c.add(panelStatus, status, false)
	c.add(panelFooter, 1, false)
	return c.places
}

// liveLines shares lines between the waterfalls and a chart below them, which has
// only what those can't use.
func liveLines(lines, targets int) (lanes, chart int) {
	most := titledLanes(targets) + 1 + views.MostLane*max(targets, 1)
	if lines-most >= chartWorth {
		return most, lines - most
	}
	return min(lines, most), 0
}

// titledLanes is the most lines that waterfalls do without a title on: heads, axis
// and two lines for each target.
func titledLanes(targets int) int { return 2 + 2*max(targets, 1) }
