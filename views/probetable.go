package views

import (
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// ProbeColumn is what the table of probes is sorted by.
type ProbeColumn int

// The columns, in the order in which a key goes through them.
const (
	ProbeSeq ProbeColumn = iota
	ProbeTarget
	ProbeKind
	ProbePrompt
	ProbeTTFT
	ProbeQueue
	ProbeRemark

	NProbeColumns
)

// Text reports whether the column is of words, which begin with A, and not of
// numbers, of which the largest is of interest.
func (c ProbeColumn) Text() bool { return c == ProbeTarget || c == ProbeKind }

var orders = [NProbeColumns][2]string{ // descending, ascending
	{"newest first", "oldest first"}, {"by target, from the last", "by target"}, {"by kind, from Z", "by kind"},
	{"longest prompt first", "shortest prompt first"}, {"slowest first", "fastest first"}, {"longest queue first", "shortest queue first"},
	{"flags and failures first", "flags and failures last"},
}

// ProbesTitle is the name of the panel, which rows it shows, and how they are
// ordered; for an open probe which one it is. The panel has width × height cells.
func ProbesTitle(snap Snapshot, width, height int, th themes.Theme) (name, remark string) {
	p := snap.Probes
	if p == nil {
		return "probes", ""
	}
	if p.Open != nil {
		return "probe " + Count(int64(p.Open.Seq)), scrolled(snap, width, th)
	}
	if p.Sort < 0 || p.Sort >= NProbeColumns {
		return "probes", ""
	}
	order := orders[p.Sort][0]
	if p.Ascending {
		order = orders[p.Sort][1]
	}
	from, to := visibleRange(len(p.Rows), p.Selected, height-ProbeHeadLines(snap))
	shown := hidden(from, to, len(p.Rows), width, newSheet(0, 0, th).sym)
	newest := "the newest " + Count(int64(p.Total))
	switch {
	case p.Total == 0:
		return "probes", ""
	case len(p.Rows) == p.Total && shown == "":
		return "probes", newest + ", " + order
	case len(p.Rows) == p.Total:
		return "probes", shown + " (" + newest + "), " + order
	case shown == "":
		return "probes", Count(int64(len(p.Rows))) + " of " + newest + ", " + order
	}
	return "probes", shown + " (of " + newest + "), " + order
}

// ProbesPanel is the table of the newest probes, or one of them in full.
//
//	filter: sim-far_
//	  seq   age target      kind       prompt   TTFT ▼  segments           flags, failure
//	▸ 374   2 s A near      probe       1,023   108 ms  ─══░███████▚
func ProbesPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	p := snap.Probes
	switch {
	case p == nil:
	case p.Open != nil:
		s.probeInFull(snap)
	default:
		s.probeTable(snap)
	}
	return s.String()
}

// ProbeHeadLines is how many lines stand above the rows of the table.
func ProbeHeadLines(snap Snapshot) int {
	if p := snap.Probes; p != nil && (p.Typing || p.Filter != "") {
		return 2
	}
	return 1
}

func (s *sheet) probeTable(snap Snapshot) {
	p := snap.Probes
	y := ProbeHeadLines(snap) - 1
	if y > 0 {
		s.filterLine(p)
	}
	if len(p.Rows) == 0 {
		text := "no probe has ended yet"
		switch {
		case p.Total > 0:
			text = "no probe matches: esc clears the filter"
		case snap.unnamed():
			text = noModel
		}
		s.text(2, y+1, clip(text, s.w-3, s.sym), themes.Dim)
		return
	}
	from, to := visibleRange(len(p.Rows), p.Selected, s.h-1-y)
	rows := p.Rows[from:to]
	c := s.probeColumns(snap, rows)
	s.probeHead(p, y, c)
	for i, r := range rows {
		s.probeRow(snap, r, y+1+i, c, from+i == p.Selected)
	}
}

