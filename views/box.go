package views

import "ttftop/themes"

// boxed draws lines with a border around them, and a title in it.
func (s *sheet) boxed(title string, list [][]span) {
	for y, line := range list[:min(len(list), max(s.h-2, 0))] {
		s.spans(2, y+1, line...)
	}
	s.box(title) // last, over what is too long for the box
}

// boxSize is how large a box wants to be within a screen: as wide as its text may
// be, and as high as so many lines of it.
func boxSize(width, height, widest int, lines func(width, height int) int) (w, h int) {
	w = min(widest+4, width)
	return w, min(lines(w-4, height-2)+2, height)
}

// box draws a border around the sheet with a title in it.
func (s *sheet) box(title string) {
	s.fill(0, 0, s.w, s.sym.Rule, themes.Accent)
	s.fill(0, s.h-1, s.w, s.sym.Rule, themes.Accent)
	for y := range s.h {
		s.put(0, y, s.sym.Wall, themes.Accent)
		s.put(s.w-1, y, s.sym.Wall, themes.Accent)
	}
	s.put(0, 0, s.sym.TopLeft, themes.Accent)
	s.put(s.w-1, 0, s.sym.TopRight, themes.Accent)
	s.put(0, s.h-1, s.sym.BottomLeft, themes.Accent)
	s.put(s.w-1, s.h-1, s.sym.BottomRight, themes.Accent)
	if t := clip(title, s.w-6, s.sym); t != "" {
		s.text(2, 0, " "+t+" ", themes.Accent)
	}
}
