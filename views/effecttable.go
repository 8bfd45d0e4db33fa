package views

import (
	"slices"
	"strings"

	"ttftop/probe/quantile"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// effectTable gives each target an equal share of the lines.
func (s *sheet) effectTable(snap Snapshot) {
	turned := snap.Effect.turned()
	if len(turned) == 0 {
		return
	}
	lines := min(max(s.h/len(turned), 1), 6) // the sixth is blank, between targets
	from, to := visibleRange(len(turned), slices.Index(turned, snap.Selected), s.h/lines)
	for n, i := range turned[from:to] {
		s.effectBlock(&snap.Effect.Targets[i], i, n*lines, min(lines, 5))
	}
}

// effectBlock draws one target on so many lines: p50, p95, and the parts.
func (s *sheet) effectBlock(e *TargetEffect, i, y, lines int) {
	x := s.text(1, y, letter(i), themes.Target(i)) + 1
	name := min(max(s.w-35, 5), max(s.w/5, 5), 20) // the figures need 35
	s.text(x, y, clipName(e.Target, name, s.sym), themes.Strong)
	x += name + 1
	if why := notYet(e, s); why != "" {
		if lines > 1 && cells(why) > s.w-x-1 {
			x, y = 3, y+1
		}
		s.text(x, y, clip(why, s.w-x-1, s.sym), themes.Dim)
		return
	}
	beside, end := lines == 2 && s.w >= besideFrom+leastBeside, s.w-1
	if beside {
		end = besideFrom - 1
	}
	s.shift(x, y, end, "p50", e.Before.P50, e.After.P50, e.Shift.P50, tally.Enough)
	if lines < 2 {
		return
	}
	s.text(3, y+1, clip("n "+Count(int64(e.After.P50.N)), name, s.sym), themes.Dim)
	s.shift(x, y+1, end, "p95", e.Before.P95, e.After.P95, e.Shift.P95, tally.EnoughP95)
	if beside {
		s.partRows(e, besideFrom, y, lines)
		return
	}
	s.partRows(e, 3, y+2, lines-2)
}

// Where the parts stand beside p50 and p95, when there is no line for them below.
const besideFrom, leastBeside = 72, 24

// shift draws "p50  42.2 → 108  +66.0 ±2.1" in columns; where the change can't
// be known yet it says how many probes that needs. It ends before the column end.
func (s *sheet) shift(x, y, end int, what string, before, after quantile.Estimate, c tally.Change, needs int) {
	number := min(max((end-x-11)/3, 6), 9)
	from, to := estimate(before, s.sym), estimate(after, s.sym)
	s.text(x, y, what, themes.Dim)
	x = s.text(x+3+max(1, number-cells(from)), y, from, themes.Text)
	x = s.text(x, y, " "+s.sym.Arrow, themes.Dim)
	x = s.text(x+max(1, number-cells(to)), y, to, themes.Strong)
	if !c.OK {
		s.text(x+1, y, widest(end-x-1, whyUnknown(before.N, after.N, needs, s.sym)...), themes.Dim)
		return
	}
	s.change(x, y, end, number, c)
}

// whyUnknown words why a change can't be known, the longest first; none where the
// probes are enough. What ended before the change is as much as there will ever be.
func whyUnknown(before, after, needs int, sym *themes.Symbols) []string {
	of := func(n int) string { return "n " + Count(int64(n)) + " of " + Count(int64(needs)) }
	switch {
	case before < needs:
		return []string{"never: " + of(before) + " before", "never: n " + Count(int64(before)) + " before", "never", sym.Unknown}
	case after < needs:
		return []string{"not yet: " + of(after), "not yet", sym.Unknown}
	}
	return nil
}

// change draws a difference in number cells and its interval behind it: "+66.0
// ±2.1". One that could be none says so, whatever else there is no room for.
func (s *sheet) change(x, y, end, number int, c tally.Change) {
	diff, interval := signedMillis(c.At, s.sym), " "+s.plusMinus(c)
	diff = strings.Repeat(" ", max(1, number-cells(diff))) + diff
	tries := []string{interval, ""} // a number is whole or not there
	if !c.Clear() {
		tries = []string{interval + unclear, unclear}
	}
	for _, behind := range tries {
		if cells(diff)+cells(behind) <= end-x {
			s.spans(x, y, span{diff, s.changeToken(c)}, span{behind, themes.Dim})
			return
		}
	}
	if c.Clear() {
		s.text(x, y, diff, s.changeToken(c))
		return
	}
	s.text(x, y, widest(end-x, unclear+interval, unclear), themes.Dim)
}

// unclear stands behind a change that could be none: its interval holds 0.
const unclear = " unclear"

// widest is the first of the texts that fits in room cells, "" for none.
func widest(room int, texts ...string) string {
	for _, text := range texts {
		if cells(text) <= room {
			return text
		}
	}
	return ""
}

// partRows draws the changes of the parts on so many lines from a column on. Before
// those that could be none, and again where a line begins with one, it says so.
func (s *sheet) partRows(e *TargetEffect, from, y, lines int) {
	x, told := from, false
	for _, p := range largestFirst(e.Shift.Parts) {
		item := s.partItem(p)
		if !p.Clear() && !told {
			item = append(doubtful(), item...)
		}
		if x > from && x+spansWidth(item) > s.w-1 {
			x, y, lines = from, y+1, lines-1
			if !p.Clear() && told {
				item = append(doubtful(), item...)
			}
		}
		if lines <= 0 {
			return
		}
		x, told = s.spans(x, y, item...)+gap, !p.Clear()
	}
}

// doubtful stands before changes that could be none.
func doubtful() []span { return []span{{strings.TrimSpace(unclear) + ": ", themes.Dim}} }

// partItem words the change of a part: "█ prefill +63.8 ±2.1".
func (s *sheet) partItem(p tally.PartChange) []span {
	return []span{
		{s.sym.Fill(p.Part), themes.Fill(p.Part)},
		{" " + clip(string(p.Part), 16, s.sym) + " ", themes.Dim},
		{signedMillis(p.At, s.sym), s.changeToken(p.Change)},
		{" " + s.plusMinus(p.Change), themes.Dim},
	}
}
