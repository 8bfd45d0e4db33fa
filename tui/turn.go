package tui

import (
	"slices"

	"ttftop/probe"
)

// direct are the keys that turn one knob, whichever is selected.
var direct = map[action]struct {
	knob int
	up   bool
}{
	actPrompt: {knobPrompt, true}, actPromptDown: {knobPrompt, false},
	actPressure: {knobPressure, true}, actPressureDown: {knobPressure, false},
	actModel: {knobModel, true}, actModelDown: {knobModel, false},
	actCache: {knobCache, true}, actConn: {knobConn, true},
	actOutput: {knobOutput, true}, actOutputDown: {knobOutput, false},
	actRate: {knobRate, true}, actRateDown: {knobRate, false},
	actSLO: {knobSLO, true}, actSLODown: {knobSLO, false},
}

// turnFor turns the knob that has a key of its own, and selects it.
func (m *model) turnFor(a action) bool {
	d, ok := direct[a]
	if ok {
		m.knob = d.knob
		m.turn(d.knob, d.up)
	}
	return ok
}

// turnsOne reports whether an action turns a knob by a step.
func turnsOne(a action) bool {
	_, ok := direct[a]
	return ok || a == actRaise || a == actLower
}

// turn moves a knob one step.
func (m *model) turn(knob int, up bool) {
	next := m.settings.Clone()
	switch knob {
	case knobModel:
		m.turnModel(&next, up)
	case knobSLO:
		turnSLO(&next, up, m.p95())
	default:
		m.each(&next, knob, func(k *probe.Knobs) { knobs[knob].turn(k, up) })
	}
	m.ask(proposal{settings: next, turned: true})
}

// p95 is that of the selected target, so far.
func (m *model) p95() probe.Mark {
	if m.state == nil {
		return probe.Mark{}
	}
	e := m.state.targets[m.target].Figures.P95
	return probe.Mark{At: e.At, OK: e.OK && !e.Censored}
}

// each changes a knob of every target alike: the selected one is turned, the
// others take its value. Unlinked, only the selected one changes, and the other
// side of its pairs.
func (m *model) each(s *probe.Settings, knob int, change func(*probe.Knobs)) {
	turned := s.Of(m.target)
	change(&turned)
	for i := range s.Knobs {
		if !m.unlinked || i == m.target || m.together(i, knob) {
			knobs[knob].take(&s.Knobs[i], turned)
		}
	}
}

// turnModel goes to the next model of the selected target's list.
func (m *model) turnModel(s *probe.Settings, up bool) {
	names := m.modelsOf(m.target)
	if len(names) == 0 {
		return
	}
	at := slices.Index(names, s.Knobs[m.target].Model)
	if at < 0 && !up {
		at = 0
	}
	m.setModel(s, names[cycle(at, len(names), up)])
}

// setModel sets the model of the selected target, and of the others that offer
// it unless they are unlinked.
func (m *model) setModel(s *probe.Settings, name string) {
	s.Knobs[m.target].Model = name
	for i := range s.Knobs {
		if !m.unlinked && !m.twoModels && slices.Contains(m.modelsOf(i), name) {
			s.Knobs[i].Model = name
		}
	}
}

func (m *model) modelsOf(target int) []string {
	if m.state != nil && target < len(m.state.models) {
		return m.state.models[target]
	}
	return m.targets[target].Models
}

// adopt takes the knobs as the engine has them, where it chose a model.
func (m *model) adopt() {
	for i := range m.settings.Knobs {
		if m.settings.Knobs[i].Model == "" {
			m.settings.Knobs[i].Model = m.state.settings.Knobs[i].Model
		}
	}
}

func cycle(i, n int, forward bool) int {
	if n == 0 {
		return 0
	}
	if forward {
		return (i + 1) % n
	}
	return (i + n - 1) % n
}
