package views

import (
	"strings"

	"ttftop/probe/whatif"
	"ttftop/themes"
)

// widestWhatIf is the most cells of text in the what-if box.
const widestWhatIf = 116

// WhatIfSize is how large the what-if box wants to be within a screen. It stays so
// when another lever is chosen.
func WhatIfSize(snap Snapshot, width, height int, th themes.Theme) (w, h int) {
	s := newSheet(0, 0, th)
	return boxSize(width, height, widestWhatIf, func(width, height int) int { return s.whatIfNeeds(snap, width, height) })
}

// WhatIfPanel shows what the TTFT of the selected target would be under each
// lever, in a box: a projection from its cut and its baseline, in the order in
// which the levers cost least, each with what it assumes. The column of what is
// changed is there where it fits whole; else that stands below with the
// assumption of the chosen lever.
//
//	lever, cheapest first  what                          p50 ms  change   p95 ms  change
//	now                                                     108              125
//	▸ smaller model        sim-1b, 12 % as large           24.5   −77 %     38.1   −70 %
//	…
//	beside these
//	…
//	assumes: on the same hardware …
func WhatIfPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	s.boxed(s.whatIfTitle(snap), s.whatIfLines(snap, s.w-4, s.h-2))
	return s.String()
}

func (s *sheet) whatIfTitle(snap Snapshot) string {
	parts := []string{"what if"}
	if t := inspected(snap); t != nil {
		parts = append(parts, letter(snap.Selected)+" "+head(t.Name, longest(s.w)), head(t.Model, longest(s.w)))
	}
	return strings.Join(append(parts, "projected, not measured"), " "+s.sym.Dot+" ")
}

// chosenLever is the index of the chosen lever.
func (in *WhatIf) chosenLever() int { return min(max(in.Chosen, 0), len(in.Levers)-1) }

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
	n, chosen := len(in.Levers), in.chosenLever()
	if full := s.whatIfTable(in, 0, n, width, true); len(full) <= height {
		return full
	}
	below := s.whatIfDetail(in, chosen, width)
	list := s.whatIfTable(in, 0, n, width, false)
	if len(list)+1+len(below) > height {
		const others = 2 + 1 // the table's head, what is now, and a blank
		from, to := visibleRange(n, chosen, max(1, min(n, height-others-len(below))))
		list = s.whatIfTable(in, from, to, width, false)
	}
	if left := height - len(list) - 1; left > 0 {
		list = append(append(list, nil), shortened(below, left, s.sym)...)
	}
	return list
}

// whatIfNeeds is the most lines that the panel has whichever lever is chosen.
func (s *sheet) whatIfNeeds(snap Snapshot, width, height int) int {
	in := snap.WhatIf
	if in == nil || len(in.Levers) == 0 || width <= 0 {
		return len(s.whatIfLines(snap, width, height))
	}
	if full := len(s.whatIfTable(in, 0, len(in.Levers), width, true)); full <= height {
		return full
	}
	below := 0
	for i := range in.Levers {
		below = max(below, len(s.whatIfDetail(in, i, width)))
	}
	return len(s.whatIfTable(in, 0, len(in.Levers), width, false)) + 1 + below
}

// whatIfDetail is all about one lever that the table has no room for.
func (s *sheet) whatIfDetail(in *WhatIf, i, width int) [][]span {
	l := &in.Levers[i]
	var list [][]span
	if what := s.whatWidth(in, width); what == 0 || !s.whyBeside(noProjection(l), what, width) {
		list = s.paragraph(head(string(l.Lever), 64)+": "+head(l.Does, 256), width, themes.Text)
	}
	if why := noProjection(l); why != "" {
		list = append(list, s.paragraph("not projected: "+head(why, 256), width, themes.Dim)...)
	}
	return append(list, s.whatIfAssumed(l, width)...)
}

// whatIfAssumed is what a projection assumes, how sure its figures are, and why
// one of them is missing.
func (s *sheet) whatIfAssumed(l *whatif.Projection, width int) [][]span {
	assumes := head(l.Assumes, 512)
	if noProjection(l) != "" {
		return s.paragraph("it would assume: "+assumes, width, themes.Dim)
	}
	list := s.paragraph("assumes: "+assumes, width, themes.Dim)
	var sure []string
	for _, q := range []struct {
		name string
		e    whatif.Estimate
	}{{"p50", l.P50}, {"p95", l.P95}} {
		switch at := interval(q.e.Lo, q.e.Hi, s.sym); {
		case !q.e.OK && q.e.Why != "":
			sure = append(sure, "no "+q.name+": "+head(q.e.Why, 128))
		case q.e.OK && millis(positive(q.e.Lo), s.sym) != millis(positive(q.e.Hi), s.sym):
			sure = append(sure, q.name+" within "+at+" ms")
		}
	}
	if len(sure) == 0 {
		return list
	}
	return append(list, s.paragraph(strings.Join(sure, "; "), width, themes.Dim)...)
}

// noProjection is why neither quantile is projected; "" where one is.
func noProjection(l *whatif.Projection) string {
	if l.P50.OK || l.P95.OK {
		return ""
	}
	return l.P50.Why
}
