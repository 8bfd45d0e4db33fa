package views

import (
	"strconv"
	"strings"

	"ttftop/themes"
)

// PagePanel is a text on the whole screen, made to be selected by hand: its
// lines begin at the left edge with nothing beside them, and one that is too
// long goes on in the next.
func PagePanel(p Page, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	s.title(p.Title, s.pageCue(p))
	rows, room := s.pageRows(p), max(s.h-pageFrame, 0)
	from := min(max(p.From, 0), max(len(rows)-room, 0))
	for y, row := range rows[from:min(from+room, len(rows))] {
		s.text(0, y+1, row, themes.Text)
	}
	s.fill(0, s.h-1, s.w, " ", themes.Plain)
	s.spans(1, s.h-1, keySpans(p.Keys, s.sym)...)
	return s.String()
}

// pageFrame is the lines around the text of a page: its title and its keys.
const pageFrame = 2

// PageRows is how many lines the text of a page takes, and how many are seen at once.
func PageRows(p Page, width, height int, th themes.Theme) (rows, room int) {
	s := newSheet(width, 0, th)
	return len(s.pageRows(p)), max(height-pageFrame, 0)
}

func (s *sheet) pageRows(p Page) (rows []string) {
	for _, l := range p.Lines {
		rows = append(rows, s.broken(l)...)
	}
	return rows
}

// pageCue says how many lines are above and below those shown.
func (s *sheet) pageCue(p Page) string {
	rows, room := len(s.pageRows(p)), max(s.h-pageFrame, 0)
	from := min(max(p.From, 0), max(rows-room, 0))
	return moreLines(from, rows-room-from)
}

// moreLines says how many lines are above and below those shown: "+3 above  +9
// below", and "" where there are none.
func moreLines(above, below int) string {
	var parts []string
	if above > 0 {
		parts = append(parts, "+"+strconv.Itoa(above)+" above")
	}
	if below > 0 {
		parts = append(parts, "+"+strconv.Itoa(below)+" below")
	}
	return strings.Join(parts, "  ")
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
