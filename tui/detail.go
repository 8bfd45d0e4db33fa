package tui

import (
	tea "charm.land/bubbletea/v2"

	"ttftop/views"
)

// detail is how closely a person looks at the waterfalls.
type detail struct {
	books     bool // the simulator's books can be read
	ignoring  bool // nothing is cut by what servers report
	intervals bool
	truth     bool
	inspect   *views.Inspect // nil where the inspector is closed; a new one for each change
}

// show puts it into a snapshot.
func (d detail) show(s *views.Snapshot) {
	s.Intervals, s.Truth, s.Inspect, s.IgnoreReported = d.intervals, d.truth, d.inspect, d.ignoring
}

// noBooks is why there is no truth to show.
const noBooks = "g shows simulated servers' books: a real one keeps none (try ttftop demo)"

// look turns a detail on or off.
func (m *model) look(a action) {
	switch a {
	case actInspect:
		m.inspect = &views.Inspect{}
	case actIntervals:
		m.intervals = !m.intervals
		m.tell(m.told("intervals", m.intervals, func(figures, _ bool) bool { return figures }))
	case actTruth:
		if !m.books {
			m.tell(noBooks)
			return
		}
		m.truth = !m.truth
		m.tell(m.told("the simulator's books", m.truth, func(_, truth bool) bool { return truth }))
	}
}

// told says that a detail of the lanes was turned on or off, and where it is seen
// if the lanes of this screen have no line for it.
func (m *model) told(what string, on bool, shown func(figures, truth bool) bool) string {
	switch {
	case !on:
		return what + ": off"
	case !m.lanesShow(shown):
		return what + ": on, but there is no line for them here: w has them"
	case m.truth && !m.lanesShow(func(figures, _ bool) bool { return figures }):
		return what + ": on; the figures under the bars have no line here: w has them"
	}
	return what + ": on"
}

// lanesShow asks the lanes of the present screen what they have lines for.
func (m *model) lanesShow(shown func(figures, truth bool) bool) bool {
	if m.state == nil || m.inspect != nil {
		return true
	}
	width, height := m.size()
	s := m.snapshot()
	for _, p := range arranged(s, m.zoom, width, height, m.theme) {
		if p.Panel == panelWaterfalls {
			h := p.H
			if p.Title {
				h--
			}
			return shown(views.LanesShow(s, p.W, h, m.theme))
		}
	}
	return false
}

// inspecting is a key pressed in the inspector. Keys that change what it shows
// do there what they do everywhere; those that turn knobs do nothing.
func (m model) inspecting(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch msg.String() {
	case "esc", "w":
		m.inspect = nil
	case "up", "k", "down", "j":
		m.chooseSegment(msg.String() == "down" || msg.String() == "j")
	case "?", "enter":
		next := *m.inspect
		next.Explain = !next.Explain
		m.inspect = &next
	default:
		switch a := actionOf(explore, msg); a { // as its keys are there
		case actNextTarget, actPrevTarget, actPause, actTheme, actIntervals, actTruth, actSuspend:
			return m.act(a)
		}
	}
	return m, nil
}

// chooseSegment goes to the segment below or above.
func (m *model) chooseSegment(down bool) {
	t := &m.state.targets[m.target]
	names := views.InspectedSegments(t)
	if len(names) == 0 {
		return
	}
	next := *m.inspect
	next.Segment = names[cycle(views.InspectedIndex(t, next.Segment), len(names), down)]
	m.inspect = &next
}
