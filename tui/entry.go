package tui

import (
	"errors"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/views"
)

// open starts the entry of the selected knob's value, for the model with its
// list; a knob of two positions is turned.
func (m *model) open() {
	kn := knobs[m.knob]
	if !m.typable() {
		m.turn(m.knob, true)
		return
	}
	m.startInput(ofKnob)
	m.instead = m.justTurned()
	m.dialog = &views.Dialog{Title: kn.name, Entry: true, Chosen: -1, Keys: entryKeys(m.knob == knobModel)}
	if m.knob == knobModel {
		m.dialog.Lines = []string{"Type to filter, or the name of a model that is not listed."}
		m.list()
		return
	}
	m.dialog.Lines = []string{"Now " + m.reads(m.knob) + "."}
	if m.knob == knobSLO {
		m.dialog.Lines = append(m.dialog.Lines, "A limit such as 600ms, p99=1s, ttft_per_1k=80ms, tpot=40ms or failures=1%; off for none.")
	}
}

// typable reports whether the value of the selected knob can be typed.
func (m *model) typable() bool {
	return m.knob == knobModel || m.knob == knobSLO || knobs[m.knob].parse != nil
}

// entryKind is what an entry is for.
type entryKind int

const (
	ofKnob entryKind = iota
	ofLever
	ofNote
)

func (m *model) startInput(of entryKind) {
	m.input = textinput.New()
	m.input.Focus()
	m.entered = of
}

// entryKeys are the keys of an entry, with choices or without.
func entryKeys(choices bool) []views.KeyHelp {
	keys := []views.KeyHelp{{Key: "enter", Does: "set"}, {Key: "esc", Does: "leave it"}}
	if choices {
		keys = append([]views.KeyHelp{{Key: "↑↓", Does: "choose"}}, keys...)
	}
	return keys
}

// openNote starts the entry of a marker's note.
func (m *model) openNote() {
	m.startInput(ofNote)
	m.input.CharLimit = longestNote
	m.dialog = &views.Dialog{
		Title: "marker", Entry: true, Chosen: -1, Lines: []string{"A note for the time axis and the record; it may be empty."},
		Keys: []views.KeyHelp{{Key: "enter", Does: "drop it"}, {Key: "esc", Does: "leave it"}},
	}
}

// longestNote limits the note of a marker, in characters.
const longestNote = 200

// clear begins the figures anew. There is nothing that could be taken back: the
// undo of knobs stays.
func (m *model) clear() {
	m.engine.clear()
	m.tell("cleared: figures and chart begin anew, the record goes on")
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
	m.list()
	return m, nil
}

// list offers what holds the typed text, where there is something to choose
// from: the values of a lever, or models, and last of these the text itself,
// since an endpoint may take a model that it doesn't list.
func (m *model) list() {
	switch {
	case m.entered == ofLever:
		m.dialog.Choices = leverChoices(m.turnable()[m.sim.at], m.input.Value())
	case m.entered == ofKnob && m.knob == knobModel:
		m.dialog.Choices = modelNames(m.modelsOf(m.target), m.input.Value())
	default:
		return
	}
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
	text := m.input.Value()
	if m.dialog.Chosen >= 0 {
		text = m.dialog.Choices[m.dialog.Chosen]
	}
	switch m.entered {
	case ofNote:
		m.dialog = nil
		m.engine.mark(strings.TrimSpace(text))
		return
	case ofLever:
		m.enterLever(text)
		return
	}
	next, err := m.withTyped(m.knob, text)
	if err != nil {
		m.fail(err)
		return
	}
	m.dialog = nil
	before := m.settings.SLO
	m.ask(proposal{settings: next, instead: m.instead})
	if m.knob == knobSLO {
		m.tell(sloTold(before, m.settings.SLO))
	}
}

// withTyped is the settings with a knob as it was typed.
func (m *model) withTyped(knob int, text string) (probe.Settings, error) {
	next := m.settings.Clone()
	switch {
	case knob == knobSLO:
		return next, parseSLO(&next, text)
	case knob == knobModel:
		name := strings.TrimSpace(text)
		if name == "" {
			return next, errors.New("type the name of a model")
		}
		m.setModel(&next, name)
		return next, nil
	}
	turned, take := next.Knobs[m.target], knobs[knob].parse
	if take == nil {
		take = knobs[knob].pick
	}
	if err := take(&turned, text); err != nil {
		return next, err
	}
	m.each(&next, knob, func(k *probe.Knobs) { *k = turned })
	return next, nil
}

func (m *model) fail(err error) {
	d := *m.dialog
	d.Error = err.Error()
	m.dialog = &d
}

// modelNames are the models that hold the typed text, in any case, and last
// the text itself where none is called so.
func modelNames(all []string, typed string) []string {
	typed = strings.TrimSpace(typed)
	var found []string
	for _, name := range all {
		if strings.Contains(strings.ToLower(name), strings.ToLower(typed)) {
			found = append(found, name)
		}
	}
	if typed != "" && !slices.Contains(all, typed) {
		found = append(found, typed)
	}
	return found
}
