package views

import (
	"strconv"

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
	others := s.w >= roomForOthers || !snap.unlinked() || !snap.Paused
	x = s.viewNames(snap.View, x, others)
	if snap.Simulated {
		if s.w >= 160 {
			x = s.text(x, 0, "no real endpoint is measured", themes.Warn) + 2
		}
	}
	if snap.Paused {
		x = s.text(x, 0, " "+s.sym.Pause+" PAUSED ", themes.Paused) + 1
	}
	x = s.linkBadge(snap, x)
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
	s.text(x, 0, s.targetsLine(snap.Targets, end-x), themes.Text)
	return s.String()
}

// namesWide is the width from which every view is named, and roomForOthers that
// from which the others are told by number whatever else there is to tell.
const namesWide, roomForOthers = 116, 72

// viewNames draws which view it is, by name, and the others by number; where
// there is room, by name too.
func (s *sheet) viewNames(now View, x int, others bool) int {
	for v := range View(NViews) {
		switch {
		case v == now:
			x = s.spans(x, 0, span{s.sym.Pointer, themes.Accent}, span{v.Key() + " " + v.String(), themes.Selected}) + 1
		case s.w >= namesWide:
			x = s.spans(x, 0, span{v.Key(), themes.Accent}, span{" " + v.String(), themes.Dim}) + 1
		case others:
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

// unlinked reports whether the knobs turn for one target of several.
func (s *Snapshot) unlinked() bool { return s.Unlinked && len(s.Targets) > 1 }

// linkBadge tells that the knobs turn for the selected target alone.
func (s *sheet) linkBadge(snap Snapshot, x int) int {
	if !snap.unlinked() {
		return x
	}
	const beside = 16 // for the epoch and the clock
	text := " " + letter(snap.Selected) + " ALONE "
	if long := " KNOBS:" + text; x+cells(long)+beside <= s.w {
		text = long
	}
	return s.text(x, 0, text, themes.Paused) + 1
}

// targetsLine counts the targets and names as many as fit whole in room cells:
// "5 targets: near, far +3". A single one is named as far as there is room.
func (s *sheet) targetsLine(targets []Target, room int) string {
	const least = 8 // cells in which the beginning of a name says something
	n := len(targets)
	count := "no target"
	if n > 0 {
		count = plural(int64(n), "target")
	}
	best := clip(count, room, s.sym)
	if cells(best) < cells(count) {
		return ""
	}
	named := count + ":"
	for i := range targets {
		name := clip(targets[i].Name, s.w, s.sym)
		if n == 1 && room-cells(named)-1 >= least {
			name = clip(name, room-cells(named)-1, s.sym)
		}
		named += [...]string{" ", ", "}[min(i, 1)] + name
		line := named
		if rest := n - i - 1; rest > 0 {
			line += " +" + strconv.Itoa(rest)
		}
		if cells(named) > room {
			break
		}
		if cells(line) <= room {
			best = line
		}
	}
	return best
}