// filterLine is the filter, with a cursor while it is typed.
func (s *sheet) filterLine(p *ProbeList) {
	x := s.text(1, 0, "filter: ", themes.Dim)
	text := clip(p.Filter, s.w-x-2, s.sym)
	if p.Typing && strings.HasSuffix(p.Filter, " ") {
		text += " "
	}
	x = s.text(x, 0, text, themes.Strong)
	if p.Typing {
		s.text(min(x, s.w-1), 0, " ", themes.Cursor)
	}
}

// probeColumn is a column of the table of probes.
type probeColumn struct {
	head  string
	by    ProbeColumn
	width int
	right bool // its cells end at its right edge
	cell  func(s *sheet, snap Snapshot, r *probe.Result) (string, themes.Token)
	x     int
}

// probeTableColumns are the columns beside bars and remarks; the width of one
// is that of its widest usual cell.
var probeTableColumns = []probeColumn{
	{head: "seq", by: ProbeSeq, width: 7, right: true, cell: func(_ *sheet, _ Snapshot, r *probe.Result) (string, themes.Token) {
		return Count(int64(r.Seq)), themes.Text
	}},
	{head: "age", by: -1, width: 5, right: true, cell: func(_ *sheet, snap Snapshot, r *probe.Result) (string, themes.Token) {
		return shortAge(ageOf(snap, r)), themes.Dim
	}},
	{head: "target", by: ProbeTarget, width: 12, cell: func(_ *sheet, snap Snapshot, r *probe.Result) (string, themes.Token) {
		return letter(r.Target) + " " + targetName(snap, r), themes.Target(r.Target)
	}},
	{head: "kind", by: ProbeKind, width: 11, cell: func(_ *sheet, _ Snapshot, r *probe.Result) (string, themes.Token) {
		return string(r.Kind), themes.Dim
	}},
	{head: "prompt", by: ProbePrompt, width: 9, right: true, cell: func(s *sheet, _ Snapshot, r *probe.Result) (string, themes.Token) {
		if r.PromptTokens <= 0 {
			return s.sym.Unknown, themes.Dim
		}
		return approximate(Count(int64(r.PromptTokens)), r.PromptExact, s.sym), themes.Text
	}},
	{head: "TTFT", by: ProbeTTFT, width: 8, right: true, cell: func(s *sheet, _ Snapshot, r *probe.Result) (string, themes.Token) {
		if !r.TTFT().OK {
			return s.sym.Unknown, themes.Dim
		}
		return Duration(positive(r.TTFT().At), s.sym), themes.Strong
	}},
}

// queueColumn is that of the segment that probes can be sorted by; the table has it
// while they are.
var queueColumn = probeColumn{head: "queue", by: ProbeQueue, width: 8, right: true, cell: func(s *sheet, _ Snapshot, r *probe.Result) (string, themes.Token) {
	if _, ok := sourceOf(r.Waterfall, probe.QueuePart); !ok {
		return s.sym.Unknown, themes.Dim
	}
	return Duration(positive(r.Waterfall.Of(probe.QueuePart)), s.sym), themes.Text
}}

// probeLayout is the table's columns with their places.
type probeLayout struct {
	columns    []probeColumn
	barX, barW int
	remarkX    int
	axis       axis
}

// narrowTable is the width below which ages and kinds are left out.
const narrowTable = 72

// probeColumns places the columns for the rows to be shown: each as wide as its
// cells need, the bars and the remarks in what is left.
func (s *sheet) probeColumns(snap Snapshot, rows []*probe.Result) probeLayout {
	var l probeLayout
	x, gap := 1, 1
	if s.w >= columnsWide {
		gap = 2
	}
	columns := probeTableColumns
	if snap.Probes.Sort == ProbeQueue {
		columns = append(columns[:len(columns):len(columns)], queueColumn)
	}
	for _, c := range columns {
		if s.w < narrowTable && (c.by < 0 || c.by == ProbeKind) {
			continue
		}
		most := c.width
		if c.by == ProbeTarget {
			most += max(0, (s.w-columnsWide)/8)
		}
		c.width = len(c.head) + signWidth
		for _, r := range rows {
			text, _ := c.cell(s, snap, r)
			c.width = max(c.width, cells(clip(text, most, s.sym)))
		}
		c.x = x
		x += c.width + gap
		l.columns = append(l.columns, c)
	}
	remark := 0
	var longest time.Duration
	for _, r := range rows {
		longest = max(longest, length(r.Waterfall))
		remark = max(remark, cells(clip(ProbeRemarkText(r), s.w/2, s.sym)))
	}
	room := max(0, s.w-x-gap-1)
	l.barX, l.barW = x, max(room-max(remark, len("flags")+signWidth), room/2)
	l.remarkX = l.barX + l.barW + gap
	l.axis = niceAxis(longest, 1)
	return l
}

