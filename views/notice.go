package views

import (
	"strings"

	"ttftop/themes"
)

// more tells behind a sentence that was shortened where the rest of it stands.
const more = " (more: ?)"

// notice draws a sentence for the person in at most room cells: where there is
// no room for the whole, the clauses of its beginning, and that the help has it
// in full.
func (s *sheet) notice(x, y, room int, text string) int {
	return s.text(x, y, noticeIn(text, room, s.sym), themes.Warn)
}

// noticeIn is what notice draws.
func noticeIn(text string, room int, sym *themes.Symbols) string {
	const mark = "! "
	return clip(mark+clausesIn(text, room-len(mark), sym), room, sym)
}

// clausesIn is a sentence in at most room cells: the whole, or as many clauses of
// its beginning as fit, with a hint where the rest is if there is room for that,
// or what fits of the first.
func clausesIn(text string, room int, sym *themes.Symbols) string {
	text = Clean(head(text, longest(longestSentence)), sym.ASCII)
	if cells(text) <= room {
		return text
	}
	for _, behind := range []string{more, sym.Ellipsis} {
		if begun := clauses(text, room-cells(behind), room/3); begun != "" { // less says nothing
			return begun + behind
		}
	}
	return clip(text, room, sym)
}

// clauses is as many clauses of the beginning of a clean text as fit in room
// cells; "" where they are fewer than least cells.
func clauses(text string, room, least int) (begun string) {
	open := 0 // parentheses: within them nothing ends
	for i := range len(text) {
		switch text[i] {
		case '(':
			open++
		case ')':
			open--
		}
		if open > 0 {
			continue
		}
		for _, end := range []string{". ", "; ", ": ", ", ", " ("} {
			if !strings.HasPrefix(text[i:], end) {
				continue
			}
			if n := cells(text[:i]); n >= least && n <= room {
				begun = text[:i]
			}
		}
	}
	return begun
}

// notices are the sentences for the person, newest last: the standing one that
// this machine can't keep up gives way to all others.
func notices(st *Status) []string {
	if st.Behind == "" {
		return st.Notices
	}
	return append([]string{st.Behind}, st.Notices...)
}
