package views

import "ttftop/themes"

// compareFigures writes the figures of both sides, in full or the most important
// ones with the cut of the difference, and returns the line after them.
func (s *sheet) compareFigures(v *Versus, p compareSizes, y int) int {
	switch {
	case p.full:
		y++ // a blank line
		y = s.figureLines(plainTable(v.Verdict.Table(), s.sym.ASCII), y)
	case p.short:
		y = s.shortFigures(v, y)
	}
	for i, line := range p.cut {
		s.text(0, y+i, line, themes.Text)
	}
	return y + len(p.cut)
}

// shortFigures writes the figures of the TTFT, with a line for each side.
func (s *sheet) shortFigures(v *Versus, y int) int {
	lines := s.shortTable(v, sideNameWidth)
	widest := 0
	for _, line := range lines {
		widest = max(widest, cells(line))
	}
	if extra := widest - s.w; extra > 0 {
		lines = s.shortTable(v, max(1, sideNameWidth-extra))
	}
	end := s.figureLines(lines, y)
	for i, side := range v.Verdict.Sides {
		s.text(0, y+1+i, sideLetters[i], themes.Target(v.Sides[i]))
		if side.Failed > 0 && cells(lines[1+i]) <= s.w {
			s.right(cells(lines[1+i]), y+1+i, side.Failures(), themes.Bad)
		}
	}
	return end
}

// shortTable is the figures of the TTFT with names of so many cells at most.
func (s *sheet) shortTable(v *Versus, most int) []string {
	var names [2]string
	for i, side := range v.Verdict.Sides {
		names[i] = sideLetters[i] + " " + clipName(side.Name, most, s.sym)
	}
	return plainTable(v.Verdict.ShortTable(names), s.sym.ASCII)
}

// figureLines writes a table whose first line is its head.
func (s *sheet) figureLines(lines []string, y int) int {
	for i, line := range lines {
		tok := themes.Text
		if i == 0 {
			tok = themes.Dim
		}
		s.text(0, y+i, clipLine(line, s.w, s.sym), tok)
	}
	return y + len(lines)
}
