package views

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
)

// The width of a dialog's text, in cells.
const (
	leastDialog  = 36
	widestDialog = 76
)

// DialogSize is how large the dialog's box wants to be within a screen.
func DialogSize(d Dialog, width, height int, th themes.Theme) (w, h int) {
	sym := newSheet(0, 0, th).sym
	text := max(leastDialog, cells(clip(d.Title, widestDialog, sym))+4, spansWidth(keySpans(d.Keys, sym)))
	for _, l := range append(append([]string{d.Error}, d.Lines...), d.Choices...) {
		line := cutCells(cleanLine(head(l, longest(widestDialog)), sym.ASCII), widestDialog)
		text = max(text, cells(line)+2)
	}
	w = min(min(text, widestDialog)+4, width)
	list, _ := dialogLines(d, w-4, 1<<20, sym)
	return w, min(len(list)+2, height)
}

// DialogPanel is a question or an entry in a box.
func DialogPanel(d Dialog, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	list, cursor := dialogLines(d, s.w-4, s.h-2, s.sym)
	for y, l := range list {
		if y < s.h-2 {
			s.spans(2, y+1, l...)
		}
	}
	if cursor >= 0 && cursor < s.h-2 {
		end := 2 + spansWidth(list[cursor])
		s.text(min(end, s.w-3), cursor+1, " ", themes.Cursor)
	}
	s.box(d.Title) // last, over what is too long for the box
	return s.String()
}

// box draws a border around the sheet with a title in it.
func (s *sheet) box(title string) {
	s.fill(0, 0, s.w, s.sym.Rule, themes.Accent)
	s.fill(0, s.h-1, s.w, s.sym.Rule, themes.Accent)
	for y := range s.h {
		s.put(0, y, s.sym.Wall, themes.Accent)
		s.put(s.w-1, y, s.sym.Wall, themes.Accent)
	}
	s.put(0, 0, s.sym.TopLeft, themes.Accent)
	s.put(s.w-1, 0, s.sym.TopRight, themes.Accent)
	s.put(0, s.h-1, s.sym.BottomLeft, themes.Accent)
	s.put(s.w-1, s.h-1, s.sym.BottomRight, themes.Accent)
	if t := clip(title, s.w-6, s.sym); t != "" {
		s.text(2, 0, " "+t+" ", themes.Accent)
	}
}

// dialogLines lays the dialog out on at most height lines of width cells, and
// tells on which of them the cursor is (−1 for none). Where there are too few
// lines, choices go first and then the text: the entry, the error and the keys
// stay.
func dialogLines(d Dialog, width, height int, sym *themes.Symbols) (list [][]span, cursor int) {
	text := dialogText(d.Lines, width, sym)
	var tail [][]span
	if d.Error != "" {
		for _, l := range wrapped(d.Error, width, sym) {
			tail = append(tail, []span{{l, themes.Bad}})
		}
	}
	if len(d.Keys) > 0 {
		tail = append(tail, nil, keySpans(d.Keys, sym))
	}
	fixed := len(tail)
	if d.Entry {
		fixed++
	}
	text = shortened(text, max(0, height-fixed), sym)
	list, cursor = append(list, text...), -1
	if d.Entry {
		cursor = len(list)
		list = append(list, entryLine(d.Text, width, sym))
	}
	list = append(list, choiceLines(d, width, height-len(list)-len(tail), sym)...)
	return append(list, tail...), cursor
}

// dialogText wraps the sentences; an empty one is an empty line.
func dialogText(lines []string, width int, sym *themes.Symbols) (list [][]span) {
	for _, l := range lines {
		for _, part := range wrapped(l, width, sym) {
			list = append(list, []span{{part, themes.Text}})
		}
	}
	return list
}

// shortened is as many lines as there is room for; where some are left out, the
// last one says how many.
func shortened(text [][]span, room int, sym *themes.Symbols) [][]span {
	if len(text) <= room {
		return text
	}
	if room < 2 {
		return text[:room]
	}
	left := plural(int64(len(text)-room+1), "more line")
	return append(text[:room-1:room-1], []span{{sym.Ellipsis + " " + left + " in a higher window", themes.Warn}})
}

// longestSentence bounds a sentence of a dialog, in cells.
const longestSentence = 400

// wrapped is a sentence in lines of at most width cells.
func wrapped(text string, width int, sym *themes.Symbols) []string {
	if width <= 0 {
		return nil
	}
	text = cleanLine(head(text, longest(longestSentence)), sym.ASCII)
	return strings.Split(ansi.Wrap(cutCells(text, longestSentence), width, ""), "\n")
}

// entryLine is what was typed, its end where it is too long.
func entryLine(text string, width int, sym *themes.Symbols) []span {
	shown := Clean(text, sym.ASCII)
	if strings.HasSuffix(text, " ") { // a blank that was just typed
		shown += " "
	}
	room := max(0, width-3)
	if extra := cells(shown) - room; extra > 0 {
		shown = ansi.TruncateLeft(shown, extra, "")
	}
	return []span{{"> ", themes.Dim}, {shown, themes.Strong}}
}

// choiceLines are the choices around the chosen one.
func choiceLines(d Dialog, width, height int, sym *themes.Symbols) (list [][]span) {
	from, to := visibleRange(len(d.Choices), d.Chosen, height)
	for i := from; i < to; i++ {
		text := clip(d.Choices[i], width-2, sym)
		if i == d.Chosen {
			list = append(list, []span{{sym.Pointer + " ", themes.Accent}, {text, themes.Selected}})
		} else {
			list = append(list, []span{{"  " + text, themes.Text}})
		}
	}
	return list
}

// keySpans are the keys of a dialog on one line.
func keySpans(keys []KeyHelp, sym *themes.Symbols) []span {
	var list []span
	for i, k := range keys {
		if i > 0 {
			list = append(list, span{"  ", themes.Plain})
		}
		list = append(list, keyItem(k, sym)...)
	}
	return list
}
