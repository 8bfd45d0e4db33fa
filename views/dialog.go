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

// The size of a screen below which a dialog has all of it, without a box.
const boxWidth, boxHeight = 36, 9

// On is the dialog as it is shown on a screen: without a box where that would take
// the room of its words.
func (d Dialog) On(width, height int) Dialog {
	d.bare = width < boxWidth || height < boxHeight
	return d
}

// DialogSize is how large the dialog's box wants to be within a screen.
func DialogSize(d Dialog, width, height int, th themes.Theme) (w, h int) {
	if d.bare {
		return width, height
	}
	sym := newSheet(0, 0, th).sym
	text := max(leastDialog, d.Width+2, cells(clip(d.Title, widestDialog, sym))+4, spansWidth(keySpans(d.Keys, sym)))
	for _, l := range append(append([]string{d.Error}, d.Lines...), d.Choices...) {
		line := cutCells(cleanLine(head(l, longest(widestDialog)), sym.ASCII), widestDialog)
		text = max(text, cells(line)+2)
	}
	w = min(min(text, widestDialog)+4, width)
	list, _ := dialogLines(d, w-4, 1<<20, sym)
	return w, min(len(list)+2, height)
}

// DialogRoom is the room for the sentences of a dialog that has one line of keys, at
// most.
func DialogRoom(width, height int) (w, lines int) {
	if (Dialog{}).On(width, height).bare {
		return width, height - 1
	}
	return min(widestDialog, width-4), height - 4
}

// DialogIsCut reports whether there is more text of a dialog below what fits on a
// screen.
func DialogIsCut(d Dialog, width, height int, th themes.Theme) bool {
	d = d.On(width, height)
	w, h := DialogSize(d, width, height, th)
	if !d.bare {
		w, h = w-4, h-2
	}
	sym := newSheet(0, 0, th).sym
	all, _ := dialogLines(d, w, 1<<20, sym)
	return len(all) > h
}

// DialogPanel is a question or an entry in a box.
func DialogPanel(d Dialog, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	if d.bare {
		s.bareDialog(d)
		return s.String()
	}
	list, cursor := dialogLines(d, s.w-4, s.h-2, s.sym)
	s.boxed(d.Title, list)
	if cursor >= 0 && cursor < s.h-2 {
		end := 2 + spansWidth(list[cursor])
		s.text(min(end, s.w-3), cursor+1, " ", themes.Cursor)
	}
	return s.String()
}

// bareDialog draws a dialog on the whole sheet, its title where all of it fits.
func (s *sheet) bareDialog(d Dialog) {
	list, cursor := dialogLines(d, s.w, s.h-1, s.sym)
	if all, _ := dialogLines(d, s.w, 1<<20, s.sym); len(all) < s.h {
		s.text(0, 0, clip(d.Title, s.w, s.sym), themes.Accent)
		list, cursor = append([][]span{nil}, list...), cursor+min(1, cursor+1)
	} else {
		list, cursor = dialogLines(d, s.w, s.h, s.sym)
	}
	for y, l := range list {
		s.spans(0, y, l...)
	}
	if cursor >= 0 {
		s.text(min(spansWidth(list[cursor]), s.w-1), cursor, " ", themes.Cursor)
	}
}

// leastChoices are the choices that come before the sentences where there is least
// room.
const leastChoices = 3

// dialogLines lays the dialog out on at most height lines of width cells, and
// tells on which of them the cursor is (−1 for none). Where there are too few
// lines, choices go first and then the text, without a box the text first: the
// entry, the error and the keys stay.
func dialogLines(d Dialog, width, height int, sym *themes.Symbols) (list [][]span, cursor int) {
	text := dialogText(d.Lines, width, sym)
	keys := keyRows(d.Keys, width, sym)
	entry := 0
	if d.Entry {
		entry = 1
	}
	var tail [][]span
	if d.Error != "" {
		for _, l := range wrapped(d.Error, width, sym) {
			tail = append(tail, []span{{l, themes.Bad}})
		}
		tail = tail[:max(1, min(len(tail), height-entry-len(keys)))]
	}
	if len(d.Keys) > 0 && !d.bare {
		tail = append(tail, nil)
	}
	tail = append(tail, keys...)
	text = text[min(max(d.From, 0), max(len(text)-1, 0)):]
	room := height - len(tail) - entry
	if d.bare { // the choices are why it is open
		room -= min(len(d.Choices), leastChoices)
	}
	text = shortenedBy(text, max(0, room), moreText(d, width, sym))
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

// moreText says of so many lines that they are left out, and how to see them.
func moreText(d Dialog, width int, sym *themes.Symbols) func(n int) string {
	return func(n int) string {
		text := sym.Ellipsis + " " + plural(int64(n), "more line")
		if !d.Entry {
			return clip(text+": "+keyName("↓", sym), width, sym)
		}
		if long := text + " in a higher window"; cells(long) <= width {
			return long
		}
		return clip(text, width, sym)
	}
}

// shortened is as many lines as there is room for; where some are left out, the
// last one says how many.
func shortened(text [][]span, room int, sym *themes.Symbols) [][]span {
	return shortenedBy(text, room, func(n int) string { return sym.Ellipsis + " " + plural(int64(n), "more line") + " in a higher window" })
}

// shortenedBy is shortened with a last line of its own.
func shortenedBy(text [][]span, room int, more func(n int) string) [][]span {
	if len(text) <= room {
		return text
	}
	if room < 2 {
		return text[:room]
	}
	return append(text[:room-1:room-1], []span{{more(len(text) - room + 1), themes.Warn}})
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

// choiceLines are the choices around the chosen one; the last line says which of
// them are shown.
func choiceLines(d Dialog, width, height int, sym *themes.Symbols) (list [][]span) {
	from, to := visibleRange(len(d.Choices), d.Chosen, height)
	for i := from; i < to; i++ {
		room, more := width-2, ""
		if i == to-1 {
			if more = hidden(from, to, len(d.Choices), width/3, sym); more != "" {
				room -= cells(more) + 1
			}
		}
		text := clip(d.Choices[i], room, sym)
		if i == d.Chosen {
			list = append(list, []span{{sym.Pointer + " ", themes.Accent}, {text, themes.Selected}})
		} else {
			list = append(list, []span{{"  " + text, themes.Text}})
		}
		if last := len(list) - 1; more != "" {
			list[last] = append(list[last], span{pad("", width-cells(more)-spansWidth(list[last])) + more, themes.Warn})
		}
	}
	return list
}

// keyRows are the keys of a dialog on as many lines as they need.
func keyRows(keys []KeyHelp, width int, sym *themes.Symbols) (rows [][]span) {
	from := 0
	for to := 1; to <= len(keys); to++ {
		if to == len(keys) || spansWidth(keySpans(keys[from:to+1], sym)) > width {
			rows = append(rows, keySpans(keys[from:to], sym))
			from = to
		}
	}
	return rows
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
