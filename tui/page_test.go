package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ttftop/views"
)

// A page that is longer than the screen scrolls, says what is above and below, and
// shows every line; a shorter one is left with any key.
func TestPageScrolls(t *testing.T) {
	p := sitAt(t, atReal)
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	page := &views.Page{Title: "long"}
	for i := range 60 {
		page.Lines = append(page.Lines, fmt.Sprintf("line %d.", i))
	}
	p.m.page = page
	seen := ""
	for last := -1; p.m.page.From > last; p.press("pgdown") {
		last = p.m.page.From
		seen += p.screenText()
		if above := fmt.Sprintf("+%d above", last); (last > 0) != strings.Contains(p.screenText(), above) {
			t.Errorf("from %d: %s", last, p.screenText())
		}
	}
	for _, l := range page.Lines {
		if !strings.Contains(seen, l) {
			t.Errorf("%q is never shown", l)
		}
	}
	p.press("home j k up down")
	if p.m.page == nil || p.m.page.From != 1 || !strings.Contains(p.screenText(), "+37 below") || !strings.Contains(p.screenText(), "↑↓ scroll") {
		t.Errorf("%+v\n%s", p.m.page, p.screenText())
	}
	p.press("x")
	if p.m.page != nil {
		t.Error("another key does not leave the page")
	}
	for _, key := range []string{"j", "pgdown", "space", "esc"} {
		p.m.page = &views.Page{Title: "short", Lines: []string{"a"}}
		if !strings.Contains(p.screenText(), "any key back") {
			t.Errorf("%s", p.screenText())
		}
		if p.press(key); p.m.page != nil {
			t.Errorf("%s does not leave a short page", key)
		}
	}
}
