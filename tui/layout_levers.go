package tui

// The lines of the panel of levers: what it leaves to the panel that makes room
// for it, what it needs, and what it takes at most (all levers, its title, and
// what stands below them).
const (
	leversLeave = 5
	leversLeast = 7
	leversMost  = 26
)

// withLevers makes room for the panel of levers. Where there is a second column
// it stands under that, beside the chart, which becomes as wide as the first, in
// place of further charts:
//
//	waterfalls  │ knobs
//	figures     │ effect
//	chart       │ levers
//
// In one column it takes the place of the knobs, and lines of the highest panel
// above: so many that this stays useful, or all of them where they are few.
//
//	header
//	waterfalls
//	figures
//	diagnosis
//	effect
//	levers
//	status
//	footer
func withLevers(places []Place) []Place {
	places = withoutCharts(places)
	knobs := placeOf(places, panelKnobs)
	if knobs < 0 {
		return places
	}
	if at := placeOf(places, panelChart); at >= 0 && places[knobs].X > 0 {
		side := places[knobs]
		chart := &places[at]
		chart.W = places[placeOf(places, panelWaterfalls)].W
		return append(places, Place{Panel: panelLevers, X: side.X, Y: chart.Y, W: side.W, H: chart.H, Title: true})
	}
	return underneath(places, knobs)
}

// underneath puts the levers in the place of the knobs.
func underneath(places []Place, knobs int) []Place {
	giver := 0
	for i, p := range places {
		if roomy(p.Panel) && (!roomy(places[giver].Panel) || p.H > places[giver].H) {
			giver = i
		}
	}
	room := places[giver].H + places[knobs].H
	lines := min(leversMost, max(leversLeast, room*3/5))
	if room-lines < leversLeave {
		lines = room
	}
	taken := lines - places[knobs].H
	levers := Place{Panel: panelLevers, X: places[knobs].X, Y: places[knobs].Y - taken, W: places[knobs].W, H: lines, Title: true}
	var list []Place
	for i, p := range places {
		switch {
		case i == giver:
			p.H -= taken
		case i == knobs:
			p = levers
		case p.Y > places[giver].Y && p.Y < places[knobs].Y:
			p.Y -= taken
		}
		if p.H > 0 {
			list = append(list, p)
		}
	}
	return list
}

// roomy reports whether a panel can do with fewer lines: it is no line that
// every view has, and no list of all targets.
func roomy(p panel) bool {
	switch p {
	case panelHeader, panelKnobs, panelStatus, panelFooter, panelDiagnosis, panelEffect, panelWaterfalls, panelFigures:
		return false
	}
	return true
}

// placeOf is the index of a panel's place; −1 where it has none.
func placeOf(places []Place, p panel) int {
	for i := range places {
		if places[i].Panel == p {
			return i
		}
	}
	return -1
}
