package views

import (
	"cmp"
	"slices"

	"ttftop/probe"
	"ttftop/themes"
)

// Summary is the whole screen in one column, for windows without room for
// panels:
//
//	ttftop SIMULATED
//	3 scaling: needs 60x16           another view than the explorer
//	▸A near    p50 108 p95 125       a target, on as many lines as there is room for
//	   ─████          71.6 ms
//	  near: prefill is 79 % of …     the diagnosis
//	  prompt 256 → 1,024: A +66 ms   the effect of the last change
//	! …                              the newest notice
//	▸prompt 1,024 (p/P)              the selected knob
//	374 probes 0 failed 227k tokens
//
// Where targets are compared the verdict stands in their place.
func Summary(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	top := 1 + s.summaryView(snap, 1)
	end := s.summaryEnd(snap)
	if snap.View == Compare && snap.Versus != nil {
		s.summaryTitle(snap, "")
		s.summaryVerdict(snap.Versus, top, end-top)
		return s.String()
	}
	n := len(snap.Targets)
	room := max(end-top, 0)
	lines := min(max(room/max(n, 1), 1), mostSummaryLines)
	from, to := visibleRange(n, snap.Selected, room/lines)
	s.summaryTitle(snap, hidden(from, to, n, s.w/4, s.sym))
	p := plan{lines: lines, barX: 2, barW: max(0, s.w-2-totalWidth)}
	p.axis = niceAxis(longestBar(snap.Targets), 1)
	for i := from; i < to; i++ {
		s.summaryOf(snap, i, top+(i-from)*lines, p)
	}
	return s.String()
}

// summaryTitle is the first line. What is not real and what stands still come
// before the name of the program.
func (s *sheet) summaryTitle(snap Snapshot, hidden string) {
	list := []span{{"ttftop", themes.Accent}}
	if snap.Simulated {
		list = append(list, span{"SIMULATED", themes.Simulated})
	}
	if snap.Paused {
		list = append(list, span{"PAUSED", themes.Paused})
	}
	width := len(list) - 1 + spansWidth(list)
	if len(list) > 1 && width > s.w {
		list = list[1:]
	}
	x := 0
	for _, sp := range list {
		x = s.text(x, 0, clip(sp.text, s.w-x, s.sym), sp.tok) + 1
	}
	if x+cells(hidden) <= s.w {
		s.right(s.w, 0, hidden, themes.Warn)
	}
}

// summaryView says which view it is where that has more to show than there is
// room for, and returns how many lines that took.
func (s *sheet) summaryView(snap Snapshot, y int) int {
	if snap.View == Explore || snap.View == Compare && snap.Versus != nil {
		return 0
	}
	if p := snap.Probes; p != nil && p.Typing {
		x := s.text(0, y, "filter: ", themes.Dim)
		s.spans(x, y, entryLine(p.Filter, s.w-x, s.sym)[1:]...)
		return 1
	}
	for _, text := range []string{
		snap.View.Key() + " " + snap.View.String() + ": needs a window of " + panelsNeed,
		snap.View.Key() + " " + snap.View.String() + ": needs " + panelsNeed,
		snap.View.Key() + ": needs " + panelsNeed,
	} {
		if cells(text) <= s.w {
			s.text(0, y, text, themes.Warn)
			return 1
		}
	}
	return 0
}

// panelsNeed is the least window with panels.
const panelsNeed = "60x16"

// summaryVerdict writes the verdict and, as there is room, its reason.
func (s *sheet) summaryVerdict(v *Versus, y, room int) {
	lines := wrapped(v.Verdict.Sentence(), s.w, s.sym)
	if why := v.Verdict.Why(); why != "" {
		lines = append(lines, wrapped(why, s.w, s.sym)...)
	}
	for i, line := range lines[:min(len(lines), max(0, room))] {
		s.text(0, y+i, line, themes.Text)
	}
}

// mostSummaryLines is the most lines that a target uses: its name and quantiles,
// its bar, the parts of its TTFT, further figures, and its model.
const mostSummaryLines = 5

// summaryOf draws one target on its lines.
func (s *sheet) summaryOf(snap Snapshot, i, y int, p plan) {
	t := &snap.Targets[i]
	x := s.laneLetter(snap, i, y)
	numbers := "p50 " + estimate(t.Figures.P50, s.sym)
	if long := numbers + " p95 " + estimate(t.Figures.P95, s.sym); x+6+cells(long) < s.w && t.Figures.P95.OK {
		numbers = long
	}
	at := s.right(s.w, y, numbers, themes.Text)
	s.text(x, y, clipName(t.Name, at-x-1, s.sym), themes.Strong)
	sp, troubled := s.problem(t)
	switch {
	case p.lines < 2 && troubled:
		s.fill(x, y, s.w-x, " ", themes.Plain)
		s.text(x, y, clip(t.Name+" "+sp.text, s.w-x, s.sym), sp.tok)
		return
	case p.lines < 2:
		return
	case troubled:
		s.text(2, y+1, clip(sp.text, s.w-2, s.sym), sp.tok)
	default:
		s.newestBar(t, y+1, p)
	}
	for row, list := range [][]span{s.summaryParts(t), s.summaryFigures(t), {{t.Model, themes.Dim}}} {
		if row+2 < p.lines {
			s.asMany(2, y+row+2, list)
		}
	}
}

