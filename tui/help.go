package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/views"
)

// help is the table of keys, and where a person is in it.
type help struct {
	lines []string // as they were when it was opened
	from  int      // first line that is shown
}

// openHelp shows the keys that work now.
func (m *model) openHelp() {
	m.help = help{lines: m.helpLines()}
	m.showHelp(0)
}

// showHelp shows the help from a line on, as much as fits, and says how many lines
// are above and below.
func (m *model) showHelp(from int) {
	lines, fit := m.help.lines, m.helpFit()
	from = max(0, min(from, len(lines)-fit))
	to := min(from+fit, len(lines))
	m.help.from = from
	m.dialog = &views.Dialog{Title: m.helpTitle(), Chosen: -1, Lines: lines[from:to], Width: widest(lines), Keys: []views.KeyHelp{{Key: "any key", Does: "back"}}}
	if fit < len(lines) {
		m.dialog.Keys = []views.KeyHelp{{Key: "↑↓", Does: "scroll"}, {Key: "pgdn", Does: "next page"}, {Key: "other keys", Does: "back"}}
	}
	if m.narrow() {
		m.dialog.Keys = narrowHelpKeys(to < len(lines))
	}
	if from > 0 {
		m.dialog.Title += fmt.Sprintf(", +%d above", from)
	}
	if to < len(lines) {
		m.dialog.Title += fmt.Sprintf(", +%d below", len(lines)-to)
	}
}

// widest is the width of the widest line, so that the box stays as it is while its
// lines scroll.
func widest(lines []string) (cells int) {
	for _, l := range lines {
		cells = max(cells, ansi.StringWidth(l))
	}
	return cells
}

// helpTitle says of what the keys are.
func (m *model) helpTitle() string {
	switch {
	case m.levers != nil:
		return "Keys of what if"
	case m.turnsLevers():
		return "Keys with the levers open"
	case m.opensProbe():
		return "Keys of an open probe"
	}
	return "Keys of the view " + m.mode.String()
}

// helpFit is how many lines of the help have room.
func (m *model) helpFit() int {
	const frame = 4 // the box, and the line of the dialog's own keys with a blank
	width, height := m.size()
	switch {
	case m.narrow():
		_, fit := m.helpRoom()
		return max(1, fit)
	case width < 80:
		return max(1, (height-frame)/2) // they are wrapped
	}
	return max(1, height-frame)
}

// helpKey scrolls the help, where it is too long for the screen, or leaves it.
func (m *model) helpKey(msg tea.KeyPressMsg) {
	if next := m.help.from + m.helpFit(); m.narrow() && msg.String() == "enter" && next < len(m.help.lines) {
		m.showHelp(next)
		return
	}
	from, ok := scrolled(msg.String(), m.help.from, len(m.help.lines), m.helpFit())
	if !ok {
		m.dialog, m.help = nil, help{}
		return
	}
	m.showHelp(from)
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

// keyLines is the table of the keys that work now: those of what is open over the
// view, of the tour, of the view, and the others.
func (m *model) keyLines() []string {
	var lines []string
	for _, table := range m.keyTables() {
		if len(lines) > 0 && len(table) > 0 {
			lines = append(lines, "")
		}
		for _, k := range table {
			lines = append(lines, fmt.Sprintf("%-13s %s", k.Key, k.Does))
		}
	}
	return lines
}

func (m *model) keyTables() [][]views.KeyHelp {
	if m.levers != nil {
		return [][]views.KeyHelp{panelHelp(whatIfKeys)}
	}
	own := len(viewBindings[m.mode])
	keys := KeyHelp(m.mode)
	tables := [][]views.KeyHelp{keys[:own], keys[own:]}
	switch {
	case m.tour.on:
		tables = append([][]views.KeyHelp{TourHelp()}, tables...)
	case m.turnsLevers():
		tables = [][]views.KeyHelp{panelHelp(leverKeys), keyHelp(keysBesideLevers(m.mode))}
	case m.opensProbe():
		tables[0] = panelHelp(openProbeKeys)
	}
	return tables
}
