package tui

import (
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
	run      turnRun
	instead  bool // what is typed is in place of the turns before it
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
	m.tell("theme: " + m.theme.Name)
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