// asMany draws as many items as fit on a line, the first in any case.
func (s *sheet) asMany(x, y int, items []span) {
	for i, item := range items {
		text := clip(item.text, s.w-x, s.sym)
		if i > 0 && text != item.text {
			return
		}
		x = s.text(x, y, text, item.tok) + gap
	}
}

// summaryParts are the parts of the waterfall that gets figures, the longest
// first: "prefill 85.2 r".
func (s *sheet) summaryParts(t *Target) []span {
	d := detail(t)
	var shown []probe.Part
	for _, part := range probe.Parts {
		if _, ok := sourceOf(d.w, part); ok {
			shown = append(shown, part)
		}
	}
	slices.SortStableFunc(shown, func(a, b probe.Part) int { return cmp.Compare(partOf(d.w, b), partOf(d.w, a)) })
	var list []span
	for _, part := range shown {
		src, _ := sourceOf(d.w, part)
		list = append(list, span{string(part) + " " + d.sign(part, s.sym) + figureText(d.w, part, plainFigures, s.sym) + " " + src, themes.Text})
	}
	return list
}

// summaryFigures are the figures beside p50 and p95, the most important first.
func (s *sheet) summaryFigures(t *Target) []span {
	f := &t.Figures
	if l := t.Ladder; l.Done < l.Total && f.Probes == 0 {
		return []span{{"calibrating " + Count(int64(l.Done)) + "/" + Count(int64(l.Total)), themes.Accent}}
	}
	list := []span{{"n " + shortCount(int64(f.Probes)), themes.Dim}, {failedShare(f, s.sym) + " failed", themes.Dim}}
	if f.Fixed.OK && f.Slope.OK {
		list = append(list, span{fitCell(f, " + ", s.sym), themes.Text})
	}
	if f.ITL.OK {
		list = append(list, span{"ITL " + mark(f.ITL, s.sym), themes.Dim})
	}
	return list
}

// summaryEnd draws what stands below the targets, and returns the line where that
// begins: the counts, the selected knob, and as there is room the newest notice,
// the effect and the diagnosis.
func (s *sheet) summaryEnd(snap Snapshot) (y int) {
	y = s.summaryCounts(&snap.Status)
	if s.h >= 4 {
		y -= s.summaryKnob(snap, y-1)
	}
	if told := notices(&snap.Status); len(told) > 0 && s.h > 6 {
		y--
		s.notice(0, y, s.w, told[len(told)-1])
	}
	if s.h >= 10 && snap.Effect != nil {
		y--
		s.spans(0, y, s.effectSentence(snap, s.w)...)
	}
	if i := snap.Selected; s.h >= 12 && i >= 0 && i < len(snap.Targets) && snap.Targets[i].Diagnosis.What != "" {
		y--
		t := &snap.Targets[i]
		x := s.text(0, y, letter(i), themes.Target(i)) + 1
		s.spans(x, y, s.diagnosisIn(t.Diagnosis, s.w-x)...)
	}
	return y
}

// summaryKnob draws the selected knob with the keys that turn it, and returns how
// many lines that took.
func (s *sheet) summaryKnob(snap Snapshot, y int) int {
	for _, k := range snap.Knobs {
		if k.Selected {
			x := s.summaryTurned(y, k.Name, s.knobValue(k, s.w/2), k.Turns)
			s.asMany(x+1, y, []span{{"", themes.Plain}, {Clean(k.Note, s.sym.ASCII), themes.Dim}, {"? keys", themes.Dim}})
			return 1
		}
	}
	return 0
}

// summaryTurned draws what is turned: "▸prompt 1,024 (p/P)". The value is cut
// last.
func (s *sheet) summaryTurned(y int, name, value, keys string) int {
	s.put(0, y, s.sym.Pointer, themes.Accent)
	value = clip(value, s.w-1, s.sym)
	x := s.text(1, y, clip(name, s.w-2-cells(value), s.sym), themes.Text)
	x = s.text(x+1, y, value, themes.Selected)
	if keys = clip("("+keys+")", s.w, s.sym); x+1+cells(keys) <= s.w {
		x = s.text(x+1, y, keys, themes.Dim)
	}
	return x
}

// summaryCounts draws the counts on the last line, or the last two, and returns the
// first of these.
func (s *sheet) summaryCounts(st *Status) (y int) {
	line := shortCount(int64(st.Probes)) + " probes " + shortCount(int64(st.Failed)) + " failed"
	tokens := shortCount(st.Sent+st.Received) + " tokens"
	if st.Budget > 0 {
		tokens += " of " + shortCount(st.Budget)
	}
	y = s.h - 1
	switch one := line + " " + tokens; {
	case cells(one) <= s.w:
		line = one
	case s.h < 6: // a single line
		line = shortCount(int64(st.Probes)) + " probes " + shortCount(st.Sent+st.Received) + " tok"
		if st.Failed > 0 {
			line = shortCount(int64(st.Probes)) + " probes " + shortCount(int64(st.Failed)) + " failed"
		}
	default:
		y--
		s.text(0, y, clip(line, s.w, s.sym), themes.Dim)
		line = tokens
	}
	s.text(0, s.h-1, clip(line, s.w, s.sym), themes.Dim)
	return y
}
