package views

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/whatif"
	"ttftop/themes"
)

// The widths of the panel's columns.
const (
	leverWidth   = 23
	whatIfIndent = 2
)

// whatIfColumns are the widths of the columns of a TTFT and of its change, as wide
// as there is room; the change is left out (0) where there is too little.
func whatIfColumns(width int) (ttft, change int) {
	for _, c := range [][2]int{{9, 8}, {7, 7}, {9, 0}} {
		if whatIfIndent+leverWidth+2*(c[0]+c[1]) <= width {
			return c[0], c[1]
		}
	}
	return 7, 0
}

// whatWidth is the width of the column of what is changed: 0 where not every
// text of it fits whole.
func (s *sheet) whatWidth(in *WhatIf, width int) int {
	ttft, change := whatIfColumns(width)
	longest := 0
	for i := range in.Levers {
		longest = max(longest, cells(clip(in.Levers[i].Does, width, s.sym)))
	}
	if what := longest + 2; whatIfIndent+leverWidth+what+2*(ttft+change) <= width {
		return what
	}
	return 0
}

// whatIfRow is a line of the table: a lever with its figures, or why it has none.
type whatIfRow struct{ lever, does, p50, by50, p95, by95, why string }

// whyBeside reports whether there is room for the reason why a lever has no figures
// beside what it changes; else it stands in the place of that.
func (s *sheet) whyBeside(why string, what, width int) bool {
	return cells(clip(why, width, s.sym)) <= width-whatIfIndent-leverWidth-what
}

// whatIfText is a row of the table, without its indent.
func (s *sheet) whatIfText(r whatIfRow, what, width int) string {
	text := pad(clip(r.lever, leverWidth-1, s.sym), leverWidth)
	if what > 0 && (r.why == "" || s.whyBeside(r.why, what, width)) {
		text += pad(clip(r.does, what, s.sym), what)
	}
	if r.why != "" {
		return text + clip(r.why, width-whatIfIndent-cells(text), s.sym)
	}
	ttft, change := whatIfColumns(width)
	for _, c := range []struct {
		text  string
		width int
	}{{r.p50, ttft}, {r.by50, change}, {r.p95, ttft}, {r.by95, change}} {
		cell := clip(c.text, c.width, s.sym)
		text += pad("", c.width-cells(cell)) + cell
	}
	return text
}

// atTheClient heads the levers that the server has no part in.
const atTheClient = "at the client's end"

// whatIfTable is the table with the levers of a range, and with their
// assumptions where these are asked for.
func (s *sheet) whatIfTable(in *WhatIf, from, to, width int, assumptions bool) [][]span {
	what := s.whatWidth(in, width)
	line := func(r whatIfRow, tok themes.Token) []span {
		return []span{{pad("", whatIfIndent) + s.whatIfText(r, what, width), tok}}
	}
	list := [][]span{
		line(whatIfRow{lever: "lever, cheapest first", does: "what", p50: "p50 ms", by50: "change", p95: "p95 ms", by95: "change"}, themes.Dim),
		line(whatIfRow{lever: "now", p50: mark(in.P50, s.sym), p95: mark(in.P95, s.sym)}, themes.Strong),
	}
	for i := from; i < to; i++ {
		l := &in.Levers[i]
		if l.Beside && i > 0 && !in.Levers[i-1].Beside && to-from == len(in.Levers) {
			list = append(list, line(whatIfRow{lever: atTheClient}, themes.Dim))
		}
		text := s.whatIfText(s.projectedRow(in, l), what, width)
		if i == in.chosenLever() {
			list = append(list, []span{{s.sym.Pointer + " ", themes.Accent}, {text, themes.Selected}})
		} else {
			list = append(list, []span{{pad("", whatIfIndent) + text, themes.Text}})
		}
		if assumptions {
			for _, line := range s.whatIfAssumed(l, width-2*whatIfIndent) {
				list = append(list, append([]span{{pad("", 2*whatIfIndent), themes.Plain}}, line...))
			}
		}
	}
	return list
}

// projectedRow is the row of a lever.
func (s *sheet) projectedRow(in *WhatIf, l *whatif.Projection) whatIfRow {
	return whatIfRow{
		lever: string(l.Lever), does: l.Does, why: noProjection(l),
		p50: s.projected(l.P50), by50: s.changed(l.P50, in.P50), p95: s.projected(l.P95), by95: s.changed(l.P95, in.P95),
	}
}

// projected is a projected TTFT in milliseconds; one that is uncertain is marked.
func (s *sheet) projected(e whatif.Estimate) string {
	if !e.OK {
		return s.sym.Unknown
	}
	about := ""
	if e.Uncertain {
		about = s.sym.Approx
	}
	return about + millis(positive(e.At), s.sym)
}

// changed is by how much a projected TTFT differs from what is now.
func (s *sheet) changed(e whatif.Estimate, now probe.Mark) string {
	if !e.OK || !now.OK || now.At <= 0 {
		return ""
	}
	shift := e.At - now.At
	if shift.Abs() < time.Microsecond {
		return "0 %"
	}
	const micro = int64(time.Microsecond)
	share := percent(int(int64(shift.Abs())/micro), int(int64(now.At)/micro), s.sym)
	if shift < 0 {
		return s.sym.Minus + share
	}
	return "+" + share
}
