package views

import (
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// Standing is how an SLO of any metric stands at each target in this epoch: what
// the figures so far say, which proves nothing.
type Standing struct {
	SLO probe.SLO
	Met []Met // by target
}

// Met is whether an SLO is met.
type Met int

// What may be known of it.
const (
	MetUnknown Met = iota
	MetYes
	MetNo
)

// standingItem words a standing: "p95=150ms over at B".
func (s *sheet) standingItem(of Standing) []span {
	var met, over []string
	for i, m := range of.Met {
		switch m {
		case MetYes:
			met = append(met, letter(i))
		case MetNo:
			over = append(over, letter(i))
		}
	}
	verdict := span{"met", themes.Good}
	switch {
	case len(over) > 0:
		verdict = span{"over at " + strings.Join(over, " "), themes.Bad}
	case len(met) == 0:
		verdict = span{"not known yet", themes.Dim}
	case len(met) < len(of.Met):
		verdict.text += " at " + strings.Join(met, " ")
	}
	return []span{{clip(of.SLO.String(), s.w, s.sym) + " ", themes.Dim}, verdict}
}

// standingsFrom is the width from which on the status tells how SLOs stand.
const standingsFrom = 100

// standings draws how the SLOs stand on a line of their own, as many as fit.
func (s *sheet) standings(all []Standing, y int) {
	if len(all) == 0 {
		return
	}
	x := s.text(1, y, "slo", themes.Dim) + 1
	for i, of := range all {
		item := s.standingItem(of)
		if x+spansWidth(item) > s.w-1 {
			s.text(x, y, hidden(0, i, len(all), s.w-1-x, s.sym), themes.Warn)
			return
		}
		x = s.spans(x, y, item...) + gap
	}
}
