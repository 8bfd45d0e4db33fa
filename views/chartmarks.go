package views

import (
	"slices"

	"ttftop/themes"
)

// epochMark is the upright of a change, or of several within one cell.
type epochMark struct {
	x    int  // column of the plot
	note bool // one of them is a marker
	text string
}

// epochMarks draws an upright where a knob was turned or a marker dropped, and
// returns them from the left. Of several within one cell the last is told, but a
// person's marker before a knob.
func (s *sheet) epochMarks(snap Snapshot, f frame) []epochMark {
	var list []epochMark
	for _, c := range snap.Changes {
		col := f.column(c.At)
		if col < 0 || col >= f.w*dotsAcross {
			continue
		}
		x := col / dotsAcross
		if n := len(list); n > 0 && list[n-1].x == x {
			if c.Note || !list[n-1].note {
				list[n-1] = epochMark{x, c.Note, c.Text}
			}
			continue
		}
		list = append(list, epochMark{x, c.Note, c.Text})
	}
	for _, m := range list {
		glyph, tok := s.sym.EpochMark, themes.Accent
		if m.note {
			glyph, tok = s.sym.Marker, themes.Warn
		}
		for y := range f.rows {
			s.put(f.x+m.x, y, glyph, tok)
		}
	}
	return list
}

// leastText is the cells that the text of a change needs to be worth drawing.
const leastText = 8

// columnRange is so many columns of the plot from one on.
type columnRange struct{ from, to int }

// epochTexts writes what was changed beside its upright: on the top line, right
// of it, or left of it where there is more room, and not across another one. A
// marker's note comes first, and where there is no room at the top it stands on a
// line below, across others if it must: at least its beginning is shown. The text
// of a knob without room is dropped: the effect tells it.
func (s *sheet) epochTexts(f frame, marks []epochMark) {
	taken := make([][]columnRange, f.rows)
	for i, m := range slices.Backward(marks) { // the newest is the one that is looked for
		if m.note {
			s.noteText(f, marks, i, taken)
		}
	}
	for i, m := range marks {
		if !m.note {
			s.markText(f, m, 0, leastText, between(f, marks, i), taken)
		}
	}
}

// noteText writes the note of marker i, and looks for the line with room for all
// of it, or for its beginning.
func (s *sheet) noteText(f frame, marks []epochMark, i int, taken [][]columnRange) {
	whole := cells(clip(marks[i].text, f.w, s.sym))
	for _, least := range []int{whole, min(whole, leastText)} {
		for y := range f.rows {
			room := columnRange{0, f.w} // across the uprights of others
			if y == 0 {
				room = between(f, marks, i)
			}
			if s.markText(f, marks[i], y, least, room, taken) {
				return
			}
		}
	}
	s.markText(f, marks[i], 0, min(whole, leastText), columnRange{0, f.w}, taken)
}

// between is the columns between the uprights beside mark i.
func between(f frame, marks []epochMark, i int) columnRange {
	room := columnRange{0, f.w}
	if i > 0 {
		room.from = marks[i-1].x + 1
	}
	if i+1 < len(marks) {
		room.to = marks[i+1].x
	}
	return room
}

// markText writes the text of a mark on a line within a columnRange, beside what is
// taken of that line already; false where there is no room for it whole, or for so
// many cells of its beginning.
func (s *sheet) markText(f frame, m epochMark, y, least int, room columnRange, taken [][]columnRange) bool {
	for _, t := range taken[y] {
		switch {
		case t.to <= m.x:
			room.from = max(room.from, t.to)
		case t.from > m.x:
			room.to = min(room.to, t.from)
		default:
			return false // its own upright is written over here
		}
	}
	text := clip(m.text, f.w, s.sym)
	need := cells(text)
	after, before := room.to-m.x-2, m.x-room.from-1
	least = min(need, least)
	switch {
	case after >= need, after >= before && after >= least:
		text = clip(text, after, s.sym)
		s.text(f.x+m.x+1, y, text, themes.Accent)
		taken[y] = append(taken[y], columnRange{m.x, m.x + 1 + cells(text)})
	case before >= least:
		text = clip(text, before, s.sym)
		s.right(f.x+m.x, y, text, themes.Accent)
		taken[y] = append(taken[y], columnRange{m.x - cells(text), m.x + 1})
	default:
		return false
	}
	return true
}
