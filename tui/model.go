package tui

import (
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/themes"
	"ttftop/views"
)

// undoDepth is how many turns of a knob can be taken back.
const undoDepth = 50

// engine is what the screen asks of a session.
type engine interface {
	apply(probe.Settings)
}

// model is the state of the screen.
type model struct {
	engine  engine
	targets []probe.Target
	theme   themes.Theme
	fixed   bool // the theme was chosen, not guessed from the background
	width   int
	height  int

	state    *state
	settings probe.Settings // as the person has turned them
	undo     []probe.Settings
	target   int // selected
	knob     int // selected
	unlinked bool
	consent  consent
	pending  *probe.Settings // waits for an answer to the question
	dialog   *views.Dialog
	input    textinput.Model
	refused  *probe.Failure // the refusal of a prompt that was acted on
	quitting bool
}

// frame brings the newest state of the engine.
type frame struct{ state *state }

// panicked brings a panic of another goroutine into the program, which knows
// how to give the terminal back.
type panicked struct{ cause any }

// Init implements tea.Model.
func (m model) Init() tea.Cmd {
	if m.fixed {
		return nil
	}
	return tea.RequestBackgroundColor
}

// Update implements tea.Model.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.guessTheme(msg.IsDark())
	case frame:
		m.state = msg.state
		m.adopt()
		m.stepBack()
	case panicked:
		panic(msg.cause)
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		if m.dialog != nil && m.dialog.Entry {
			return m.typed(msg)
		}
	}
	return m, nil
}

// guessTheme takes the theme for the terminal's background, where none was
// asked for.
func (m *model) guessTheme(dark bool) {
	if m.fixed {
		return
	}
	theme, err := themes.Pick("", dark, false)
	if err != nil {
		return
	}
	if m.theme.Symbols.ASCII {
		theme = theme.ASCII()
	}
	m.theme = theme
}

// press does what a key does.
func (m model) press(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if msg.String() == "ctrl+c" {
		m.quitting = true
		return m, tea.Quit
	}
	switch {
	case m.pending != nil:
		return m.answer(msg), nil
	case m.dialog != nil && m.dialog.Entry:
		return m.entry(msg)
	case m.dialog != nil: // the help
		m.dialog = nil
		return m, nil
	}
	return m.act(actionOf(msg), msg)
}

func (m model) act(a action, msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if m.turnFor(a) {
		return m, nil
	}
	switch a {
	case actQuit:
		m.quitting = true
		return m, tea.Quit
	case actSuspend:
		return m, tea.Suspend
	case actRaise, actLower:
		m.turn(m.knob, a == actRaise)
	case actNextKnob, actPrevKnob:
		m.knob = cycle(m.knob, len(knobs), a == actNextKnob)
	case actNextTarget, actPrevTarget:
		m.target = cycle(m.target, len(m.targets), a == actNextTarget)
	case actEnter:
		return m.open(msg)
	case actUndo:
		m.undoTurn()
	case actLink:
		m.unlinked = !m.unlinked
	case actPause:
		next := m.settings.Clone()
		next.Paused = !next.Paused
		m.ask(next)
	case actTheme:
		m.theme, m.fixed = m.theme.Next(), true
	case actHelp:
		m.dialog = &views.Dialog{Title: "Keys", Chosen: -1, Lines: helpLines(), Keys: []views.KeyHelp{{Key: "any key", Does: "back"}}}
	}
	return m, nil
}

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

func cycle(i, n int, forward bool) int {
	if n == 0 {
		return 0
	}
	if forward {
		return (i + 1) % n
	}
	return (i + n - 1) % n
}

// turn moves a knob one step.
func (m *model) turn(knob int, up bool) {
	next := m.settings.Clone()
	if knob == knobModel {
		m.turnModel(&next, up)
	} else {
		m.each(&next, func(k *probe.Knobs) { knobs[knob].turn(k, up) })
	}
	m.ask(next)
}

// each changes the knobs of every target alike, so that linked targets stay
// comparable: the selected one is turned, the others take its value. Unlinked,
// only the selected one changes.
func (m *model) each(s *probe.Settings, change func(*probe.Knobs)) {
	turned := s.Knobs[m.target]
	change(&turned)
	for i := range s.Knobs {
		if i != m.target && m.unlinked {
			continue
		}
		name := s.Knobs[i].Model
		s.Knobs[i] = turned
		s.Knobs[i].Model = name
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
		if !m.unlinked && slices.Contains(m.modelsOf(i), name) {
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

// ask sets the knobs, after a question where they would cost much.
func (m *model) ask(next probe.Settings) {
	text := described(m.settings, next)
	if text == "" && next.Paused == m.settings.Paused {
		return
	}
	if c := m.cost(next); m.consent.asks(c) {
		m.pending = &next
		m.dialog = question(text, c)
		return
	}
	m.commit(next)
}

// commit sets the knobs and remembers the old ones, where they differ.
func (m *model) commit(next probe.Settings) {
	if described(m.settings, next) != "" {
		m.undo = append(m.undo, m.settings)
		m.undo = m.undo[max(0, len(m.undo)-undoDepth):]
	}
	m.set(next)
}

func (m *model) cost(s probe.Settings) cost {
	return costOf(m.targets, s, m.streamTime, m.calibration)
}

// answer takes the answer to the question: anything but y leaves things as
// they are.
func (m model) answer(msg tea.KeyPressMsg) model {
	next := *m.pending
	m.pending, m.dialog = nil, nil
	if msg.String() == "y" || msg.String() == "Y" {
		m.consent.give(m.cost(next))
		m.commit(next)
	}
	return m
}

func (m *model) undoTurn() {
	if len(m.undo) == 0 {
		return
	}
	last := m.undo[len(m.undo)-1].Clone()
	last.Paused = m.settings.Paused
	m.undo = m.undo[:len(m.undo)-1]
	m.set(last)
}

func (m *model) set(next probe.Settings) {
	m.settings = next
	m.engine.apply(next)
}

// stepBack takes back a prompt length that the endpoint has refused, once for
// each refusal.
func (m *model) stepBack() {
	f := m.state.refusal
	if f == nil || f == m.refused || len(m.undo) == 0 {
		return
	}
	m.refused = f
	before := m.undo[len(m.undo)-1]
	if before.Knobs[m.target].PromptTokens < m.settings.Knobs[m.target].PromptTokens || before.Knobs[m.target].MaxTokens < m.settings.Knobs[m.target].MaxTokens {
		m.undoTurn()
	}
}

// adopt takes the knobs as the engine has them, where it chose a model.
func (m *model) adopt() {
	for i := range m.settings.Knobs {
		if m.settings.Knobs[i].Model == "" {
			m.settings.Knobs[i].Model = m.state.settings.Knobs[i].Model
		}
	}
}
