package tui

import (
	"errors"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/views"
)

// open starts the entry of the selected knob's value, for the model with its
// list; a knob of two positions is turned.
func (m *model) open() {
	kn := knobs[m.knob]
	if m.knob != knobModel && kn.parse == nil {
		m.turn(m.knob, true)
		return
	}
	m.input = textinput.New()
	m.input.Focus()
	m.dialog = &views.Dialog{
		Title: kn.name, Entry: true, Chosen: -1,
		Keys: []views.KeyHelp{{Key: "enter", Does: "set"}, {Key: "esc", Does: "leave it"}},
	}
	if m.knob == knobModel {
		m.dialog.Lines = []string{"Type to filter, or the name of a model that is not listed."}
		m.dialog.Keys = append([]views.KeyHelp{{Key: "↑↓", Does: "choose"}}, m.dialog.Keys...)
		m.list()
		return
	}
	m.dialog.Lines = []string{"Now " + kn.get(m.settings.Knobs[m.target]) + "."}
}

// entry is a key pressed while a value is typed.
func (m model) entry(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch msg.String() {
	case "esc":
		m.dialog = nil
		return m, nil
	case "enter":
		m.enter()
		return m, nil
	case "up", "down":
		m.choose(msg.String() == "down")
		return m, nil
	}
	return m.typed(msg)
}

// typed gives a key or a paste to the text under the cursor. The dialog is a
// new one each time, since a snapshot may hold the old one.
func (m model) typed(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.input, _ = m.input.Update(msg)
	d := *m.dialog
	m.dialog = &d
	m.dialog.Text, m.dialog.Error = m.input.Value(), ""
	if m.knob == knobModel {
		m.list()
	}
	return m, nil
}

// list offers the models that hold the typed text, and last the text itself:
// an endpoint may take a model that it doesn't list.
func (m *model) list() {
	m.dialog.Choices = modelNames(m.modelsOf(m.target), m.input.Value())
	m.dialog.Chosen = -1
	if len(m.dialog.Choices) > 0 {
		m.dialog.Chosen = 0
	}
}

func (m *model) choose(down bool) {
	if n := len(m.dialog.Choices); n > 0 {
		d := *m.dialog
		d.Chosen = cycle(max(0, d.Chosen), n, down)
		m.dialog = &d
	}
}

// enter sets the knob to what was typed or chosen.
func (m *model) enter() {
	next := m.settings.Clone()
	if m.knob == knobModel {
		if m.dialog.Chosen < 0 {
			m.fail(errors.New("type the name of a model"))
			return
		}
		m.setModel(&next, m.dialog.Choices[m.dialog.Chosen])
	} else {
		turned := next.Knobs[m.target]
		if err := knobs[m.knob].parse(&turned, m.input.Value()); err != nil {
			m.fail(err)
			return
		}
		m.each(&next, m.knob, func(k *probe.Knobs) { *k = turned })
	}
	m.dialog = nil
	m.ask(proposal{settings: next})
}

func (m *model) fail(err error) {
	d := *m.dialog
	d.Error = err.Error()
	m.dialog = &d
}
