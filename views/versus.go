package views

import (
	"time"

	"ttftop/probe/ab"
	"ttftop/themes"
)

// Versus is a comparison of two targets, as far as it has come.
type Versus struct {
	Verdict ab.Verdict
	Sides   [2]int             // indexes of A and B among the targets
	TTFT    [2][]time.Duration // of their successes, ascending
	History []ab.Moment        // the pairs, oldest first
}

// Compare shows which of two targets is faster and whether it may be believed
// yet: the verdict, both distributions on one axis, the paired differences with
// the band that holds their median, and what doubt there is.
//
//	eu-west is faster than us-east: TTFT median −38 ms (−21 … −52), …
//	why: closer, not faster: network −41 ms
//	A us-east  ⣀⣠⣶⣿⣦⣄⣀
//	B eu-west ⣠⣾⣶⣄⣀
//	          └200──B────A──400 ms
//	 +50│ A faster      ⢀  ⡀
//	   0│──────────⠁────────⠂─────
//	 −50│░░░░░░░░░░░░░░░░░░░░░░░░░
//	    └pair 1              84
//
// A tall panel has the table of figures below.
func Compare(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	v := snap.Versus
	if v == nil {
		s.text(0, 0, clip("no two targets are compared", s.w, s.sym), themes.Dim)
		return s.String()
	}
	p := comparePlan(v, s)
	y := s.verdict(v, p.words)
	y = s.distributions(v, y, p.strip)
	y = s.differences(v, y, p.plot)
	y = s.doubts(p.doubts, y)
	s.compareTable(v, y)
	return s.String()
}

// CompareTitle is the name of the panel and how far it has come.
func CompareTitle(snap Snapshot) (name, remark string) {
	if snap.Versus == nil {
		return "A/B", ""
	}
	return "A/B", plural(int64(snap.Versus.Verdict.Pairs), "pair")
}

// The lines that parts of the panel take at least and at most.
const (
	leastPlotRows   = 4
	mostPlotRows    = 24
	mostStrip       = 4  // lines of one distribution
	tallCompare     = 16 // from here on a distribution has two lines
	compareTallest  = 30 // and here as many as it can
	mostDoubtsShort = 1  // warnings in a low panel
)

// compareSizes is how many lines each part of the panel has.
type compareSizes struct {
	words, doubts []string
	strip         int // of one distribution, 0 for none
	plot          int // of the differences, with their axis
}

// comparePlan shares the lines: the words come first, the table last.
func comparePlan(v *Versus, s *sheet) (p compareSizes) {
	p.words = wrapped(v.Verdict.Sentence(), s.w, s.sym)
	if why := v.Verdict.Why(); why != "" {
		p.words = append(p.words, clip(why, s.w, s.sym))
	}
	p.words = p.words[:min(len(p.words), max(1, s.h/4))]
	doubts := v.Verdict.Warnings
	if s.h < tallCompare {
		doubts = doubts[:min(len(doubts), mostDoubtsShort)]
	}
	for _, w := range doubts {
		p.doubts = append(p.doubts, clip("! "+w, s.w, s.sym))
	}
	rest := s.h - len(p.words) - len(p.doubts)
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
	p.plot = rest
	if table := len(v.Verdict.Table()) + 1; rest-table >= leastPlotRows+2 {
		p.plot = min(rest-table, mostPlotRows)
	}
	return p
}

// verdict writes the sentence and its reason, and returns the line after them.
func (s *sheet) verdict(v *Versus, words []string) int {
	tok := themes.Strong
	if v.Verdict.Outcome == ab.Undecided {
		tok = themes.Text
	}
	for y, line := range words {
		s.text(0, y, line, tok)
	}
	return len(words)
}

// doubts writes the warnings.
func (s *sheet) doubts(lines []string, y int) int {
	for i, line := range lines {
		s.text(0, y+i, line, themes.Warn)
	}
	return y + len(lines)
}

// compareTable writes the figures, if there is room for all of them.
func (s *sheet) compareTable(v *Versus, y int) {
	lines := plainTable(v.Verdict.Table(), s.sym.ASCII)
	if y+1+len(lines) > s.h {
		return
	}
	for i, line := range lines {
		tok := themes.Text
		if i == 0 {
			tok = themes.Dim
		}
		s.text(0, y+1+i, clipLine(line, s.w, s.sym), tok)
	}
}

// clipLine cuts a clean line and keeps its blanks.
func clipLine(line string, width int, sym *themes.Symbols) string {
	if cells(line) <= width {
		return line
	}
	return cutCells(line, max(0, width-cells(sym.Ellipsis))) + sym.Ellipsis
}
