package views

import (
	"strconv"
	"strings"

	"ttftop/themes"
)

// Header is the first line: the program, whether what it shows is real, which
// view it is, whether it is paused, the targets, and how long it has run.
func Header(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	x := s.text(1, 0, "ttftop", themes.Accent) + 2
	if snap.Simulated {
		x = s.text(x, 0, " SIMULATED ", themes.Simulated) + 1
	}
	x = s.viewNames(snap.View, x)
	if snap.Simulated {
		if s.w >= 160 {
			x = s.text(x, 0, "no real endpoint is measured", themes.Warn) + 2
		}
	}
	if snap.Paused {
		x = s.text(x, 0, " "+s.sym.Pause+" PAUSED ", themes.Paused) + 1
	}
	end := s.w - 1
	for _, sp := range []span{
		{clock(snap.Now), themes.Text},
		{"epoch " + strconv.Itoa(snap.Epoch), themes.Dim},
	} {
		if end-cells(sp.text) > x {
			end = s.right(end, 0, sp.text, sp.tok) - 2
		}
	}
	s.text(x, 0, clip(targetsLine(snap.Targets, end-x), end-x, s.sym), themes.Text)
	return s.String()
}

// viewNames draws which view it is, by name, and the others by number; where
// there is room, by name too.
func (s *sheet) viewNames(now View, x int) int {
	for v := range View(NViews) {
		switch {
		case v == now:
			x = s.spans(x, 0, span{s.sym.Pointer, themes.Accent}, span{v.Key() + " " + v.String(), themes.Selected}) + 1
		case s.w >= columnsWide:
			x = s.spans(x, 0, span{v.Key(), themes.Accent}, span{" " + v.String(), themes.Dim}) + 1
		default:
			x = s.text(x, 0, v.Key(), themes.Accent) + 1
		}
	}
	return x + 1
}

// targetsLine counts the targets and names as many as may fit in room cells.
func targetsLine(targets []Target, room int) string {
	n := len(targets)
	if n == 0 {
		return "no target"
	}
	room = max(room, 0)
	list := make([]string, 0, n)
	for _, t := range targets[:min(n, room/2+1)] {
		list = append(list, head(t.Name, longest(room)))
	}
	return plural(int64(n), "target") + ": " + strings.Join(list, ", ")
}
