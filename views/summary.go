package views

import "ttftop/themes"

// Summary is the whole screen in one column, for windows without room for
// panels: the header, each target with its p50 and p95 and, as there is room,
// its bar and its problem, and the counts. Where targets are compared the verdict
// stands in their place.
func Summary(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	x := s.text(0, 0, "ttftop", themes.Accent) + 1
	if snap.Simulated {
		x = s.text(x, 0, clip("SIMULATED", s.w-x, s.sym), themes.Simulated) + 1
	}
	if snap.Paused && s.w-x > 1 {
		s.text(x, 0, clip("PAUSED", s.w-x, s.sym), themes.Paused)
	}
	n := len(snap.Targets)
	room := s.h - 2 // the header and the counts
	if s.h >= 6 {
		room-- // the counts may take two lines
	}
	if s.h > 6 && (len(snap.Status.Notices) > 0 || snap.Status.Behind != "") {
		room--
	}
	if v := snap.Versus; v != nil && snap.View == Compare {
		s.summaryVerdict(v, room)
		s.summaryEnd(snap)
		return s.String()
	}
	lines := min(max(room/max(n, 1), 1), 3)
	from, to := visibleRange(n, snap.Selected, room/lines)
	p := plan{lines: lines, barX: 2, barW: max(0, s.w-2-totalWidth)}
	p.axis = niceAxis(longestBar(snap.Targets), 1)
	for i := from; i < to; i++ {
		s.summaryOf(snap, i, 1+(i-from)*lines, p)
	}
	s.summaryEnd(snap)
	return s.String()
}

// summaryVerdict writes the verdict and, as there is room, its reason.
func (s *sheet) summaryVerdict(v *Versus, room int) {
	lines := wrapped(v.Verdict.Sentence(), s.w, s.sym)
	if why := v.Verdict.Why(); why != "" {
		lines = append(lines, wrapped(why, s.w, s.sym)...)
	}
	for i, line := range lines[:min(len(lines), max(0, room))] {
		s.text(0, 1+i, line, themes.Text)
	}
}

// summaryOf draws one target on one to three lines.
func (s *sheet) summaryOf(snap Snapshot, i, y int, p plan) {
	t := &snap.Targets[i]
	x := s.laneLetter(snap, i, y)
	numbers := "p50 " + estimate(t.Figures.P50, s.sym)
	if long := numbers + " p95 " + estimate(t.Figures.P95, s.sym); x+6+cells(long) < s.w && t.Figures.P95.OK {
		numbers = long
	}
	at := s.right(s.w, y, numbers, themes.Text)
	s.text(x, y, clip(t.Name, at-x-1, s.sym), themes.Strong)
	if p.lines < 2 {
		if sp, ok := s.problem(t); ok {
			s.fill(x, y, s.w-x, " ", themes.Plain)
			s.text(x, y, clip(t.Name+" "+sp.text, s.w-x, s.sym), sp.tok)
		}
		return
	}
	if sp, ok := s.problem(t); ok {
		s.text(2, y+1, clip(sp.text, s.w-2, s.sym), sp.tok)
	} else {
		s.newestBar(t, y+1, p)
	}
	if p.lines > 2 {
		s.text(2, y+2, clip(t.Model, s.w-2, s.sym), themes.Dim)
	}
}

// summaryEnd draws the counts, or the newest notice, on the last line.
func (s *sheet) summaryEnd(snap Snapshot) {
	notices := snap.Status.Notices
	if snap.Status.Behind != "" {
		notices = []string{snap.Status.Behind}
	}
	if n := len(notices); n > 0 && s.h > 6 {
		s.notice(0, s.h-3, s.w, notices[n-1])
	}
	st := &snap.Status
	line := shortCount(int64(st.Probes)) + " probes " + shortCount(int64(st.Failed)) + " failed"
	tokens := shortCount(st.Sent+st.Received) + " tokens"
	if st.Budget > 0 {
		tokens += " of " + shortCount(st.Budget)
	}
	switch one := line + " " + tokens; {
	case cells(one) <= s.w:
		line = one
	case s.h < 6: // a single line
		line = shortCount(int64(st.Probes)) + " probes " + shortCount(st.Sent+st.Received) + " tok"
	default:
		s.text(0, s.h-2, clip(line, s.w, s.sym), themes.Dim)
		line = tokens
	}
	s.text(0, s.h-1, clip(line, s.w, s.sym), themes.Dim)
}
