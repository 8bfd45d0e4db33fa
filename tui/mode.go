package tui

import "ttftop/views"

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
	explore:      {panelWaterfalls, panelChart, panelFigures, panelEffect},
	distribution: {panelHistogram, panelECDF},
	scaling:      {panelScaling, panelFits},
	probes:       {panelProbes},
	compare:      {panelCompare},
}

// nextZoom gives the next panel of the view the whole screen, and after the
// last one the view again.
func (m *model) nextZoom() {
	list := zoomable[m.mode]
	if m.zoom == "" {
		m.zoom = list[0]
		return
	}
	for i, p := range list {
		if p == m.zoom && i+1 < len(list) {
			m.zoom = list[i+1]
			return
		}
	}
	m.zoom = ""
}
