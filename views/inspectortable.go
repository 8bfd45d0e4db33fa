package views

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// segmentNames are all segments in the order of the waterfall.
var segmentNames = []probe.SegmentName{
	probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT,
	probe.Handling, probe.Queue, probe.Prefill, probe.FirstDecode, probe.Server,
}

// InspectedSegments are the segments that the inspector lists: those of the
// last probe and of the p50 waterfall.
func InspectedSegments(t *Target) []probe.SegmentName {
	var list []probe.SegmentName
	for _, name := range segmentNames {
		_, last := segmentOf(lastCut(t), name)
		if _, p50 := segmentOf(t.P50, name); last || p50 {
			list = append(list, name)
		}
	}
	return list
}

// InspectedIndex is where the chosen segment stands among InspectedSegments.
// Where nothing is chosen, or the chosen one is not there any more, it is the
// longest.
func InspectedIndex(t *Target, chosen probe.SegmentName) int {
	names := InspectedSegments(t)
	if i := slices.Index(names, chosen); i >= 0 {
		return i
	}
	w := lastCut(t)
	if len(t.P50) > 0 {
		w = t.P50
	}
	longest, most := 0, time.Duration(-1)
	for i, name := range names {
		if seg, ok := segmentOf(w, name); ok && seg.Duration > most {
			longest, most = i, seg.Duration
		}
	}
	return longest
}

// lastCut is the waterfall of the last probe.
func lastCut(t *Target) probe.Waterfall {
	if t.Last == nil {
		return nil
	}
	return t.Last.Waterfall
}

func segmentOf(w probe.Waterfall, name probe.SegmentName) (probe.Segment, bool) {
	for _, seg := range w {
		if seg.Name == name {
			return seg, true
		}
	}
	return probe.Segment{}, false
}

// segmentLabel is a segment's name as a person reads it.
func segmentLabel(name probe.SegmentName) string {
	if name == probe.FirstDecode {
		return "first decode"
	}
	return string(name)
}

// inspectorColumn is a column of the inspector's table. The cell of no name is
// that of the sum.
type inspectorColumn struct {
	head  string
	width int
	rank  int // the higher, the earlier it is left out
	cell  func(name probe.SegmentName) string
}

// inspectorTable is the table on at most height lines: around the chosen
// segment where not all have room.
func (s *sheet) inspectorTable(snap Snapshot, t *Target, chosen, width, height int) [][]span {
	cols := fitInspector(s.inspectorColumns(snap, t), width)
	line := func(name probe.SegmentName) string {
		text := ""
		for i, c := range cols {
			cell := clip(c.cell(name), c.width, s.sym)
			if i > 0 {
				text += pad("", c.width-cells(cell)) + cell
				continue
			}
			text += pad(cell, c.width)
		}
		return text + "  " + clip(s.knownBy(t, name), width-cells(text)-4, s.sym)
	}
	heads := ""
	for i, c := range cols {
		if i == 0 {
			heads = pad(c.head, c.width)
			continue
		}
		heads += pad("", c.width-cells(c.head)) + c.head
	}
	heads += "  " + clip("how it is known", width-cells(heads)-4, s.sym)
	list := [][]span{{{"  " + heads, themes.Dim}}}
	names := InspectedSegments(t)
	const withSum = 5 // lines from which on the sum stands below the segments that there is room for
	sum := height >= min(withSum, len(names)+2)
	rows := height - 1
	if sum {
		rows--
	}
	from, to := visibleRange(len(names), chosen, rows)
	for i := from; i < to; i++ {
		if i == chosen {
			list = append(list, []span{{s.sym.Pointer + " ", themes.Accent}, {line(names[i]), themes.Selected}})
			continue
		}
		list = append(list, []span{{"  " + line(names[i]), themes.Text}})
	}
	if sum {
		list = append(list, []span{{"  " + line(""), themes.Strong}})
	}
	if more := moreLines(from, len(names)-to); more != "" {
		room := width - cells(more) - 4
		list[0] = []span{{"  " + pad(cutCells(heads, room), room), themes.Dim}, {"  " + more, themes.Warn}}
	}
	return list
}

