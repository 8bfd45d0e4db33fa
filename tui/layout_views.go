package tui

import (
	"ttftop/themes"
	"ttftop/views"
)

// arranged places the panels of a snapshot's view, or the one that is zoomed.
func arranged(s views.Snapshot, zoom panel, width, height int, th themes.Theme) []Place {
	if s.Tour != nil {
		return captioned(width, height, func(height int) []Place { return arrangedAlone(s, zoom, width, height, th) })
	}
	return arrangedAlone(s, zoom, width, height, th)
}

// captioned leaves room for the caption of a tour, above the footer where there
// is one:
//
//	all else      as on a screen with fewer lines
//	tour
//	footer
//
// Where hardly anything would be left there is no caption.
func captioned(width, height int, rest func(height int) []Place) []Place {
	lines := 3
	if width < 80 {
		lines = 4
	}
	if height < leastHeight+lines || width < leastWidth {
		return rest(height)
	}
	places := rest(height - lines)
	caption := Place{Panel: panelTour, Y: height - lines, W: width, H: lines}
	for i, p := range places {
		if p.Panel == panelFooter {
			caption.Y -= p.H
			places[i].Y += lines
		}
	}
	return append(places, caption)
}

func arrangedAlone(s views.Snapshot, zoom panel, width, height int, th themes.Theme) []Place {
	if p := sheetOf(s); p != "" && width >= leastWidth && height >= leastHeight {
		return withSheet(s, p, width, height, th)
	}
	if zoom != "" && width >= panelsWidth && height >= panelsHeight {
		return zoomed(zoom, width, height)
	}
	places := Arrange(s.View, width, height, len(s.Targets))
	if s.Levers != nil {
		return withLevers(places, len(s.Targets))
	}
	return places
}

// zoomed gives one panel the whole screen:
//
//	header
//	the panel
//	footer
func zoomed(p panel, width, height int) []Place {
	c := column{w: width}
	c.add(panelHeader, 1, false)
	c.add(p, height-2, true)
	c.add(panelFooter, 1, false)
	return c.places
}

// framed has the lines of every view around what is its own:
//
//	header
//	its own       all that is left
//	knobs
//	status        with the newest notice from titlesHeight on
//	footer
func framed(width, height int, own func(c *column, rest int)) []Place {
	c := column{w: width}
	knobs, status := 1, 1
	if height >= titlesHeight {
		status = 2
		if width < knobsWidth {
			knobs = 2
		}
	}
	c.add(panelHeader, 1, false)
	own(&c, height-2-knobs-status)
	c.add(panelKnobs, knobs, false)
	c.add(panelStatus, status, false)
	c.add(panelFooter, 1, false)
	return c.places
}

// ecdfLeast is the least height of an ECDF that is worth its place.
const ecdfLeast = 6

// arrangeDistribution is the view of distributions:
//
//	header
//	histogram     as many lines for each target as leave room for the ECDF
//	ecdf          all that is left, a third of the screen or more
//	knobs
//	status
//	footer
func arrangeDistribution(width, height, targets int) []Place {
	return framed(width, height, func(c *column, rest int) {
		const titleAndAxis = 2
		titles := height >= titlesHeight
		ecdf := max(ecdfLeast, rest/3)
		lane := max((rest-ecdf-titleAndAxis)/max(targets, 1), 1)
		histogram := min(titleAndAxis+min(lane, views.TallestHistogram)*max(targets, 1), rest-ecdfLeast)
		c.add(panelHistogram, histogram, true)
		c.add(panelECDF, rest-histogram, titles)
	})
}

// arrangeScaling is the view of TTFT against prompt tokens:
//
//	header
//	scaling       all that is left
//	fits          a line for each target, as far as there is room
//	knobs
//	status
//	footer
func arrangeScaling(width, height, targets int) []Place {
	return framed(width, height, func(c *column, rest int) {
		title := 0
		if height >= titlesHeight {
			title = 1
		}
		fits := title + min(max(targets, 1), max(2, rest/3))
		c.add(panelScaling, rest-fits, true)
		c.add(panelFits, fits, title > 0)
	})
}

// arrangeWhole is a view of one panel: the newest probes, as a table or one in
// full, or the comparison of two targets:
//
//	header
//	the panel
//	knobs
//	status
//	footer
func arrangeWhole(p panel, width, height int) []Place {
	return framed(width, height, func(c *column, rest int) { c.add(p, rest, true) })
}
