package views

import "ttftop/themes"

// PagePanel is a text on the whole screen, made to be selected by hand: its
// lines begin at the left edge with nothing beside them, and one that is too
// long goes on in the next.
func PagePanel(p Page, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	s.title(p.Title, "")
	var rows []string
	for _, l := range p.Lines {
		rows = append(rows, s.broken(l)...)
	}
	room := max(s.h-2, 0)
	for y, row := range rows {
		if y == room-1 && len(rows) > room {
			s.text(0, y+1, clip(plural(int64(len(rows)-room+1), "more line")+" in a larger window", s.w, s.sym), themes.Warn)
			break
		}
		s.text(0, y+1, row, themes.Text)
	}
	s.fill(0, s.h-1, s.w, " ", themes.Plain)
	s.spans(1, s.h-1, keySpans(p.Keys, s.sym)...)
	return s.String()
}

// longestPageLine bounds a line of a page, in cells.
const longestPageLine = 4000

// broken is a line in pieces that fit, broken wherever the width ends.
func (s *sheet) broken(line string) []string {
	line = cutCells(indented(line, s.sym.ASCII), longestPageLine)
	var list []string
	for {
		piece := cutCells(line, s.w)
		if piece == line || piece == "" {
			return append(list, piece)
		}
		list = append(list, piece)
		line = line[len(piece):]
	}
}

// indented is a clean line with the blanks that it begins with.
func indented(line string, ascii bool) string {
	n := 0
	for n < len(line) && line[n] == ' ' {
		n++
	}
	return line[:n] + cleanLine(head(line[n:], longest(longestPageLine)), ascii)
}
