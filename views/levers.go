package views

import (
	"strings"

	"ttftop/themes"
)

// LeverList is the levers of the selected target.
type LeverList struct {
	Of       string // whom a turn is for, such as "sim-near and sim-far"
	Levers   []Lever
	Selected int // index into Levers
}

// Lever is one thing to turn at a simulated server itself.
type Lever struct {
	Group string // what belongs together stands together
	Name  string
	Value string
	About string
	Steps []string // values to turn through, in order
}

// LeversTitle is the name of the panel of levers, and whom they turn.
func LeversTitle(snap Snapshot) (name, remark string) {
	if snap.Levers == nil {
		return "levers", ""
	}
	return "levers", snap.Levers.Of
}

// leverWide is the width from which on every lever has its sentence beside it.
const leverWide = 76

// LeversPanel lists the levers by group, as many as there are lines for, around
// the selected one. Below stands what that one is, where it isn't beside it, and
// the values that it can be turned through:
//
//	 weights   quantization      fp16    precision of the weights
//	▸batching  policy            static  how batches are made
//	           max-batch         48      requests that run at once
//	 continuous [static]
func LeversPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	list := snap.Levers
	if list == nil || len(list.Levers) == 0 {
		s.text(1, 0, clip("no levers: a real server is turned where it runs", s.w-2, s.sym), themes.Dim)
		return s.String()
	}
	at := min(max(list.Selected, 0), len(list.Levers)-1)
	about, below := s.w >= leverWide, 0
	switch {
	case about && s.h > 2, !about && s.h > 2 && s.h <= 5:
		below = 1
	case !about && s.h > 5:
		below = 2
	}
	from, to := visibleRange(len(list.Levers), at, s.h-below)
	columns := s.leverColumns(list.Levers)
	for i := from; i < to; i++ {
		l := &list.Levers[i]
		group := i == from || l.Group != list.Levers[i-1].Group
		s.lever(l, i-from, columns, i == at, group, about)
	}
	if below > 0 && !about {
		s.text(1, s.h-below, clip(list.Levers[at].About, s.w-2, s.sym), themes.Dim)
	}
	if about && below > 0 || below > 1 {
		s.steps(&list.Levers[at], s.h-1)
	}
	return s.String()
}

// leverColumns are the widths of the columns of the levers: group, name, value.
func (s *sheet) leverColumns(levers []Lever) (widths [3]int) {
	for i := range levers {
		for c, text := range [...]string{levers[i].Group, levers[i].Name, levers[i].Value} {
			widths[c] = max(widths[c], cells(clip(text, s.w/[...]int{5, 3, 4}[c], s.sym)))
		}
	}
	return widths
}

// lever draws one lever on a line.
func (s *sheet) lever(l *Lever, y int, columns [3]int, selected, group, about bool) {
	if group {
		s.text(1, y, clip(l.Group, columns[0], s.sym), themes.Dim)
	}
	x := columns[0] + 3
	text := pad(clip(l.Name, columns[1], s.sym), columns[1]) + "  " + pad(clip(l.Value, columns[2], s.sym), columns[2])
	if selected {
		s.put(x-1, y, s.sym.Pointer, themes.Accent)
		x = s.text(x, y, text, themes.Selected)
	} else {
		x = s.text(x, y, text, themes.Text)
	}
	if about {
		s.text(x+2, y, clip(l.About, s.w-x-3, s.sym), themes.Dim)
	}
}

// steps draws the values that a lever is turned through, with the present one
// between brackets. Where not all fit, those far from it are left out.
func (s *sheet) steps(l *Lever, y int) {
	now, width := 0, 0
	items := make([]string, len(l.Steps))
	for i, step := range l.Steps {
		items[i] = clip(step, s.w/3, s.sym)
		if step == l.Value {
			items[i], now = "["+items[i]+"]", i
		}
		width += cells(items[i]) + 1
	}
	from := 0
	for ; from < now && width > s.w-1; from++ {
		width -= cells(items[from]) + 1
	}
	x := 1
	for i, item := range items[from:] {
		if x+cells(item) > s.w-1 {
			break
		}
		tok := themes.Dim
		if l.Steps[from+i] == l.Value {
			tok = themes.Strong
		}
		x = s.text(x, y, item, tok) + 1
	}
}

// PlainLevers is every lever on a line of its own, to be read aloud: "weights:
// quantization fp16, precision of the weights".
func PlainLevers(list *LeverList) string {
	lines := []string{"Levers of " + list.Of + ":"}
	for _, l := range list.Levers {
		lines = append(lines, l.Group+": "+l.Name+" "+l.Value+", "+l.About)
	}
	return strings.Join(lines, "\n")
}
