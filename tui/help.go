package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ttftop/views"
)

// openHelp shows the keys of the view from a line on, as many as fit.
func (m *model) openHelp(from int) {
	const frame = 4 // the box, and the line of the dialog's own keys with a blank
	width, height := m.size()
	if from == 0 {
		m.helpText = m.helpLines() // as it is now, also on later pages
	}
	lines := m.helpText
	from = min(from, len(lines))
	fit, next, back := height-frame, "any key", "any key"
	switch {
	case m.narrow():
		_, fit = m.helpRoom()
		next, back = "enter", "esc"
	case width < 80:
		fit /= 2 // they are wrapped
	}
	m.help = min(from+max(1, fit), len(lines))
	m.dialog = &views.Dialog{Title: "Keys of the view " + m.mode.String(), Chosen: -1, Lines: lines[from:m.help], Keys: []views.KeyHelp{{Key: back, Does: "back"}}}
	if m.help < len(lines) {
		m.dialog.Keys = []views.KeyHelp{{Key: next, Does: "more"}, {Key: "esc", Does: "back"}}
	}
}

// nextHelp goes on with the table of keys, and back after its end.
func (m *model) nextHelp(msg tea.KeyPressMsg) {
	m.dialog = nil
	if m.help < len(m.helpText) && msg.String() != "esc" {
		m.openHelp(m.help)
	}
}

// helpLines is the table of keys; above it what the screen has told last and may
// have shortened, and below it the rest of what it shortens.
func (m *model) helpLines() []string {
	if m.narrow() {
		return m.narrowHelp()
	}
	s := m.snapshot()
	lines := append(m.said(s), m.keyLines()...)
	return append(lines, m.toldOf(s)...)
}

// keyLines is the table of the keys that work now: those of the tour, of the
// view, and the others.
func (m *model) keyLines() []string {
	var lines []string
	own := len(viewBindings[m.mode])
	keys := KeyHelp(m.mode)
	tables := [][]views.KeyHelp{keys[:own], keys[own:]}
	if m.tour.on {
		tables = append([][]views.KeyHelp{TourHelp()}, tables...)
	}
	for _, table := range tables {
		if len(lines) > 0 && len(table) > 0 {
			lines = append(lines, "")
		}
		for _, k := range table {
			lines = append(lines, fmt.Sprintf("%-13s %s", k.Key, k.Does))
		}
	}
	return lines
}