// signWidth is the cells of the sign on the column that the table is sorted by.
const signWidth = 2

// columnsWide is the width from which names have more room.
const columnsWide = 100

// probeHead draws the names of the columns, with a sign on the one that the
// table is sorted by.
func (s *sheet) probeHead(p *ProbeList, y int, l probeLayout) {
	sign := " " + s.sym.Falling
	if p.Ascending {
		sign = " " + s.sym.Rising
	}
	head := func(name string, by ProbeColumn) (string, themes.Token) {
		if p.Sort == by {
			return name + sign, themes.Accent
		}
		return name, themes.Dim
	}
	for _, c := range l.columns {
		text, tok := head(c.head, c.by)
		if c.right {
			s.right(c.x+c.width, y, text, tok)
		} else {
			s.text(c.x, y, text, tok)
		}
	}
	text, tok := head("segments", -2)
	s.text(l.barX, y, clip(text, l.barW, s.sym), tok)
	text, tok = head("flags", ProbeRemark)
	s.text(l.remarkX, y, clip(text, s.w-l.remarkX, s.sym), tok)
}

func (s *sheet) probeRow(snap Snapshot, r *probe.Result, y int, l probeLayout, selected bool) {
	for _, c := range l.columns {
		text, tok := c.cell(s, snap, r)
		if c.by == ProbeTarget {
			text = clipName(text, c.width, s.sym)
		}
		text = clip(text, c.width, s.sym)
		if selected && c.by == ProbeSeq {
			tok = themes.Selected
		}
		if c.right {
			s.right(c.x+c.width, y, text, tok)
		} else {
			s.text(c.x, y, text, tok)
		}
	}
	if selected {
		s.put(0, y, s.sym.Pointer, themes.Accent)
	}
	if len(r.Waterfall) > 0 {
		s.bar(l.barX, y, l.barW, r.Waterfall, l.axis)
	}
	tok := themes.Warn
	if r.Failure != nil {
		tok = themes.Bad
	}
	s.text(l.remarkX, y, clip(ProbeRemarkText(r), s.w-l.remarkX-1, s.sym), tok)
}

// ProbeRemarkText is why a probe failed, its kind first, or else its flags; "" for
// one that is fine.
func ProbeRemarkText(r *probe.Result) string {
	if r.Failure != nil {
		return briefFailure(r.Failure)
	}
	names := make([]string, len(r.Flags))
	for i, f := range r.Flags {
		names[i] = string(f)
	}
	return strings.Join(names, " ")
}

// targetName is the name of a probe's target.
func targetName(snap Snapshot, r *probe.Result) string {
	if r.Target < 0 || r.Target >= len(snap.Targets) {
		return ""
	}
	return snap.Targets[r.Target].Name
}

// ageOf is how long ago a probe began.
func ageOf(snap Snapshot, r *probe.Result) time.Duration {
	return positive(snap.Probes.Now - r.At.Sub(snap.Start))
}

// shortAge is a length of time in its largest unit: "4 s", "12 m", "3 h".
func shortAge(d time.Duration) string {
	switch {
	case d < 100*time.Second:
		return Count(int64(d/time.Second)) + " s"
	case d < 100*time.Minute:
		return Count(int64(d/time.Minute)) + " m"
	}
	return Count(int64(d/time.Hour)) + " h"
}
