package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/views"
)

// What the screen shortens where there is little room is told in full in the
// help.

// widestText is how wide a text is shown in the help, in cells, and inFullNotes
// how many markers it tells of.
const widestText, inFullNotes = 72, 8

// said is the sentences for the person, the newest first, and a blank line; none
// where there are none.
func (m *model) said(s views.Snapshot) []string {
	told := slices.Clone(s.Status.Notices)
	slices.Reverse(told)
	if s.Status.Behind != "" {
		told = append(told, s.Status.Behind)
	}
	var lines []string
	for _, text := range told {
		lines = append(lines, m.inFull("! "+text)...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// toldOf is the diagnosis of the selected target, what its lane says, and the
// newest markers, each in full and with a blank line before it.
func (m *model) toldOf(s views.Snapshot) []string {
	t := &s.Targets[s.Selected]
	var lines []string
	told := strings.Join(s.Status.Notices, "\n")
	part := func(title string, texts ...string) {
		texts = slices.DeleteFunc(texts, func(text string) bool {
			again := strings.Contains(told, text) // also an empty one
			told += "\n" + text
			return again
		})
		if len(texts) == 0 {
			return
		}
		lines = append(lines, "", title)
		for _, text := range texts {
			lines = append(lines, m.inFull(text)...)
		}
	}
	part("Of "+t.Name+":", append([]string{t.Diagnosis.Sentence(), t.Failure, t.Held}, t.FlagText...)...)
	var notes []string
	for _, c := range slices.Backward(s.Changes) {
		if c.Note && len(notes) < inFullNotes {
			notes = append(notes, max(s.Now-c.At, 0).Truncate(time.Second).String()+" ago: "+c.Text)
		}
	}
	part("Markers:", notes...)
	return lines
}

// inFull is a text in as many lines as the help has to give it.
func (m *model) inFull(text string) []string {
	width, _ := m.size()
	text = views.Clean(text, m.theme.Symbols.ASCII)
	return strings.Split(ansi.Wrap(text, max(1, min(widestText, width-8)), ""), "\n")
}
