package views

import (
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/whatif"
	"ttftop/themes"
)

// WhatIfSize is how large the what-if box wants to be within a screen.
func WhatIfSize(snap Snapshot, width, height int, th themes.Theme) (w, h int) {
	s := newSheet(0, 0, th)
	w = min(widestInspector+4, width)
	return w, min(len(s.whatIfLines(snap, w-4, height-2))+2, height)
}

// WhatIfPanel shows what the TTFT of the selected target would be under each
// lever, in a box: a projection from its cut and its baseline, in the order in
// which the levers cost least, each with what it assumes.
//
//	lever              what                          p50 ms        p95 ms
//	now                                              108           125
//	▸ smaller model    sim-1b, 12 % as large         24.5  −77 %   38.1  −70 %
//	…
//	assumes            on the same hardware …
func WhatIfPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	for y, line := range s.whatIfLines(snap, s.w-4, s.h-2) {
		if y < s.h-2 {
			s.spans(2, y+1, line...)
		}
	}
	s.box(s.whatIfTitle(snap))
	return s.String()
}

func (s *sheet) whatIfTitle(snap Snapshot) string {
	parts := []string{"what if"}
	if t := inspected(snap); t != nil {
		parts = append(parts, letter(snap.Selected)+" "+head(t.Name, longest(s.w)), head(t.Model, longest(s.w)))
	}
	return strings.Join(append(parts, "projected, not measured"), " "+s.sym.Dot+" ")
}

var whatIfKeys = []KeyHelp{{Key: "↑↓", Does: "lever"}, {Key: "[ ]", Does: "target"}, {Key: "esc", Does: "back"}}

// whatIfLines lays the panel out on at most height lines of width cells: with
// every assumption under its lever where there is room, else with that of the
// chosen lever below the table.
func (s *sheet) whatIfLines(snap Snapshot, width, height int) [][]span {
	if width <= 0 || height <= 0 {
		return nil
	}
	in := snap.WhatIf
	if in == nil || len(in.Levers) == 0 || inspected(snap) == nil {
		return s.paragraph("No target is selected.", width, themes.Text)
	}
	chosen := min(max(in.Chosen, 0), len(in.Levers)-1)
	var keys [][]span
	if k := keySpans(whatIfKeys, s.sym); spansWidth(k) <= width {
		keys = [][]span{nil, k}
	}
	if full := append(s.whatIfTable(in, chosen, 0, len(in.Levers), width, true), keys...); len(full) <= height {
		return full
	}
	const leastTable = 3 // its head, what is now, and the chosen lever
	below := s.whatIfAssumed(&in.Levers[chosen], width)
	room := height - len(keys)
	rows := max(1, min(len(in.Levers), room-leastTable+1-len(below)-1))
	from, to := visibleRange(len(in.Levers), chosen, rows)
	list := s.whatIfTable(in, chosen, from, to, width, false)
	if left := room - len(list) - 1; left > 0 {
		list = append(append(list, nil), shortened(below, left, s.sym)...)
	}
	return append(list, keys...)
}

// whatIfColumns are the widths of the panel's columns: the lever, and a TTFT
// with its change.
const (
	leverWidth   = 22
	ttftWidth    = 9
	changeWidth  = 8
	whatIfIndent = 2
)

// whatIfTable is the table with the levers of a range, and with their
// assumptions where these are asked for.
func (s *sheet) whatIfTable(in *WhatIf, chosen, from, to, width int, assumptions bool) [][]span {
	what := width - whatIfIndent - leverWidth - 2*(ttftWidth+changeWidth)
	row := func(lever, does, p50, by50, p95, by95 string) string {
		text := pad(clip(lever, leverWidth-1, s.sym), leverWidth)
		if what > 2 {
			text += pad(clip(does, what-1, s.sym), what)
		}
		for _, c := range []struct {
			text  string
			width int
		}{{p50, ttftWidth}, {by50, changeWidth}, {p95, ttftWidth}, {by95, changeWidth}} {
			cell := clip(c.text, c.width, s.sym)
			text += pad("", c.width-cells(cell)) + cell
		}
		return text
	}
	list := [][]span{
		{{"  " + row("lever", "what", "p50 ms", "", "p95 ms", ""), themes.Dim}},
		{{"  " + row("now", "", mark(in.P50, s.sym), "", mark(in.P95, s.sym), ""), themes.Strong}},
	}
	for i := from; i < to; i++ {
		l := &in.Levers[i]
		does := l.Does
		if !l.P50.OK && !l.P95.OK {
			does = l.P50.Why
		}
		text := row(string(l.Lever), does, s.projected(l.P50), s.changed(l.P50, in.P50), s.projected(l.P95), s.changed(l.P95, in.P95))
		if i == chosen {
			list = append(list, []span{{s.sym.Pointer + " ", themes.Accent}, {text, themes.Selected}})
		} else {
			list = append(list, []span{{"  " + text, themes.Text}})
		}
		if assumptions {
			for _, line := range s.whatIfAssumed(l, width-2*whatIfIndent) {
				list = append(list, append([]span{{pad("", 2*whatIfIndent), themes.Plain}}, line...))
			}
		}
	}
	return list
}

// projected is a projected TTFT in milliseconds.
func (s *sheet) projected(e whatif.Estimate) string {
	if !e.OK {
		return s.sym.Unknown
	}
	return millis(positive(e.At), s.sym)
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

// whatIfAssumed is what a projection assumes, how sure its figures are, and why
// one is missing.
func (s *sheet) whatIfAssumed(l *whatif.Projection, width int) [][]span {
	text := "assumes: " + head(l.Assumes, 512)
	if !l.P50.OK && !l.P95.OK && l.P50.Why == l.P95.Why {
		return s.paragraph("not projected: "+head(l.P50.Why, 256)+"; it would assume: "+head(l.Assumes, 512), width, themes.Dim)
	}
	for _, q := range []struct {
		name string
		e    whatif.Estimate
	}{{"p50", l.P50}, {"p95", l.P95}} {
		switch at := interval(q.e.Lo, q.e.Hi, s.sym); {
		case !q.e.OK && q.e.Why != "":
			text += "; no " + q.name + ": " + head(q.e.Why, 256)
		case q.e.OK && millis(positive(q.e.Lo), s.sym) != millis(positive(q.e.Hi), s.sym):
			text += "; " + q.name + " " + at + " ms"
		}
	}
	return s.paragraph(text, width, themes.Dim)
}
