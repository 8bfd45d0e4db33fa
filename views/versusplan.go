package views

import (
	"fmt"
	"strings"

	"ttftop/themes"
)

// The lines that parts of the panel take at least and at most.
const (
	leastPlotRows  = 4
	goodPlotRows   = 5 // what the figures leave to the differences
	mostPlotRows   = 40
	mostStrip      = 4  // lines of one distribution
	tallCompare    = 22 // from here on a distribution has two lines
	compareTallest = 30 // and here as many as it can
	shortFigures   = 4  // lines of the short table
	mostCutLines   = 2
)

// compareSizes is how many lines each part of the panel has.
type compareSizes struct {
	words, doubts []string
	cut           []string // the difference by segment, where the short table is shown
	strip         int      // of one distribution, 0 for none
	plot          int      // of the differences, with their axis
	full          bool     // all figures in a table
	short         bool     // the most important ones
}

// comparePlan shares the lines. What a person can't do without comes first: the
// sentence, both distributions, a low plot of the differences; then its reason,
// the figures, a doubt, the cut, and further doubts as there is room. The rest is
// the plot's.
func comparePlan(v *Versus, s *sheet) (p compareSizes) {
	p.words = wrapped(v.Verdict.Sentence(), s.w, s.sym)
	p.words = p.words[:min(len(p.words), max(1, s.h/4))]
	rest := s.h - len(p.words)
	if why := v.Verdict.Why(); why != "" && rest > goodPlotRows {
		p.words = append(p.words, clip(why, s.w, s.sym))
		rest--
	}
	switch {
	case s.h >= compareTallest:
		p.strip = mostStrip
	case s.h >= tallCompare:
		p.strip = 2
	case rest >= leastPlotRows+3:
		p.strip = 1
	}
	if p.strip > 0 {
		rest -= 2*p.strip + 1
	}
	spare := rest - goodPlotRows
	take := func(lines int) bool {
		if lines > spare {
			return false
		}
		spare -= lines
		rest -= lines
		return true
	}
	doubts := len(v.Verdict.Warnings)
	table := len(v.Verdict.Table()) + 1 // with a blank line
	p.full = table+min(doubts, 2) <= spare && take(table)
	p.short = !p.full && take(shortFigures)
	if v.Verdict.Pairs == 0 {
		p.full, p.short = false, false
	}
	shown := 0
	if doubts > 0 && spare == 0 && rest > leastPlotRows { // rather than a line of the plot
		spare = 1
	}
	if doubts > 0 && take(1) {
		shown = 1
	}
	if p.short {
		p.cut = cutLines(v, s, min(mostCutLines, spare))
		take(len(p.cut))
	}
	for shown > 0 && shown < doubts && take(1) {
		shown++
	}
	p.doubts = doubtLines(v.Verdict.Warnings, shown, s)
	p.plot = min(rest, mostPlotRows)
	return p
}

// doubtLines are the first few warnings; the last line tells how many there are.
func doubtLines(warnings []string, shown int, s *sheet) (lines []string) {
	for i, w := range warnings[:shown] {
		if n := len(warnings); i == shown-1 && shown < n {
			w = fmt.Sprintf("(%d of %d) %s", shown, n, w)
		}
		lines = append(lines, clip("! "+w, s.w, s.sym))
	}
	return lines
}

// cutLines are the differences by part, each with its interval, on as few lines
// as they need, of at most so many; what doesn't fit is counted at the end.
func cutLines(v *Versus, s *sheet, most int) (lines []string) {
	if most <= 0 {
		return nil
	}
	line, n := "", len(v.Verdict.Parts)
	for i, p := range v.Verdict.Parts {
		text := clip(string(p.Part)+" "+p.Difference(), s.w, s.sym)
		room := s.w
		if len(lines) == most-1 && i < n-1 {
			room -= cells("  +9 more") // those after this one may have to be counted
		}
		switch {
		case line == "":
			line = text
		case cells(line)+2+cells(text) <= room:
			line += "  " + text
		case len(lines) == most-1:
			more := "  +" + Count(int64(n-i)) + " more"
			return append(lines, cutCells(line, s.w-cells(more))+more)
		default:
			lines = append(lines, line)
			line = text
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// clipLine cuts a clean line and keeps its blanks.
func clipLine(line string, width int, sym *themes.Symbols) string {
	if cells(line) <= width {
		return line
	}
	return strings.TrimRight(cutCells(line, max(0, width-cells(sym.Ellipsis))), " ") + sym.Ellipsis
}
