package views

import (
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// plainWidth is the cells that a long text of a session without a screen is
// wrapped at.
const plainWidth = 100

// PlainFull is one probe in full: its timeline, settings, connection, reports
// and text. Its flags have a sentence each.
func PlainFull(snap Snapshot, r *probe.Result, flags []string, th themes.Theme) string {
	s := newSheet(plainWidth, 0, th)
	snap.Probes = &ProbeList{Open: r, FlagText: flags}
	var lines []string
	for _, l := range s.probeLines(snap) {
		text := ""
		for _, sp := range l.spans {
			text += sp.text
		}
		for _, part := range probe.Parts { // what a screen draws a segment with
			text = strings.TrimPrefix(text, th.Symbols.Fill(part)+" ")
		}
		if text = strings.TrimRight(text, " "); text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}
