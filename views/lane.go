package views

import (
	"time"

	"ttftop/themes"
)

// lane draws the target number i from line y on: its name, and the rows of the
// plan. A lane of one line has all it shows beside the name.
func (s *sheet) lane(snap Snapshot, i, y int, p plan) {
	t := &snap.Targets[i]
	if p.lines == 1 {
		s.shortLane(snap, i, y, p)
		return
	}
	s.laneName(snap, i, y)
	rows := p.rows
	if sp, ok := s.problem(t); ok && !p.showsFigures() {
		y++
		s.text(2, y, clausesIn(sp.text, s.w-3, s.sym), sp.tok)
		rows = rows[1:]
	}
	for _, draw := range rows {
		y++
		draw(s, t, y, p)
	}
}

// laneName draws the first line of a lane: which target, and at its end what
// there is to know about it.
func (s *sheet) laneName(snap Snapshot, i, y int) {
	t := &snap.Targets[i]
	x := s.laneLetter(snap, i, y)
	const between, end = 2, 1
	room := s.w - x - between - end
	said := s.joined(s.remarks(t), max(room-s.titleWidth(t), s.w*3/5-between-end))
	s.laneTitle(t, x, y, room-spansWidth(said))
	s.spans(s.w-end-spansWidth(said), y, said...)
}

// laneLetter draws the sign of selection and the target's letter.
func (s *sheet) laneLetter(snap Snapshot, i, y int) int {
	if i == snap.Selected && len(snap.Targets) > 1 {
		s.put(0, y, s.sym.Pointer, themes.Accent)
	}
	return s.text(1, y, letter(i), themes.Target(i)) + 1
}

// titleWidth is the cells that name, region and model of a target take in full.
func (s *sheet) titleWidth(t *Target) int {
	n := cells(clip(t.Name, s.w, s.sym))
	for _, text := range []string{t.Region, t.Model} {
		if text != "" {
			n += 2 + cells(clip(text, s.w, s.sym))
		}
	}
	return n
}

// laneTitle draws name, region and model in at most room cells; the region is
// cut before the name, and the model before the region.
func (s *sheet) laneTitle(t *Target, x, y, room int) int {
	end := x + max(room, 0)
	x = s.text(x, y, clipName(t.Name, end-x, s.sym), themes.Strong)
	for _, sp := range []span{{t.Region, themes.Dim}, {t.Model, themes.Text}} {
		if sp.text != "" && end-x > 5 {
			x = s.text(x+2, y, clip(sp.text, end-x-2, s.sym), sp.tok)
		}
	}
	return x
}

// shortLane is a lane of one line.
func (s *sheet) shortLane(snap Snapshot, i, y int, p plan) {
	t := &snap.Targets[i]
	x := s.laneLetter(snap, i, y)
	s.text(x, y, clipName(t.Name, p.name-x, s.sym), themes.Strong)
	if sp, ok := s.problem(t); ok {
		s.text(p.barX, y, clausesIn(sp.text, s.w-p.barX-1, s.sym), sp.tok)
		return
	}
	s.newestBar(t, y, p)
	remark := p50Remark(t, s)
	s.right(s.w-1, y, remark, themes.Text)
}

// newestRow draws the probe in flight, or where there is none the last one.
func (s *sheet) newestRow(t *Target, y int, p plan) {
	s.right(s.w-1, y, clip(s.newestOf(t, y, p), remarkRoom, s.sym), themes.Dim)
}

// newestAndP50Row is newestRow with the p50 beside it.
func (s *sheet) newestAndP50Row(t *Target, y int, p plan) {
	s.newestOf(t, y, p)
	s.right(s.w-1, y, clip(p50Remark(t, s), remarkRoom, s.sym), themes.Dim)
}

func (s *sheet) newestOf(t *Target, y int, p plan) (remark string) {
	if t.Live != nil {
		s.text(2, y, "live", themes.Text)
	} else {
		s.text(2, y, "last", themes.Dim)
	}
	return s.newestBar(t, y, p)
}

// newestBar draws the bar and the total of the newest probe and returns its
// remark.
func (s *sheet) newestBar(t *Target, y int, p plan) string {
	switch {
	case t.Live != nil:
		s.bar(p.barX, y, p.barW, t.Live.Waterfall, p.axis)
		s.liveMarks(t, y, p)
		s.total(y, p, liveTime(t.Live), themes.Text)
		return probeRemark(t.Live.Kind, t.Live.Seq)
	case t.Last != nil:
		s.bar(p.barX, y, p.barW, t.Last.Waterfall, p.axis)
		s.lastMarks(t, y, p)
		s.total(y, p, t.Last.TTFT, themes.Text)
		return probeRemark(t.Last.Kind, t.Last.Seq)
	}
	s.bar(p.barX, y, p.barW, nil, p.axis)
	s.noTotal(y, p)
	return ""
}

// liveTime is the TTFT of a probe in flight once it is there, or else how long
// it has been under way.
func liveTime(l *Live) time.Duration {
	if l.TTFT.OK {
		return positive(l.TTFT.At)
	}
	return positive(l.Elapsed)
}

// liveRow draws the probe in flight alone.
func (s *sheet) liveRow(t *Target, y int, p plan) {
	tok := themes.Dim
	if t.Live != nil {
		tok = themes.Text
	}
	s.text(2, y, "live", tok)
	if t.Live == nil {
		s.bar(p.barX, y, p.barW, nil, p.axis)
		s.noTotal(y, p)
		return
	}
	s.right(s.w-1, y, clip(s.newestBar(t, y, p), remarkRoom, s.sym), themes.Dim)
}

// lastRow draws the last probe that had a first token.
func (s *sheet) lastRow(t *Target, y int, p plan) {
	s.text(2, y, "last", themes.Dim)
	if t.Last == nil {
		s.bar(p.barX, y, p.barW, nil, p.axis)
		s.noTotal(y, p)
		return
	}
	s.bar(p.barX, y, p.barW, t.Last.Waterfall, p.axis)
	s.lastMarks(t, y, p)
	s.total(y, p, t.Last.TTFT, themes.Text)
	s.right(s.w-1, y, clip(promptRemark(t.Last, s), remarkRoom, s.sym), themes.Dim)
}

// p50Row draws the p50 waterfall of the epoch.
func (s *sheet) p50Row(t *Target, y int, p plan) {
	s.text(2, y, "p50", themes.Strong)
	s.bar(p.barX, y, p.barW, t.P50, p.axis)
	s.p50Marks(t, y, p)
	if len(t.P50) == 0 {
		s.noTotal(y, p)
	} else {
		s.total(y, p, length(t.P50), themes.Strong)
	}
	s.right(s.w-1, y, clip("n "+Count(int64(max(t.P50Probes, 0))), remarkRoom, s.sym), themes.Dim)
}

// total draws the length of a bar behind it.
func (s *sheet) total(y int, p plan, d time.Duration, tok themes.Token) {
	s.right(p.barX+p.barW+totalWidth, y, Duration(positive(d), s.sym), tok)
}

func (s *sheet) noTotal(y int, p plan) {
	s.right(p.barX+p.barW+totalWidth, y, s.sym.Unknown, themes.Dim)
}

// detailRow gives the figures of the parts, or what is wrong in full.
func (s *sheet) detailRow(t *Target, y int, p plan) {
	if sp, ok := s.problem(t); ok {
		s.text(2, y, clausesIn(sp.text, s.w-3, s.sym), sp.tok)
		return
	}
	d := detail(t)
	s.text(2, y, d.of, themes.Dim)
	for _, c := range p.columns {
		s.figure(c, y, d, p.style)
	}
}
