package views

import (
	"strings"

	"ttftop/probe"
	"ttftop/probe/whatif"
	"ttftop/themes"
)

// PlainWhatIf is what the TTFT of the selected target would be under each lever,
// a line each, with what it assumes.
func PlainWhatIf(snap Snapshot, th themes.Theme) string {
	s, in := newSheet(longestLine, 0, th), snap.WhatIf
	if in == nil || inspected(snap) == nil {
		return "No target is selected."
	}
	lines := []string{s.plainOf(snap, "what if") + ", projected, not measured; now p50 " + mark(in.P50, s.sym) + " ms, p95 " + mark(in.P95, s.sym) + " ms"}
	for i := range in.Levers {
		lines = append(lines, "  "+s.plainProjection(in, &in.Levers[i]))
	}
	return strings.Join(lines, "\n")
}

// plainProjection is one lever: "smaller model, sim-1b, 12 % as large: p50 24.5 ms
// (−77 %), p95 38.1 ms (−70 %); assumes: …".
func (s *sheet) plainProjection(in *WhatIf, l *whatif.Projection) string {
	var figures, assumed []string
	for _, q := range []struct {
		name string
		e    whatif.Estimate
		now  probe.Mark
	}{{"p50", l.P50, in.P50}, {"p95", l.P95, in.P95}} {
		if q.e.OK {
			figures = append(figures, q.name+" "+s.projected(q.e)+" ms ("+s.changed(q.e, q.now)+")")
		}
	}
	for _, line := range s.whatIfAssumed(l, longestLine) {
		assumed = append(assumed, plainSpans(line))
	}
	text := string(l.Lever)
	if l.Does != "" {
		text += ", " + l.Does
	}
	if len(figures) > 0 {
		text += ": " + strings.Join(figures, ", ")
	}
	return text + "; " + strings.Join(assumed, " ")
}
