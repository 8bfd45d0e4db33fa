package views

import (
	"strconv"
	"strings"

	"ttftop/probe/ab"
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
	x = s.pairsBadge(snap.Versus, x)
	end := s.w - 1
	for _, sp := range []span{
		{clock(snap.Now), themes.Text},
		{"epoch " + strconv.Itoa(snap.Epoch), themes.Dim},
	} {
		if end-cells(sp.text) > x {
			end = s.right(end, 0, sp.text, sp.tok) - 2
		}
	}
	if end-x >= targetsRoom {
		s.text(x, 0, clip(targetsLine(snap.Targets, end-x), end-x, s.sym), themes.Text)
	}
	return s.String()
}

// namesWide is the width from which every view is named, and targetsRoom the
// cells that are worth naming targets in.
const namesWide, targetsRoom = 116, 9

// viewNames draws which view it is, by name, and the others by number; where
// there is room, by name too.
func (s *sheet) viewNames(now View, x int) int {
	for v := range View(NViews) {
		switch {
		case v == now:
			x = s.spans(x, 0, span{s.sym.Pointer, themes.Accent}, span{v.Key() + " " + v.String(), themes.Selected}) + 1
		case s.w >= namesWide:
			x = s.spans(x, 0, span{v.Key(), themes.Accent}, span{" " + v.String(), themes.Dim}) + 1
		default:
			x = s.text(x, 0, v.Key(), themes.Accent) + 1
		}
	}
	return x + 1
}

// badgeRoom is the most cells that the badge of the pairs takes, and clockRoom
// what it leaves to the clock.
const badgeRoom, clockRoom = 30, 9

// pairsBadge tells that pairs are being sent, and how far they have brought the
// comparison.
func (s *sheet) pairsBadge(v *Versus, x int) int {
	if v == nil || !v.Pairs.On {
		return x
	}
	text := "A/B " + plural(int64(v.Verdict.Pairs), "pair")
	name := func(side int) string {
		return clip(v.Verdict.Sides[side].Name, badgeRoom-len(" A/B  fails more "), s.sym)
	}
	switch v.Verdict.Outcome {
	case ab.AFaster:
		text = "A/B " + name(0) + " faster"
	case ab.BFaster:
		text = "A/B " + name(1) + " faster"
	case ab.Same:
		text = "A/B the same"
	case ab.AFailsMore:
		text = "A/B " + name(0) + " fails more"
	case ab.BFailsMore:
		text = "A/B " + name(1) + " fails more"
	}
	if text = clip(text, min(badgeRoom, s.w-clockRoom-x)-2, s.sym); text == "" {
		return x
	}
	return s.text(x, 0, " "+text+" ", themes.Selected) + 1
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
