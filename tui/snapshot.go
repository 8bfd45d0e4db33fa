package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/views"
)

// View implements tea.Model.
func (m model) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: "ttftop"}
	if m.state == nil || m.quitting {
		return v
	}
	width, height := m.size()
	v.Content = m.cache.screen(m.snapshot(), m.zoom, width, height, m.theme)
	return v
}

// size is that of the window, or a usual one while it is not known.
func (m *model) size() (width, height int) {
	if m.width <= 0 || m.height <= 0 {
		return 80, 24
	}
	return m.width, m.height
}

// snapshot joins what the engine knows with what the person does.
func (m *model) snapshot() views.Snapshot {
	st := m.state
	s := views.Snapshot{
		Now: st.now, Simulated: m.simulated(), Paused: m.settings.Paused || st.over, Epoch: st.epoch, Selected: m.target,
		Unlinked: m.unlinked, Targets: st.targets, Changes: st.changes, Effect: m.effect(), Limits: m.limits(), Knobs: m.row(), Status: st.status, Dialog: m.dialog,
	}
	s.Status.PerMinute = m.cost(m.settings).all
	m.detail.show(&s)
	s.WhatIf = m.whatIf()
	s.Status.Keys = m.footer()
	s.Levers = m.leverList()
	s.Standings = m.standings()
	s.View, s.Page, s.Start, s.Versus = m.mode, m.shownPage(), st.start, st.versus
	if m.mode == probes {
		s.Probes = m.table.shown()
	}
	if m.notice != "" {
		s.Status.Notices = append(slices.Clip(s.Status.Notices), m.notice)
		if m.fresh(st.now) {
			s.Status.Fresh = m.notice
		}
	}
	s.Tour = m.tourView(s)
	return s
}

// effect is that of the last change, with the turn of a knob that came last.
func (m *model) effect() *views.Effect {
	n := len(m.undo)
	if m.state.effect == nil || n == 0 {
		return m.state.effect
	}
	e := *m.state.effect
	e.Last = described(m.undo[n-1], m.settings)
	return &e
}

// footer is the few keys that matter most now.
func (m *model) footer() []views.KeyHelp {
	if few := m.openFooter(); few != nil {
		return few
	}
	keys := footer(m.footerKeys())
	if m.tour.on && m.hasBack() {
		return does(keys, "esc", "back")
	}
	if at := slices.IndexFunc(keys, func(k views.KeyHelp) bool { return k.Does == "inspect" }); at >= 0 && len(m.turnable()) > 0 && !m.tour.on {
		keys = slices.Insert(keys, at, views.KeyHelp{Key: "L", Does: "levers"})
	}
	return keys
}

// limits are the SLOs of the TTFT, for the chart.
func (m *model) limits() []views.Limit {
	var list []views.Limit
	for _, s := range m.settings.SLO {
		if s.Metric == probe.TTFTMetric {
			list = append(list, views.Limit{SLO: s, Shares: m.state.shares[s]})
		}
	}
	return list
}

func (m *model) simulated() bool {
	for _, t := range m.targets {
		if !t.Endpoint.Simulated {
			return false
		}
	}
	return true
}

// row is the row of knobs, as they stand for the selected target.
func (m *model) row() []views.Knob {
	row := make([]views.Knob, len(knobs))
	for i, kn := range knobs {
		row[i] = views.Knob{Key: kn.key, Turns: kn.turns(), Name: kn.name, Value: m.value(i), Others: m.others(i), Selected: i == m.knob && !m.turnsLevers(), Note: m.note(i)}
	}
	return row
}

// value is how a knob stands for the selected target; "" for a model that is not
// known.
func (m *model) value(knob int) string {
	if knob == knobSLO {
		return sloValue(m.settings.SLO)
	}
	return knobs[knob].get(m.settings.Of(m.target))
}

// others is how a knob stands for the targets for which it stands otherwise than
// for the selected one: "(B 1,024)". Models differ rightly, and the SLO is one.
func (m *model) others(knob int) string {
	if knob == knobModel || knob == knobSLO {
		return ""
	}
	var list []string
	for i := range m.targets {
		if v := knobs[knob].get(m.settings.Of(i)); v != m.value(knob) {
			list = append(list, views.Letter(i)+" "+v)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// reads is how a knob stands, for a sentence.
func (m *model) reads(knob int) string {
	return cmp.Or(m.value(knob), "not known yet")
}

// note says what a knob's value does not: what the endpoint makes of it.
func (m *model) note(knob int) string {
	t := m.state.targets[m.target]
	switch knob {
	case knobPrompt:
		if n := t.Figures.PromptTokens; n > 0 && n != m.settings.Of(m.target).PromptTokens {
			if !t.Figures.PromptExact {
				return "not counted"
			}
			return "counted " + views.Count(int64(n))
		}
	case knobPressure:
		if t.LoadAsked > 0 {
			return fmt.Sprintf("%d/%d in flight", t.Load, t.LoadAsked)
		}
	case knobModel:
		if m.unlinked {
			return "for " + t.Name + " alone"
		}
	}
	return ""
}
