package views

import (
	"slices"

	"ttftop/themes"
)

// Knobs shows what can be turned: as a list where there is a line for each,
// else as running text. The selected knob stands out, by a sign and reversed.
func Knobs(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	if s.h >= len(snap.Knobs) && s.h > 2 {
		s.knobList(snap.Knobs)
	} else {
		s.knobLines(snap.Knobs)
	}
	return s.String()
}

// knobList draws a knob on each line, with how it stands for others and its note.
func (s *sheet) knobList(knobs []Knob) {
	name, value := 0, 0
	for _, k := range knobs {
		name = max(name, cells(clip(k.Name, s.w/3, s.sym)))
		value = max(value, cells(s.knobValue(k.alone(), s.w/2)))
	}
	for y, k := range knobs {
		value := min(value, s.w-name-8)
		text := pad(clip(k.Name, s.w/3, s.sym), name) + "  " + pad(s.knobValue(k.alone(), value), value)
		x := s.text(2, y, clip(k.Key, 1, s.sym), themes.Accent) + 1
		if k.Selected {
			s.put(0, y, s.sym.Pointer, themes.Accent)
			x = s.text(x, y, " "+text+" ", themes.Selected)
		} else {
			x = s.text(x+1, y, text, themes.Text) + 1
		}
		if k.Others != "" {
			others := clip(k.Others, s.w, s.sym)
			if cells(others) > s.w-x-1 {
				others = clip(mixed, s.w-x-1, s.sym)
			}
			x = s.text(x+1, y, others, themes.Text)
		}
		if s.w-x > 10 {
			s.text(x+1, y, clip(k.Note, s.w-x-1, s.sym), themes.Dim)
		}
	}
}

// alone is the knob as it stands for the selected target.
func (k Knob) alone() Knob {
	k.Others = ""
	return k
}

// mixed stands for how a knob stands for other targets where there is no room to
// say it.
const mixed = "mixed"

// knobValue words how a knob stands in at most so many cells, and that it stands
// otherwise for other targets in any case.
func (s *sheet) knobValue(k Knob, most int) string {
	value := k.Value
	if value == "" {
		value = s.sym.Unknown
	}
	if k.Others == "" {
		return clip(value, most, s.sym)
	}
	if both := clip(value+" "+k.Others, max(most, 0)+1, s.sym); cells(both) <= most {
		return both
	}
	return clip(value, max(most-1-len(mixed), 1), s.sym) + " " + mixed
}

// pad fills a text with blanks up to n cells.
func pad(text string, n int) string {
	const blanks = "                                                                                "
	for missing := n - cells(text); missing > 0; missing = n - cells(text) {
		text += blanks[:min(missing, len(blanks))]
	}
	return text
}

// The cells to which long values are cut where there is little room, and where
// there is less: "p95=600ms +1" and "p95=600ms" are whole.
const shortValue, leastValue = 12, 9

// knobLines draws the knobs one after the other on as many lines as there are.
// Where they don't fit, long values are cut first, then knobs that aren't
// selected lose their name, from the last on. Where that is still too much, those
// around the selected one are drawn, and how many there are besides.
func (s *sheet) knobLines(knobs []Knob) {
	for _, try := range []struct{ most, short int }{{24, 0}, {shortValue, 0}, {shortValue, len(knobs)}, {leastValue, len(knobs)}} {
		for short := range try.short + 1 {
			items := s.knobItems(knobs, try.most, short)
			if breaks := s.breaks(items); len(breaks) <= s.h {
				s.drawItems(items, breaks)
				return
			}
		}
	}
	s.someKnobs(s.knobItems(knobs, leastValue, len(knobs)))
}

// someKnobs draws the selected knob with as many of those after it, and then of
// those before it, as fit, and counts the others.
func (s *sheet) someKnobs(items []knobItem) {
	from := max(0, slices.IndexFunc(items, func(k knobItem) bool { return k.selected }))
	to := min(from+1, len(items))
	fits := func(from, to int) bool { return len(s.breaks(s.counted(items, from, to))) <= s.h }
	for to < len(items) && fits(from, to+1) {
		to++
	}
	for from > 0 && fits(from-1, to) {
		from--
	}
	shown := s.counted(items, from, to)
	s.drawItems(shown, s.breaks(shown))
}

// counted are some of the knobs, and how many there are besides.
func (s *sheet) counted(items []knobItem, from, to int) []knobItem {
	shown := items[from:to:to]
	if text := hidden(0, to-from, len(items), len("+99"), s.sym); text != "" {
		shown = append(shown, knobItem{rest: text})
	}
	return shown
}

// knobItem is a knob as it is drawn in running text.
type knobItem struct {
	key, rest string
	selected  bool
}

func (k knobItem) width() int { return 1 + cells(k.key) + 1 + cells(k.rest) + 1 }

// knobItems words the knobs with values of at most so many cells; the last
// short ones are worded without their name.
func (s *sheet) knobItems(knobs []Knob, most, short int) []knobItem {
	items := make([]knobItem, len(knobs))
	for i, k := range knobs {
		value := s.knobValue(k, most)
		if k.Selected || i < len(knobs)-short {
			value = clip(k.Name, 16, s.sym) + " " + value
		}
		items[i] = knobItem{clip(k.Key, 3, s.sym), value, k.Selected}
	}
	return items
}

// breaks gives the index of the first item of each line.
func (s *sheet) breaks(items []knobItem) []int {
	starts := []int{0}
	x := 0
	for i, it := range items {
		if w := it.width(); x > 0 && x+w > s.w {
			starts = append(starts, i)
			x = 0
		}
		x += it.width()
		if x > s.w { // an item alone is too wide: counts as two lines
			starts = append(starts, i)
		}
	}
	return starts
}

func (s *sheet) drawItems(items []knobItem, starts []int) {
	for y, from := range starts {
		to := len(items)
		if y+1 < len(starts) {
			to = starts[y+1]
		}
		x := 0
		for _, it := range items[from:to] {
			if it.selected {
				x = s.spans(x, y, span{s.sym.Pointer, themes.Accent}, span{it.key + " " + it.rest, themes.Selected}) + 1
				continue
			}
			tok := themes.Text
			if it.key == "" { // no knob
				tok = themes.Warn
			}
			x = s.spans(x+1, y, span{it.key, themes.Accent}, span{" " + it.rest, tok}) + 1
		}
	}
}