// inspectorColumns are all columns, in their order.
func (s *sheet) inspectorColumns(snap Snapshot, t *Target) []inspectorColumn {
	last := lastCut(t)
	cols := []inspectorColumn{
		{"segment", 12, 0, func(n probe.SegmentName) string {
			if n == "" {
				return "TTFT"
			}
			return segmentLabel(n)
		}},
		{"last ms  ", 11, lastRank, func(n probe.SegmentName) string { return s.segmentCell(last, n, boundOfLast(t)) }},
		{"share", 7, 4, func(n probe.SegmentName) string { return shareCell(last, n, s) }},
	}
	if snap.Truth {
		var truth probe.Waterfall
		if t.Last != nil {
			truth = t.Last.Truth
		}
		cols = append(cols, inspectorColumn{"truth", 9, 3, func(n probe.SegmentName) string { return s.truthCell(truth, n) }})
	}
	cols = append(cols,
		inspectorColumn{"p50 ms  ", 11, 2, func(n probe.SegmentName) string { return s.segmentCell(t.P50, n, boundOf(t.P50Least, t.P50Most)) }},
		inspectorColumn{"share", 7, 5, func(n probe.SegmentName) string { return shareCell(t.P50, n, s) }},
	)
	if snap.Truth {
		cols = append(cols, inspectorColumn{"truth", 9, 3, func(n probe.SegmentName) string { return s.truthCell(t.P50Truth, n) }})
	}
	return append(cols, inspectorColumn{"p50 interval", 14, 6, func(n probe.SegmentName) string {
		seg, ok := segmentOf(t.P50, n)
		if !ok || seg.Source != probe.Estimated {
			return ""
		}
		return interval(seg.Lo, seg.Hi, s.sym)
	}})
}

// lastRank is the rank of the last probe's figures: they stay before their sources.
const lastRank = 1

// fitInspector leaves out columns until the sources have room beside them.
func fitInspector(cols []inspectorColumn, width int) []inspectorColumn {
	const knownWidth, pointer, gap = 20, 2, 2
	for {
		sum, worst := pointer, 0
		for i, c := range cols {
			sum += c.width
			if c.rank > cols[worst].rank {
				worst = i
			}
		}
		if worst == 0 || sum+gap+knownWidth <= width || cols[worst].rank == lastRank && sum <= width {
			return cols
		}
		cols = slices.Delete(cols, worst, worst+1)
	}
}

// segmentCell is a segment's milliseconds with the letter of its source, and a
// sign where they are a bound, or the sum.
func (s *sheet) segmentCell(w probe.Waterfall, name probe.SegmentName, queue bound) string {
	if name == "" {
		return s.sumCell(w) + "  "
	}
	seg, ok := segmentOf(w, name)
	if !ok {
		return s.sym.Unknown + "  "
	}
	letter := head(string(seg.Source), 1)
	if letter == "" {
		letter = " "
	}
	return queue.signOf(name.Part(), s.sym) + millis(positive(seg.Duration), s.sym) + " " + letter
}

func (s *sheet) sumCell(w probe.Waterfall) string {
	if len(w) == 0 {
		return s.sym.Unknown
	}
	return millis(length(w), s.sym)
}

func (s *sheet) truthCell(w probe.Waterfall, name probe.SegmentName) string {
	if name == "" {
		return s.sumCell(w)
	}
	if seg, ok := segmentOf(w, name); ok {
		return millis(positive(seg.Duration), s.sym)
	}
	return s.sym.Unknown
}

// shareCell is a segment's share of the TTFT.
func shareCell(w probe.Waterfall, name probe.SegmentName, s *sheet) string {
	seg, ok := segmentOf(w, name)
	if name == "" && len(w) > 0 {
		seg.Duration, ok = length(w), true
	}
	if !ok {
		return ""
	}
	const micro = int64(time.Microsecond) // a duration need not fit an int
	return percent(int(int64(positive(seg.Duration))/micro), int(int64(length(w))/micro), s.sym)
}

// knownBy is the source of a segment in words: that of the last probe, or where
// it has none the p50's.
func (s *sheet) knownBy(t *Target, name probe.SegmentName) string {
	seg, ok := segmentOf(lastCut(t), name)
	queue := boundOfLast(t)
	if !ok {
		if seg, ok = segmentOf(t.P50, name); !ok {
			return ""
		}
		queue = boundOf(t.P50Least, t.P50Most)
	}
	switch {
	case seg.Source == probe.Estimated && name == probe.Queue && queue != asItIs:
		return [...]string{atLeast: "at least", atMost: "at most", openBound: "a guess"}[queue] + "; " + interval(seg.Lo, seg.Hi, s.sym)
	case seg.Source == probe.Estimated:
		return "estimated " + interval(seg.Lo, seg.Hi, s.sym)
	case seg.Source == probe.Reported && t.Last != nil && t.Last.Known.Dialect != "":
		return "reported by " + head(t.Last.Known.Dialect, 128)
	}
	if k := t.Last; name == probe.RTT && ok && k != nil && (k.Known.Proxy != "" || k.Known.Has(probe.FlagProxyOnly)) {
		return string(seg.Source) + ", to proxy only"
	}
	return string(seg.Source)
}
