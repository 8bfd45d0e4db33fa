package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ttftop/views"
)

// narrow reports whether the window has no room for panels.
func (m *model) narrow() bool {
	width, height := m.size()
	return width < panelsWidth || height < panelsHeight
}

// helpRoom is the room for the lines of the help in a narrow window.
func (m *model) helpRoom() (width, lines int) {
	width, height := m.size()
	return views.DialogRoom(width, height)
}

// narrowHelpKeys are the keys of a page of the help in a narrow window, where one
// line has to do.
func narrowHelpKeys(more bool) []views.KeyHelp {
	if more {
		return []views.KeyHelp{{Key: "enter", Does: "more"}, {Key: "esc", Does: "back"}}
	}
	return []views.KeyHelp{{Key: "esc", Does: "back"}}
}

// narrowHelp is the lines of the help for a narrow window, wrapped to fit: the keys
// that matter most as running text, then the table with what each does in few
// words; what the screen shortens is told as elsewhere.
func (m *model) narrowHelp() []string {
	width, _ := m.helpRoom()
	var few []string
	for _, k := range m.footer() {
		few = append(few, strings.ReplaceAll(k.Key+" "+k.Does, " ", "\u00a0"))
	}
	told := m.snapshot()
	texts := append(m.said(told), strings.Join(few, "  "), "")
	for _, line := range m.keyLines() {
		key, does, _ := strings.Cut(line, "  ")
		does, _, _ = strings.Cut(strings.TrimSpace(does), ":")
		texts = append(texts, strings.TrimSpace(key+" "+does))
	}
	texts = append(texts, m.toldOf(told)...)
	var lines []string
	for _, text := range texts {
		lines = append(lines, strings.Split(ansi.Wordwrap(text, max(1, width), ""), "\n")...)
	}
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "\u00a0", " ")
	}
	return lines
}
