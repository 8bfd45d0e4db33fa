package tui

// The lines of the panel of levers: what it leaves to the panel that makes room
// for it, what it needs, and what it takes at most (all levers, its title, and
// what stands below them).
const (
	leversLeave = 5
	leversLeast = 8
	leversMost  = 33
)

// withLevers makes room for the panel of levers. Where there is a second column
// it stands beside the chart, which becomes as wide as the first, in place of
// further charts, and takes the place of the knobs too, whose keys turn the levers,
// where there isn't room for all:
//
//	waterfalls  │ effect
//	figures     │ levers
//	chart       │
//
// In one column the live lanes and what a turn does stay, and nothing else takes a
// line from the levers:
//
//	header
//	waterfalls    a line for each target, and what the levers can't use
//	figures       where there are lines for them too
//	levers
//	diagnosis
//	effect
//	status
//	footer
//
// In the other views it takes the place of the knobs, and lines of the highest
// panel above, with the effect in one line below it.
func withLevers(places []Place, targets int) []Place {
	places = withoutCharts(places)
	knobs := placeOf(places, panelKnobs)
	switch {
	case knobs < 0:
		return places
	case placeOf(places, panelChart) < 0:
		return underneath(places, knobs)
	case places[knobs].X > 0:
		return besideChart(places, knobs)
	}
	return overChart(places, targets)
}

// besideChart puts the levers in the second column.
func besideChart(places []Place, knobs int) []Place {
	chart, effect := &places[placeOf(places, panelChart)], &places[placeOf(places, panelEffect)]
	side := places[knobs]
	chart.W = places[placeOf(places, panelWaterfalls)].W
	end := chart.Y + chart.H
	levers := Place{Panel: panelLevers, X: side.X, Y: effect.Y + effect.H, W: side.W, Title: true}
	if end-levers.Y >= leversMost {
		levers.H = end - levers.Y
		return append(places, levers)
	}
	levers.H = min(leversMost, end-side.Y-effect.H)
	levers.Y = end - levers.H
	effect.Y, effect.H = side.Y, levers.Y-side.Y
	places[knobs] = levers
	return places
}

// overChart puts the levers into the one column of the explore view.
func overChart(places []Place, targets int) []Place {
	footer := places[placeOf(places, panelFooter)]
	width, height := footer.W, footer.Y+1
	status, diagnosis := places[placeOf(places, panelStatus)].H, 0
	if placeOf(places, panelDiagnosis) >= 0 {
		diagnosis = 1
	}
	figures := places[placeOf(places, panelFigures)]
	const headsAndAxis, effect = 2, 1
	rest := height - 2 - diagnosis - effect - status
	least := headsAndAxis + min(max(targets, 1), max(1, height/8))
	levers := min(leversMost, rest-least)
	if rest-levers-figures.H < least+targets { // a second line for each lane is worth more
		figures.H = 0
	}
	c := column{w: width}
	c.add(panelHeader, 1, false)
	c.add(panelWaterfalls, rest-levers-figures.H, false)
	c.add(panelFigures, figures.H, figures.Title)
	c.add(panelLevers, levers, true)
	c.add(panelDiagnosis, diagnosis, false)
	c.add(panelEffect, effect, false)
	c.add(panelStatus, status, false)
	c.add(panelFooter, 1, false)
	return c.places
}

// underneath puts the levers and the effect in the place of the knobs, with lines of the highest
// panel above: so many that this stays useful, or all of them where they are few.
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
	levers := Place{Panel: panelLevers, X: places[knobs].X, Y: places[knobs].Y - taken, W: places[knobs].W, H: lines - 1, Title: true}
	effect := Place{Panel: panelEffect, X: levers.X, Y: levers.Y + levers.H, W: levers.W, H: 1}
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
	return append(list, effect)
}

// roomy reports whether a panel can do with fewer lines: it is no line that
// every view has.
func roomy(p panel) bool {
	switch p {
	case panelHeader, panelKnobs, panelStatus, panelFooter:
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
