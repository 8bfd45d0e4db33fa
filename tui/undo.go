package tui

import (
	"fmt"
	"time"

	"ttftop/probe"
)

// undoDepth is how many turns of a knob can be taken back.
const undoDepth = 50

// atOnce is how soon after each other turns of a knob are the same change: a knob's
// own key selects it for typing, and has turned it by then.
const atOnce = 3 * time.Second

// turnRun is turns of one knob at once, with no other key between; the zero value is
// none.
type turnRun struct {
	ok        bool
	knob      int
	begun, at time.Duration // of the first and the last, after the start of the session
	turns     int
}

// noteTurn notes a turn of the selected knob.
func (m *model) noteTurn() {
	now := m.state.now
	if r := m.run; !r.ok || r.knob != m.knob || now-r.begun > atOnce {
		m.run = turnRun{ok: true, knob: m.knob, begun: now}
	}
	m.run.at = now
	m.run.turns++
}

// justTurned reports whether the selected knob was turned by the key before, and
// just now.
func (m *model) justTurned() bool {
	return m.run.ok && m.run.knob == m.knob && m.state.now-m.run.at <= atOnce
}

// commit sets the knobs and remembers the old ones, where they differ. What is typed
// in place of turns is one change with them.
func (m *model) commit(p proposal) {
	if p.turned && differ(m.settings, p.settings) {
		m.noteTurn()
	}
	before := m.settings
	if at := len(m.undo) - m.run.turns; p.instead && m.run.turns > 0 && at >= 0 {
		before, m.undo = m.undo[at], m.undo[:at]
	}
	switch {
	case p.undo:
		m.undo = m.undo[:len(m.undo)-1]
	case differ(before, p.settings):
		m.undo = append(m.undo, before)
		m.undo = m.undo[max(0, len(m.undo)-undoDepth):]
	}
	if !p.turned {
		m.run = turnRun{}
	}
	m.hush()
	m.set(p.settings)
	m.tellLimit(p)
}

// tellLimit says that the system allows less than was asked for.
func (m *model) tellLimit(p proposal) {
	if p.limit != nil {
		m.tell(p.limit.Error())
	}
}

func (m *model) set(next probe.Settings) {
	m.settings = m.named(next)
	m.engine.apply(m.settings)
}

// named are settings with the models that the engine has chosen since, where
// they name none.
func (m *model) named(s probe.Settings) probe.Settings {
	s = s.Clone()
	for i := range s.Knobs {
		if s.Knobs[i].Model == "" {
			s.Knobs[i].Model = m.settings.Knobs[i].Model
		}
	}
	return s
}

// undoTurn takes the last turn of a knob back; whether the screen is paused is
// no turn.
func (m *model) undoTurn() {
	for n := len(m.undo); n > 0; n-- {
		m.undo = m.undo[:n]
		last := m.named(m.undo[n-1])
		last.Paused, last.Pairs = m.settings.Paused, m.settings.Pairs
		if differ(m.settings, last) {
			m.ask(proposal{settings: last, undo: true})
			return
		}
	}
	m.undo = nil
}

// stepBack takes back a length that the endpoint has refused, to the last one
// that was shorter.
func (m *model) stepBack() {
	r := m.state.refusal
	if r < 0 || described(m.state.settings, m.settings) != "" {
		return // none, or the knobs were turned since
	}
	if p := m.settings.Pairs; p.On && r == p.B {
		r = p.A // whose length it was asked for
	}
	now := m.settings.Knobs[r]
	for i := len(m.undo) - 1; i >= 0; i-- {
		before := m.undo[i].Knobs[r]
		if before.PromptTokens >= now.PromptTokens && before.MaxTokens >= now.MaxTokens {
			continue
		}
		next := m.settings.Clone()
		for t := range next.Knobs {
			if m.unlinked && t != r {
				continue
			}
			k := &next.Knobs[t]
			k.PromptTokens, k.MaxTokens = min(k.PromptTokens, before.PromptTokens), min(k.MaxTokens, before.MaxTokens)
		}
		m.tell(fmt.Sprintf("%s refused that length: %s", m.targets[m.state.refusal].Name, described(m.settings, next)))
		m.undo = m.undo[:i]
		m.set(next)
		return
	}
}
