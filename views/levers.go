package views

import (
	"slices"
	"strings"

	"ttftop/themes"
)

// LeverList is the levers of the selected target.
type LeverList struct {
	Of       string  // whom a turn is for, such as "sim-near and sim-far"
	Levers   []Lever // that pass the filter
	Selected int     // index into Levers
	Total    int     // with those that don't pass it
	Filter   string
	Typing   bool // the filter is being typed
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

// leverWide is the width from which on every lever has its sentence beside it, and
// roomyLevers the lines from which on that of the selected one stands below as well
// where one of them is cut.
const leverWide, roomyLevers = 76, 12

// LeversPanel lists the levers by group, as many as there are lines for, around
// the selected one, below the filter where there is one. At the end stands what the
// selected one is, where it isn't beside it, then the values that it can be turned
// through, and how many levers are above and below those shown:
//
//	/ batch · 3 of 23
//	 weights   quantization      fp16    precision of the weights
//	▸batching  policy            static  how batches are made
//	           max-batch         48      requests that run at once
//	 continuous [static]                              +4 above  +6 below
func LeversPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	list := snap.Levers
	if list == nil || len(list.Levers) == 0 && list.Filter == "" {
		s.text(1, 0, clip("no levers: a real server is turned where it runs", s.w-2, s.sym), themes.Dim)
		return s.String()
	}
	top := s.leverFilter(list)
	if len(list.Levers) == 0 {
		s.text(1, top, clip("no lever has that in its name, group or sentence: esc drops the filter", s.w-2, s.sym), themes.Dim)
		return s.String()
	}
	s.leverLines(list, top)
	return s.String()
}

// leverFilter draws the filter, where there is one, and returns the line below it.
func (s *sheet) leverFilter(list *LeverList) int {
	if list.Filter == "" && !list.Typing {
		return 0
	}
	count := Count(int64(len(list.Levers))) + " of " + Count(int64(list.Total))
	x := s.text(1, 0, "/ ", themes.Accent)
	x = s.text(x, 0, clip(list.Filter, s.w-x-cells(count)-4, s.sym), themes.Strong)
	if list.Typing {
		s.text(x, 0, " ", themes.Cursor)
	}
	s.text(x+2, 0, clip(count, s.w-x-3, s.sym), themes.Dim)
	return 1
}

// leverLines draws the list from a line on, and what stands below it.
func (s *sheet) leverLines(list *LeverList, top int) {
	at := min(max(list.Selected, 0), len(list.Levers)-1)
	columns := s.leverColumns(list.Levers)
	about, sentence, below := s.w >= leverWide, false, 0
	switch room := s.h - top; {
	case room > 5 && (!about || room > roomyLevers && s.cutsAbout(list.Levers, columns)):
		sentence, below = true, 2
	case room > 2:
		sentence, below = !about, 1
	}
	from, to := visibleRange(len(list.Levers), at, s.h-top-below)
	for i := from; i < to; i++ {
		l := &list.Levers[i]
		group := i == from || l.Group != list.Levers[i-1].Group
		s.lever(l, top+i-from, columns, i == at, group, about)
	}
	if sentence {
		s.text(1, s.h-below, clip(list.Levers[at].About, s.w-2, s.sym), themes.Text)
	}
	if !sentence && below > 0 || below > 1 {
		end := s.leverCues(from, len(list.Levers)-to)
		s.steps(&list.Levers[at], s.h-1, end)
	}
}

// leverCues says at the end of the last line how many levers are above and below
// those shown, and returns where that begins.
func (s *sheet) leverCues(above, below int) int {
	text := moreLines(above, below)
	if text == "" || cells(text) > s.w/2 {
		return s.w - 1
	}
	return s.right(s.w-1, s.h-1, text, themes.Warn) - 2
}

// leverColumns are the widths of the columns of the levers: group, name, value.
func (s *sheet) leverColumns(levers []Lever) (widths [3]int) {
	most := [3]int{s.w / 5, s.w * 2 / 5, s.w / 4}
	for i := range levers {
		for c, text := range [...]string{levers[i].Group, levers[i].Name, levers[i].Value} {
			widths[c] = max(widths[c], cells(clip(text, most[c], s.sym)))
		}
	}
	return widths
}

// leverAbout is the column of the sentences.
func leverAbout(columns [3]int) int { return columns[0] + columns[1] + columns[2] + 7 }

// cutsAbout reports whether there isn't room for every sentence beside its lever.
func (s *sheet) cutsAbout(levers []Lever, columns [3]int) bool {
	room := s.w - leverAbout(columns) - 1
	return slices.ContainsFunc(levers, func(l Lever) bool { return cells(clip(l.About, s.w, s.sym)) > room })
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
		s.text(x, y, text, themes.Selected)
	} else {
		s.text(x, y, text, themes.Text)
	}
	if about {
		at := leverAbout(columns)
		s.text(at, y, clip(l.About, s.w-at-1, s.sym), themes.Dim)
	}
}

// steps draws the values that a lever is turned through before the column end,
// with the present one between brackets. Where not all fit, those far from it are
// left out.
func (s *sheet) steps(l *Lever, y, end int) {
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
	for ; from < now && width > end; from++ {
		width -= cells(items[from]) + 1
	}
	x := 1
	for i, item := range items[from:] {
		if x+cells(item) > end {
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
