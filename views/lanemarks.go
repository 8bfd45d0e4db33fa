package views

import (
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// markLetters are the marks of a probe under its bar, in the order in which
// they come as a rule. They are capitals: small letters tell sources.
var markLetters = []struct {
	letter, name, brief string
	at                  func(*Marks) probe.Mark
}{
	{"H", "headers", "headers", func(m *Marks) probe.Mark { return m.Headers }},
	{"E", "first event", "event", func(m *Marks) probe.Mark { return m.FirstEvent }},
	{"R", "first reasoning", "reasoning", func(m *Marks) probe.Mark { return m.FirstReasoning }},
	{answerLetter, "first answer", "answer", func(m *Marks) probe.Mark { return m.FirstAnswer }},
	{ackLetter, "acknowledgement", "ack", func(m *Marks) probe.Mark { return m.Ack }},
}

// marksRow draws the marks of the last probe under its bar, and what they mean
// where there is most room.
func (s *sheet) marksRow(t *Target, y int, p plan) {
	if t.Last == nil {
		return
	}
	var shown, brief []span
	for _, m := range markLetters {
		at := m.at(&t.Last.Marks)
		if at.OK && (s.markAt(at.At, y, p, m.letter) || s.markBeyond(at, y, p, m.letter)) {
			shown = append(shown, span{m.letter + "=" + m.name, themes.Dim})
			brief = append(brief, span{m.letter + "=" + m.brief, themes.Dim})
		}
	}
	if len(shown) > 0 {
		s.text(2, y, "marks", themes.Dim)
		s.legend(y, p.barX, shown, brief)
	}
}

// markAt draws one mark. One whose cell is taken stands in the next free one;
// one beyond the axis, or for which no cell is left, is not drawn.
func (s *sheet) markAt(at time.Duration, y int, p plan, letter string) bool {
	if at < 0 || at > p.axis.Top {
		return false
	}
	x := p.barX + min(p.axis.at(at, p.barW*eighths)/eighths, p.barW-1)
	for x < p.barX+p.barW && !s.blank(x, y) {
		x++
	}
	if x >= p.barX+p.barW {
		return false
	}
	s.put(x, y, letter, themes.Accent)
	return true
}

// markBeyond says the time of a mark that is beyond the axis: behind its end, or
// before it where there is no room.
func (s *sheet) markBeyond(at probe.Mark, y int, p plan, letter string) bool {
	if at.At <= p.axis.Top {
		return false
	}
	end := p.barX + p.barW
	text := s.sym.Arrow + " " + letter + " " + mark(at, s.sym)
	for _, x := range []int{end + 1, end - cells(text)} {
		if s.free(x-1, y, cells(text)+2) && x >= p.barX {
			s.text(x, y, text, themes.Accent)
			return true
		}
	}
	return false
}

// free reports whether so many cells from (x, y) on are blank.
func (s *sheet) free(x, y, n int) bool {
	for i := range n {
		if x+i < s.w && !s.blank(x+i, y) {
			return false
		}
	}
	return x+n <= s.w+1
}

// legend draws items into the longest blank stretch of a line from a column on:
// the brief ones where not all of the others fit, and as many of them as do.
func (s *sheet) legend(y, from int, items, brief []span) {
	const margin, gap = 3, 2
	at, most := from, 0
	for x := from; x < s.w; x++ {
		n := 0
		for s.blank(x+n, y) {
			n++
		}
		if n > most {
			at, most = x, n
		}
		x += n
	}
	x, end := at+margin, at+most-margin
	if at == from {
		x = at
	}
	if x+spansWidth(items)+gap*(len(items)-1) > end {
		items = brief
	}
	for _, item := range items {
		if x+cells(item.text) > end {
			return
		}
		x = s.text(x, y, item.text, item.tok) + gap
	}
}
