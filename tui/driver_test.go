package tui

import (
	"net/url"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/themes"
	"ttftop/views"
)

// fakeEngine notes what it is asked for, and allows all, or as cap has it.
type fakeEngine struct {
	applied []probe.Settings
	cap     func(probe.Settings) (probe.Settings, error)
	notes   []string
	cleared int
}

func (e *fakeEngine) allowed(s probe.Settings) (probe.Settings, error) {
	if e.cap == nil {
		return s, nil
	}
	return e.cap(s)
}

func (e *fakeEngine) apply(s probe.Settings) { e.applied = append(e.applied, s.Clone()) }
func (e *fakeEngine) mark(note string)       { e.notes = append(e.notes, note) }
func (e *fakeEngine) clear()                 { e.cleared++ }

// person sits at the keys of a model.
type person struct {
	t      *testing.T
	m      model
	engine *fakeEngine
	cmd    tea.Cmd // of the last message
}

// The kinds of endpoint.
const (
	atSimulator = "simulated"
	atLoopback  = "http://127.0.0.1:8000/v1"
	atReal      = "https://llm.example.com/v1"
)

func targetAt(t testing.TB, name, at string, models ...string) probe.Target {
	t.Helper()
	e := &probe.Endpoint{Name: name}
	raw := at
	if at == atSimulator {
		e.Simulated, raw = true, "http://127.0.0.1:1/v1"
	}
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	e.Base = u
	return probe.Target{Name: name, Endpoint: e, Models: models}
}

// settingsFor are the default knobs, with the first model of each target.
func settingsFor(targets []probe.Target) probe.Settings {
	var s probe.Settings
	for _, t := range targets {
		k := probe.DefaultKnobs
		if len(t.Models) > 0 {
			k.Model = t.Models[0]
		}
		s.Knobs = append(s.Knobs, k)
	}
	return s
}

// stateOf is what an engine tells that has turned its knobs to s and has
// calibrated.
func stateOf(targets []probe.Target, s probe.Settings) *state {
	st := &state{settings: s.Clone(), refusal: -1}
	for i, t := range targets {
		st.targets = append(st.targets, views.Target{Name: t.Name, Model: s.Knobs[i].Model})
		st.models = append(st.models, t.Models)
		st.streams = append(st.streams, 0)
		st.ladders = append(st.ladders, 0)
	}
	return st
}

// sit starts a model on targets with the default knobs.
func sit(t *testing.T, targets ...probe.Target) *person {
	t.Helper()
	s := settingsFor(targets)
	usualSides(&s)
	p := &person{t: t, engine: &fakeEngine{}}
	p.m = model{
		cache: &cache{}, engine: p.engine, targets: targets, theme: looks(t)["dark"], settings: s, ladder: 2720,
		state: stateOf(targets, s),
	}
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	return p
}

// sitAt is sit with one target that offers the models a, b and c.
func sitAt(t *testing.T, at string) *person {
	t.Helper()
	return sit(t, targetAt(t, "near", at, "a", "b", "c"))
}

// send gives a message to the model and draws the screen, as the program does.
func (p *person) send(msg tea.Msg) {
	p.t.Helper()
	next, cmd := p.m.Update(msg)
	p.m, p.cmd = next.(model), cmd
	p.m.View()
}

// press presses keys, written with blanks between them as the program calls
// them: "p", "right", "shift+tab".
func (p *person) press(keys string) {
	p.t.Helper()
	for name := range strings.FieldsSeq(keys) {
		p.send(keyNamed(p.t, name))
	}
}

// engineDoes brings a frame in which the engine has done what it was asked.
func (p *person) engineDoes(change func(*state)) {
	p.t.Helper()
	st := stateOf(p.m.targets, p.m.settings)
	if change != nil {
		change(st)
	}
	p.send(frame{st})
}

// last is what the engine was asked for last.
func (p *person) last() probe.Settings {
	p.t.Helper()
	if len(p.engine.applied) == 0 {
		p.t.Fatal("the engine was asked for nothing")
	}
	return p.engine.applied[len(p.engine.applied)-1]
}

// asked reports whether the screen asks about costs.
func (p *person) asked() bool { return p.m.pending != nil }

// agrees checks that the engine was asked for exactly what the screen shows.
func (p *person) agrees() {
	p.t.Helper()
	if n := len(p.engine.applied); n > 0 {
		last := p.engine.applied[n-1]
		if d := described(last, p.m.settings); d != "" || last.Paused != p.m.settings.Paused {
			p.t.Errorf("the screen shows other knobs than the engine has: %s, paused %v and %v", d, p.m.settings.Paused, last.Paused)
		}
	}
}

var namedKeys = map[string]tea.Key{
	"right": {Code: tea.KeyRight}, "left": {Code: tea.KeyLeft}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "backspace": {Code: tea.KeyBackspace},
	"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "space": {Code: tea.KeySpace, Text: " "},
	"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"ctrl+f": {Code: 'f', Mod: tea.ModCtrl}, "ctrl+b": {Code: 'b', Mod: tea.ModCtrl},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl},
}

// keyNamed is the message of a key, as a terminal brings it.
func keyNamed(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	k, ok := namedKeys[name]
	if !ok {
		r := []rune(name)
		if len(r) != 1 {
			t.Fatalf("no key is called %q", name)
		}
		k = tea.Key{Code: r[0], Text: name}
		if unicode.IsUpper(r[0]) {
			k = tea.Key{Code: unicode.ToLower(r[0]), ShiftedCode: r[0], Mod: tea.ModShift, Text: name}
		}
	}
	msg := tea.KeyPressMsg(k)
	if msg.String() != name {
		t.Fatalf("the key %q comes out as %q", name, msg.String())
	}
	return msg
}

// themeNamed is a theme by its name.
func themeNamed(t *testing.T, name string) themes.Theme {
	t.Helper()
	th, err := themes.Pick(name, true, false)
	if err != nil {
		t.Fatal(err)
	}
	return th
}
