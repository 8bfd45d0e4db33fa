package tui

import (
	"slices"

	"ttftop/views"
)

// mode is which view fills the screen.
type mode = views.View

const (
	explore      = views.Explore
	distribution = views.Distribution
	scaling      = views.Scaling
	probes       = views.Probes
	compare      = views.Compare
)

// viewActions choose a view by its number.
var viewActions = map[action]mode{
	actExplore: explore, actDistribution: distribution, actScaling: scaling, actProbes: probes, actCompare: compare,
}

// show changes to a view; what was zoomed belongs to the one before.
func (m *model) show(v mode) {
	if v != m.mode {
		m.mode, m.zoom = v, ""
		m.updateTable()
		m.firstPairs()
	}
}

// zoomable are the panels of each view that may take the whole screen, in the
// order in which a key goes through them.
var zoomable = map[mode][]panel{
	explore:      {panelWaterfalls, panelChart, panelFigures, panelHistogram, panelScaling, panelEffect},
	distribution: {panelHistogram, panelECDF},
	scaling:      {panelScaling, panelFits},
	probes:       {panelProbes},
	compare:      {panelCompare},
}

// nextZoom gives the next panel of the view the whole screen, and after the
// last one the view again.
func (m *model) nextZoom() { m.zoom = m.zoomAfter() }

// zoomAfter is the panel that is zoomed next, "" for the whole view.
func (m *model) zoomAfter() panel {
	list := m.zoomables()
	if at := slices.Index(list, m.zoom) + 1; at < len(list) { // the first after the view
		return list[at]
	}
	return ""
}

// zoomables are the panels of the view that may take the whole screen; further
// charts only where the window has room for them.
func (m *model) zoomables() []panel {
	width, height := m.size()
	places := Arrange(m.mode, width, height, len(m.targets))
	return slices.DeleteFunc(slices.Clone(zoomable[m.mode]), func(p panel) bool {
		return m.mode == explore && (p == panelHistogram || p == panelScaling) && placeOf(places, p) < 0
	})
}
