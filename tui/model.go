package tui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
	"ttftop/views"
)

// engine is what the screen asks of a session.
type engine interface {
	// allowed are settings as far as the system has room for them, and why that
	// is less than all.
	allowed(probe.Settings) (probe.Settings, error)
	apply(probe.Settings)
	mark(note string)
	clear()
}

// model is the state of the screen.
type model struct {
	engine  engine
	targets []probe.Target
	theme   themes.Theme
	fixed   bool // the theme was chosen, not guessed from the background
	bright  bool // the background is known to be light
	plain   bool // the terminal shows no colours
	remote  bool // the terminal is at the far end of an SSH connection
	width   int
	height  int

	mode  mode
	zoom  panel // has the whole screen; "" for none
	table probeTable
	page  *views.Page // in front of everything
	cache *cache      // of drawn panels; the one thing that drawing changes

	state    *state
	settings probe.Settings // as the person has turned them
	undo     []probe.Settings
	target   int // selected
	knob     int // selected
	unlinked bool
	consent  consent
	ladder   int       // tokens of a whole calibration, 0 where there is none
	pending  *proposal // waits for an answer to the question
	pairing
	telling
	dialog   *views.Dialog
	input    textinput.Model
	entered  entryKind // what the entry is for
	sim      simLevers
	help     help
	quitting bool
	levers   *levers // nil where the what-if panel is closed; a new one for each change
	tour     tour
	detail
}

// frame brings the newest state of the engine.
type frame struct{ state *state }

// panicked brings a panic of another goroutine into the program, which knows
// how to give the terminal back.
type panicked struct{ report string }

// Init implements tea.Model.
func (m model) Init() tea.Cmd {
	var first []tea.Cmd
	if m.remote { // bubbletea asks only where the terminal is near, or known
		// A terminal that doesn't know the question may print part of it.
		first = append(first, tea.Sequence(tea.Raw(ansi.RequestModeSynchronizedOutput), tea.ClearScreen))
	}
	if !m.plain {
		first = append(first, tea.RequestBackgroundColor)
	}
	return tea.Batch(first...)
}

// Update implements tea.Model.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.guessTheme(msg.IsDark())
	case frame:
		m.takeState(msg.state)
		m.expire(msg.state.now)
		m.adopt()
		m.stepBack()
		m.tourGoesOn()
	case panicked:
		panic(msg.report)
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		switch {
		case m.dialog != nil && m.dialog.Entry:
			return m.typed(msg)
		case m.filteringLevers():
			m.leverFilterTyped(msg)
		case m.filtering():
			m.table.typed(msg)
			m.updateTable()
		}
	}
	return m, nil
}

// tableEvery is how often the table of probes changes by itself: a new probe
// moves every line, which nobody can read and costs many bytes.
const tableEvery = 2 * time.Second

// takeState takes the newest state.
func (m *model) takeState(st *state) {
	same := m.state != nil && st.now > 0 && m.state.now.Truncate(tableEvery) == st.now.Truncate(tableEvery)
	m.state = st
	if !same {
		m.updateTable()
	}
}

// guessTheme takes the theme for the terminal's background, where none was
// asked for, or the look for it of the one that was.
func (m *model) guessTheme(dark bool) {
	m.bright = !dark
	if m.fixed {
		m.theme = m.theme.On(dark)
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

// nextTheme goes to the next theme, where the terminal has colours to tell it
// by.
func (m *model) nextTheme() {
	if m.plain {
		m.tell("no other theme: NO_COLOR is set, or the terminal has no colours")
		return
	}
	m.theme, m.fixed = m.theme.Next(!m.bright), true
}

// press does what a key does.
func (m model) press(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if msg.String() == "ctrl+c" {
		m.quitting = true
		return m, tea.Quit
	}
	if msg.String() == "q" && (m.dialog == nil || !m.dialog.Entry) && !m.filtering() && !m.filteringLevers() {
		m.quitting = true
		return m, tea.Quit
	}
	switch {
	case m.page != nil:
		m.pageKey(msg)
		return m, nil
	case m.pending != nil:
		return m.answer(msg), nil
	case m.dialog != nil && m.dialog.Entry:
		return m.entry(msg)
	case m.dialog != nil:
		m.helpKey(msg)
		return m, nil
	case m.inspect != nil:
		return m.inspecting(msg)
	case m.levers != nil:
		return m.projecting(msg)
	case m.filtering():
		m.filterKey(msg)
		return m, nil
	case m.leverKey(msg):
		return m, nil
	}
	return m.act(m.actionFor(msg))
}

func (m model) act(a action) (tea.Model, tea.Cmd) {
	if m.tourFor(a) || m.turnFor(a) || m.viewFor(a) {
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
		m.open()
	case actCurl:
		return m.curl()
	case actCopy:
		return m.copyVerdict()
	case actPairs, actOrder, actSideA, actSideABack, actSideB, actSideBBack:
		m.turnPairs(a)
	case actUndo:
		m.undoTurn()
	case actLink:
		m.link()
	case actLevers:
		m.toggleLevers()
	case actPause:
		next := m.settings.Clone()
		next.Paused = !next.Paused
		m.ask(proposal{settings: next})
	case actTheme:
		m.nextTheme()
	case actMark:
		m.openNote()
	case actClear:
		m.clear()
	case actHelp:
		m.openHelp()
	case actWhatIf:
		m.levers = &levers{}
	case actInspect, actIntervals, actTruth:
		m.look(a)
	}
	return m, nil
}

// viewFor does what a key does to the view, and nothing to the probing.
func (m *model) viewFor(a action) bool {
	if v, ok := viewActions[a]; ok {
		m.show(v)
		return true
	}
	switch a {
	case actNextView, actPrevView:
		m.show(mode(cycle(int(m.mode), views.NViews, a == actNextView)))
	case actZoom:
		m.nextZoom()
	case actBack:
		m.back()
	default:
		if !m.table.act(a, m.tablePage()) {
			return false
		}
		m.updateTable()
	}
	return true
}

// back leaves what was opened last: a probe, a filter, a zoom.
func (m *model) back() {
	if m.mode == probes && m.table.back() {
		m.updateTable()
		return
	}
	m.zoom = ""
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
	switch knob {
	case knobModel:
		m.turnModel(&next, up)
	case knobSLO:
		turnSLO(&next, up, m.p95())
	default:
		m.each(&next, knob, func(k *probe.Knobs) { knobs[knob].turn(k, up) })
	}
	m.ask(proposal{settings: next})
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
