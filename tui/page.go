package tui

import (
	tea "charm.land/bubbletea/v2"

	"ttftop/views"
)

// copiedWhole is what a page says of the clipboard.
const copiedWhole = "Copied whole, if the terminal allows that (OSC 52); else select it here."

// shownPage is the page with its keys: those that scroll it where it is too long.
func (m *model) shownPage() *views.Page {
	if m.page == nil {
		return nil
	}
	p := *m.page
	p.Keys = []views.KeyHelp{{Key: "any key", Does: "back"}}
	if rows, room := m.pageRows(); rows > room {
		p.Keys = []views.KeyHelp{{Key: "↑↓", Does: "scroll"}, {Key: "pgdn", Does: "next page"}, {Key: "other keys", Does: "back"}}
	}
	return &p
}

// pageRows is how many lines the page takes, and how many are seen at once.
func (m *model) pageRows() (rows, room int) {
	width, height := m.size()
	return views.PageRows(*m.page, width, height, m.theme)
}

// pageKey scrolls the page, where it is too long for the screen, or leaves it.
func (m *model) pageKey(msg tea.KeyPressMsg) {
	rows, room := m.pageRows()
	from, ok := scrolled(msg.String(), m.page.From, rows, room)
	if !ok {
		m.page = nil
		return
	}
	p := *m.page
	p.From = from
	m.page = &p
}

// scrolled is the first of so many lines that is shown after a key, where so many
// fit; false where the key doesn't scroll, or nothing is to be scrolled.
func scrolled(key string, from, lines, fit int) (int, bool) {
	switch key {
	case "down", "j":
		from++
	case "up", "k":
		from--
	case "pgdown", "ctrl+f", "space":
		from += fit
	case "pgup", "ctrl+b":
		from -= fit
	case "home":
		from = 0
	case "end":
		from = lines
	default:
		return from, false
	}
	return max(0, min(from, lines-fit)), lines > fit
}
