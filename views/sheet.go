package views

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
)

// sheet is a grid of cells that a panel draws on. Whatever is drawn outside of
// it is dropped, so a panel can't get its size wrong.
type sheet struct {
	w, h  int
	cells []cell
	th    themes.Theme
	sym   *themes.Symbols
}

// cell is one place of a sheet. A character of two cells has its text in the
// first and hidden set in the second.
type cell struct {
	text   string // "" for a blank
	tok    themes.Token
	hidden bool
}

// newSheet makes an empty sheet; a size below 0 counts as 0.
func newSheet(w, h int, th themes.Theme) *sheet {
	w, h = max(w, 0), max(h, 0)
	if th.Symbols == nil { // the zero Theme
		th = themes.Mono()
	}
	return &sheet{w: w, h: h, cells: make([]cell, w*h), th: th, sym: th.Symbols}
}

// put draws one glyph that is one cell wide.
func (s *sheet) put(x, y int, glyph string, tok themes.Token) {
	if x < 0 || x >= s.w || y < 0 || y >= s.h {
		return
	}
	i := y*s.w + x
	if s.cells[i].hidden { // the first half of a wide character goes too
		s.cells[i-1].text = ""
	}
	if x+1 < s.w && s.cells[i+1].hidden {
		s.cells[i+1] = cell{}
	}
	s.cells[i] = cell{text: glyph, tok: tok}
}

// blank reports whether nothing is drawn at a place of the sheet.
func (s *sheet) blank(x, y int) bool {
	if x < 0 || x >= s.w || y < 0 || y >= s.h {
		return false
	}
	c := &s.cells[y*s.w+x]
	return !c.hidden && (c.text == "" || c.text == " ")
}

// text draws a line of text from (x, y) on and returns the column after it.
// Text from outside must have gone through clip.
func (s *sheet) text(x, y int, str string, tok themes.Token) int {
	for len(str) > 0 {
		if str[0] < utf8.RuneSelf && (len(str) == 1 || str[1] < utf8.RuneSelf) {
			s.put(x, y, str[:1], tok)
			str = str[1:]
			x++
			continue
		}
		cluster, w := ansi.FirstGraphemeCluster(str, ansi.GraphemeWidth)
		str = str[len(cluster):]
		switch {
		case w == 1:
			s.put(x, y, cluster, tok)
		case w >= 2 && x+1 < s.w && x >= 0 && y >= 0 && y < s.h:
			s.put(x, y, cluster, tok)
			s.put(x+1, y, "", tok)
			s.cells[y*s.w+x] = cell{text: cluster, tok: tok}
			s.cells[y*s.w+x+1] = cell{tok: tok, hidden: true}
		}
		x += w
	}
	return x
}

// right draws text that ends before the column end, and returns where it
// begins.
func (s *sheet) right(end, y int, str string, tok themes.Token) int {
	x := end - cells(str)
	s.text(x, y, str, tok)
	return x
}

// span is a text with one look.
type span struct {
	text string
	tok  themes.Token
}

// spans draws texts one after the other and returns the column after them.
func (s *sheet) spans(x, y int, list ...span) int {
	for _, sp := range list {
		x = s.text(x, y, sp.text, sp.tok)
	}
	return x
}

// spansWidth is how many cells the texts take.
func spansWidth(list []span) int {
	n := 0
	for _, sp := range list {
		n += cells(sp.text)
	}
	return n
}

// fill draws a glyph over a stretch of a line.
func (s *sheet) fill(x, y, n int, glyph string, tok themes.Token) {
	for i := range n {
		s.put(x+i, y, glyph, tok)
	}
}

// String gives the lines of the sheet, with one control sequence for each run
// of cells that look alike.
func (s *sheet) String() string {
	var b strings.Builder
	b.Grow(s.w*s.h*2 + s.h)
	for y := range s.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		s.line(&b, s.cells[y*s.w:(y+1)*s.w])
	}
	return b.String()
}

func (s *sheet) line(b *strings.Builder, row []cell) {
	tok := themes.Plain
	for _, c := range row {
		if c.hidden {
			continue
		}
		if c.tok != tok {
			b.WriteString(s.th.Close(tok))
			b.WriteString(s.th.Open(c.tok))
			tok = c.tok
		}
		if c.text == "" {
			b.WriteByte(' ')
		} else {
			b.WriteString(c.text)
		}
	}
	b.WriteString(s.th.Close(tok))
}

// cells is the width of a text without control sequences.
func cells(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}
