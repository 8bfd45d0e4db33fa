package tui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/views"
)

// pairing is how a person has pairs sent.
type pairing struct {
	begun     bool        // pairs were asked for, or refused, once
	order     probe.Order // as the person has chosen it, "" for the one that disturbs least
	twoModels bool        // the targets are two models of one endpoint: a turn of the model is for one of them
}

// usualSides makes the first two targets the sides, where no pairs are asked for.
func usualSides(s *probe.Settings) {
	if !s.Pairs.On {
		s.Pairs = probe.Pairs{A: 0, B: min(1, len(s.Knobs)-1)}
	}
}

// firstPairs sends pairs of the first two targets when the view that compares
// them is opened for the first time.
func (m *model) firstPairs() {
	if m.mode == compare && !m.begun && len(m.targets) > 1 && !m.tour.on {
		m.turnPairs(actPairs)
	}
}

// turnPairs does what a key does to the pairs.
func (m *model) turnPairs(a action) {
	next := m.settings.Clone()
	p := &next.Pairs
	switch a {
	case actPairs:
		p.On = !p.On
	case actOrder:
		m.order = other(m.orderOf(*p), probe.Together, probe.BackToBack)
		m.goOn(p)
	default:
		if len(m.targets) < 2 {
			m.tell("there is one target alone: e compares it with itself")
			return
		}
		side := &p.A
		if a == actSideB || a == actSideBBack {
			side = &p.B
		}
		*side = cycle(*side, len(m.targets), a == actSideA || a == actSideB)
		m.goOn(p)
	}
	m.begun = true
	p.Order = m.orderOf(*p)
	m.ask(proposal{settings: next})
	if !p.On && a != actPairs {
		m.tell(m.sides(*p) + ": e sends the pairs")
	}
}

// goOn has pairs sent, but where they were ended by hand: then they are sent once
// that is asked for again.
func (m *model) goOn(p *probe.Pairs) { p.On = p.On || !m.begun }

// orderOf is the order in which pairs are sent.
func (m *model) orderOf(p probe.Pairs) probe.Order {
	return cmp.Or(m.order, probe.OrderFor(m.targets[p.A].Endpoint, m.targets[p.B].Endpoint))
}

// together reports whether a knob must be turned at a target too, since it is
// probed in pairs with the selected one. Batch pressure is each one's own.
func (m *model) together(target, knob int) bool {
	p := m.settings.Pairs
	return knob != knobPressure && p.Has(target) && p.Has(m.target)
}

// sides says what is paired and how.
func (m *model) sides(p probe.Pairs) string {
	a, b := sideNames(m.targets, p)
	return fmt.Sprintf("%s and %s, %s", a, b, orderText(p.Order))
}

// orderText is an order in words.
func orderText(o probe.Order) string { return strings.ReplaceAll(string(o), "-", " ") }

// sideNames are the names of both sides, told apart where they are called the
// same.
func sideNames(targets []probe.Target, p probe.Pairs) (a, b string) {
	return ab.Names(targets[p.A].Name, targets[p.B].Name)
}

// copyVerdict shows the verdict and gives it to the clipboard of the terminal.
func (m model) copyVerdict() (tea.Model, tea.Cmd) {
	v := m.state.versus
	if v == nil {
		m.tell("there is no verdict to copy: no pairs were sent")
		return m, nil
	}
	text := v.Verdict.Sentence()
	m.page = &views.Page{Title: "the verdict", Lines: []string{
		text, "", copiedWhole,
	}}
	return m, tea.SetClipboard(text)
}
