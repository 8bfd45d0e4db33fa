package views

import (
	"ttftop/probe"
	"ttftop/themes"
)

// detail is the waterfall whose parts get figures: the p50 of the epoch, or
// before there is one the last probe's.
func detail(t *Target) (w probe.Waterfall, of string) {
	switch {
	case len(t.P50) > 0:
		return t.P50, "ms"
	case t.Last != nil:
		return t.Last.Waterfall, "last"
	}
	return nil, "ms"
}

// figure draws a part's milliseconds and the letter of its source.
func (s *sheet) figure(c figureColumn, y int, w probe.Waterfall) {
	src, ok := sourceOf(w, c.part)
	if !ok {
		s.right(c.x+c.width-2, y, s.sym.Unknown, themes.Dim)
		return
	}
	end := c.x + c.width
	s.right(end-2, y, millis(partOf(w, c.part), s.sym), themes.Text)
	s.text(end-1, y, src, themes.Dim)
}

// sourceRank orders the sources, the weakest last.
var sourceRank = map[probe.Source]int{probe.Measured: 1, probe.Reported: 2, probe.Estimated: 3}

// sourceOf is the letter of the weakest source among the segments of a part
// that have a length, or else of its first one; false where the waterfall
// doesn't have the part.
func sourceOf(w probe.Waterfall, part probe.Part) (string, bool) {
	var first, weakest probe.Source
	found := false
	for _, seg := range w {
		if seg.Name.Part() != part {
			continue
		}
		if !found {
			first, found = seg.Source, true
		}
		if seg.Duration > 0 && sourceRank[seg.Source] > sourceRank[weakest] {
			weakest = seg.Source
		}
	}
	if weakest == "" {
		weakest = first
	}
	return head(string(weakest), 1), found
}
