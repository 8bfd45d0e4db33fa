package tui

import (
	tea "charm.land/bubbletea/v2"

	"ttftop/views"
)

func (m model) act(a action) (tea.Model, tea.Cmd) {
	if !turnsOne(a) && a != actEnter {
		m.run = turnRun{}
	}
	if m.tourFor(a) || m.turnFor(a) || m.viewFor(a) {
		return m, nil
	}
	switch a {
	case actQuit:
		m.quitting = true
		return m, tea.Quit
	case actSuspend:
		return m, tea.Suspend
	case actRaise, actLower:
		m.turn(m.knob, a == actRaise)
	case actNextKnob, actPrevKnob:
		m.knob = cycle(m.knob, len(knobs), a == actNextKnob)
	case actNextTarget, actPrevTarget:
		m.target = cycle(m.target, len(m.targets), a == actNextTarget)
	case actEnter:
		m.open()
	case actCurl:
		return m.curl()
	case actCopy:
		return m.copyVerdict()
	case actPairs, actOrder, actSideA, actSideABack, actSideB, actSideBBack:
		m.turnPairs(a)
	case actUndo:
		m.undoTurn()
	case actLink:
		m.link()
	case actLevers:
		m.toggleLevers()
	case actPause:
		next := m.settings.Clone()
		next.Paused = !next.Paused
		m.ask(proposal{settings: next})
	case actTheme:
		m.nextTheme()
	case actMark:
		m.openNote()
	case actClear:
		m.clear()
	case actHelp:
		m.openHelp()
	case actWhatIf:
		m.levers = &levers{}
	case actInspect, actIntervals, actTruth:
		m.look(a)
	}
	return m, nil
}

// viewFor does what a key does to the view, and nothing to the probing.
func (m *model) viewFor(a action) bool {
	if v, ok := viewActions[a]; ok {
		m.show(v)
		return true
	}
	switch a {
	case actNextView, actPrevView:
		m.show(mode(cycle(int(m.mode), views.NViews, a == actNextView)))
	case actZoom:
		m.nextZoom()
	case actBack:
		m.back()
	default:
		if !m.table.act(a, m.tablePage()) {
			return false
		}
		m.updateTable()
	}
	return true
}

// back leaves what was opened last: a probe, a filter, a zoom.
func (m *model) back() {
	if m.mode == probes && m.table.back() {
		m.updateTable()
		return
	}
	m.zoom = ""
}
