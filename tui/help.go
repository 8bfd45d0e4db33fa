package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/views"
)

// openHelp shows the keys of the view from a line on, as many as fit.
func (m *model) openHelp(from int) {
	const frame = 4 // the box, and the line of the dialog's own keys with a blank
	width, height := m.size()
	lines := m.helpLines()
	from = min(from, len(lines))
	fit := max(1, height-frame)
	if width < 80 {
		fit = max(1, fit/2) // they are wrapped
	}
	m.help = min(from+fit, len(lines))
	m.dialog = &views.Dialog{Title: "Keys of the view " + m.mode.String(), Chosen: -1, Lines: lines[from:m.help], Keys: []views.KeyHelp{{Key: "any key", Does: "back"}}}
	if m.help < len(lines) {
		m.dialog.Keys = []views.KeyHelp{{Key: "any key", Does: "more"}, {Key: "esc", Does: "back"}}
	}
}

// nextHelp goes on with the table of keys, and back after its end.
func (m *model) nextHelp(msg tea.KeyPressMsg) {
	m.dialog = nil
	if m.help < len(m.helpLines()) && msg.String() != "esc" {
		m.openHelp(m.help)
	}
}

// widestNotice is how wide a notice is shown in the help, in cells.
const widestNotice = 72

// helpLines is the table of keys, and below it the newest notice in full: the
// status has room for its beginning.
func (m *model) helpLines() []string {
	lines := m.keyLines()
	width, _ := m.size()
	if all := m.snapshot().Status.Notices; len(all) > 0 {
		text := views.Clean(all[len(all)-1], m.theme.Symbols.ASCII)
		lines = append(lines, "", "The newest notice:")
		lines = append(lines, strings.Split(ansi.Wrap(text, max(1, min(widestNotice, width-8)), ""), "\n")...)
	}
	return lines
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
