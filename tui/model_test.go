package tui

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
)

// What each way of turning a knob does, from the defaults: a prompt of 256
// tokens, no load, model a of a, b and c.
func TestKeysTurnKnobs(t *testing.T) {
	for _, c := range []struct {
		name, keys, want string
	}{
		{"right turns the selected knob up", "right", "prompt 256 → 512"},
		{"left turns it down", "left", "prompt 256 → 128"},
		{"plus and minus", "+ + -", "prompt 256 → 512"},
		{"letters of vi", "l l h", "prompt 256 → 512"},
		{"plus without shift, minus with", "= = _", "prompt 256 → 512"},
		{"down selects the next knob", "down right right", "batch 0 → 2"},
		{"j and k select", "j j k right", "batch 0 → 1"},
		{"up goes round to the last knob", "up right", "rate 1/s → 2/s"},
		{"p and P", "p p P", "prompt 256 → 512"},
		{"b and B", "b b b B", "batch 0 → 2"},
		{"m", "m", "model a → b"},
		{"m goes round", "m m m m", "model a → b"},
		{"M", "M", "model a → c"},
		{"c", "c", "cache bust → warm"},
		{"c back", "c c", ""},
		{"n", "n", "conn warm → cold"},
		{"n back", "n n", ""},
		{"o and O", "o o O", "output 16 → 32"},
		{"r and R", "r r R", "rate 1/s → 2/s"},
		{"a letter selects its knob", "o right right left", "output 16 → 64"},
		{"the least batch pressure is none", "B", ""},
		{"enter turns a knob that can't be typed", "c enter", ""},
		{"a digit does not", "c 1", "cache bust → warm"},
		{"two knobs", "p b", "prompt 256 → 512, batch 0 → 1"},
		{"a key that is not bound", "z", ""},

		{"a typed value", "8 k enter", "prompt 256 → 8,192"},
		{"typed after enter", "enter 1 0 0 enter", "prompt 256 → 100"},
		{"a typed value, mended", "8 9 backspace k enter", "prompt 256 → 8,192"},
		{"a typed rate", "r R up down . 5 enter", "rate 1/s → 0.5/s"},
		{"typed and left", "8 k esc", ""},
		{"a typed value that can't be", "b B 9 9 9 enter", ""},
		{"and then one that can", "b B 9 9 9 enter backspace enter", "batch 0 → 99"},
		{"letters in an entry turn nothing", "8 p b q enter esc", ""},
		{"the present value typed", "2 5 6 enter", ""},

		{"a model from the list", "m M enter down enter", "model a → b"},
		{"up goes round in the list", "m M enter up enter", "model a → c"},
		{"a model by filter", "m M enter C enter", "model a → c"},
		{"a model that is not listed", "m M enter x y enter", "model a → xy"},
		{"one whose name is part of a listed one's", "m M enter B down enter", "model a → B"},
		{"from an unlisted model to the first", "m M enter x enter m", ""},
		{"from an unlisted model to the last", "m M enter x enter M", "model a → c"},
		{"a model list that is left", "m M enter b esc", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sitAt(t, atSimulator)
			before := p.m.settings.Clone()
			p.press(c.keys)
			if got := described(before, p.m.settings); got != c.want {
				t.Errorf("%s: %q, want %q", c.keys, got, c.want)
			}
			if p.asked() {
				t.Error("a simulated endpoint is asked about")
			}
			p.agrees()
			if c.want != "" {
				p.last()
			}
		})
	}
}

// A key that changes nothing asks nothing of the engine: no epoch begins.
func TestNothingTurned(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("B up tab shift+tab x x t ? esc 8 esc 2 5 6 enter u")
	if len(p.engine.applied) > 0 {
		t.Errorf("the engine was asked for %v", p.engine.applied)
	}
}

func TestEntrySaysWhatIsWrong(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("b B 5 1 3 enter")
	d := p.m.dialog
	if d == nil || !strings.Contains(d.Error, "whole number from 0 to 512") {
		t.Fatalf("513 load streams: %+v", d)
	}
	p.press("backspace")
	if p.m.dialog == d || p.m.dialog.Error != "" || p.m.dialog.Text != "51" {
		t.Errorf("the error stays while it is mended: %+v", p.m.dialog)
	}
	if d.Text != "513" || d.Error == "" {
		t.Errorf("a dialog that a snapshot may hold was changed: %+v", d)
	}
}

func TestModelListIsFiltered(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "llama-8b", "llama-70b", "qwen-8b"))
	p.press("m M enter")
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"8 B", []string{"llama-8b", "qwen-8b", "8B"}},
		{"backspace backspace q", []string{"qwen-8b", "q"}},
		{"w e n - 8 b", []string{"qwen-8b"}},
		{"z", []string{"qwen-8bz"}},
	} {
		p.press(c.typed)
		if d := p.m.dialog; !slices.Equal(d.Choices, c.want) || d.Chosen != 0 {
			t.Errorf("after %q: %q, chosen %d, want %q", c.typed, d.Choices, d.Chosen, c.want)
		}
	}
}

// An endpoint that lists no model takes a typed one, and can't be turned.
func TestNoModels(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator))
	p.press("m M enter enter")
	if d := p.m.dialog; d == nil || d.Error == "" {
		t.Errorf("no model is taken for one: %+v", d)
	}
	p.press("g enter")
	if got := p.last().Knobs[0].Model; got != "g" {
		t.Errorf("model %q", got)
	}
}

func TestPaste(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.send(tea.PasteMsg{Content: "8k"})
	if p.m.dialog != nil || len(p.engine.applied) > 0 {
		t.Error("a paste beside any entry does something")
	}
	p.press("enter")
	p.send(tea.PasteMsg{Content: "8k\r\n"})
	p.press("enter")
	if got := p.last().Knobs[0].PromptTokens; got != 8192 {
		t.Errorf("8k pasted: %d", got)
	}
	p.press("m M enter")
	p.send(tea.PasteMsg{Content: "maker/model\x1b[31m\x07"})
	p.press("enter")
	if got := p.last().Knobs[0].Model; strings.ContainsFunc(got, func(r rune) bool { return r < ' ' }) || !strings.HasPrefix(got, "maker/model") {
		t.Errorf("pasted model %q", got)
	}
}

func TestLinkedTargets(t *testing.T) {
	two := func(t *testing.T) *person {
		return sit(t, targetAt(t, "near", atSimulator, "a", "b"), targetAt(t, "far", atSimulator, "a", "c"))
	}
	for _, c := range []struct {
		name, keys string
		prompt     [2]int
		model      [2]string
	}{
		{"linked, both turn", "p", [2]int{512, 512}, [2]string{"a", "a"}},
		{"unlinked, the selected one", "x p", [2]int{512, 256}, [2]string{"a", "a"}},
		{"unlinked, the other one", "x tab p", [2]int{256, 512}, [2]string{"a", "a"}},
		{"the target before", "x shift+tab p", [2]int{256, 512}, [2]string{"a", "a"}},
		{"round the targets", "x tab tab p", [2]int{512, 256}, [2]string{"a", "a"}},
		{"typed, linked", "8 k enter", [2]int{8192, 8192}, [2]string{"a", "a"}},
		{"typed, unlinked", "x 8 k enter", [2]int{8192, 256}, [2]string{"a", "a"}},
		{"linked again, the other takes the value", "x p x p", [2]int{1024, 1024}, [2]string{"a", "a"}},
		{"a model that one offers", "m", [2]int{256, 256}, [2]string{"b", "a"}},
		{"a model that both offer", "tab m m", [2]int{256, 256}, [2]string{"a", "a"}},
		{"unlinked model", "x m m m", [2]int{256, 256}, [2]string{"b", "a"}},
		{"models stay when the prompt turns", "m tab p", [2]int{512, 512}, [2]string{"b", "a"}},
		{"a typed model, linked", "m M enter c enter", [2]int{256, 256}, [2]string{"c", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := two(t)
			p.press(c.keys)
			for i, k := range p.m.settings.Knobs {
				if k.PromptTokens != c.prompt[i] || k.Model != c.model[i] {
					t.Errorf("target %d: prompt %d, model %s, want %d and %s", i, k.PromptTokens, k.Model, c.prompt[i], c.model[i])
				}
			}
			p.agrees()
		})
	}
}

func TestPause(t *testing.T) {
	p := sitAt(t, atReal)
	p.press("space")
	if !p.last().Paused || !p.m.snapshot().Paused {
		t.Error("space does not pause")
	}
	p.press("space")
	if p.last().Paused || p.m.snapshot().Paused || p.asked() {
		t.Error("space does not go on")
	}
	if len(p.m.undo) > 0 {
		t.Error("a pause is a turn to undo")
	}
}

func TestHelp(t *testing.T) {
	p := sitAt(t, atSimulator)
	for _, size := range []tea.WindowSizeMsg{{Width: 160, Height: 45}, {Width: 80, Height: 24}, {Width: 40, Height: 12}, {Width: 20, Height: 5}} {
		p.send(size)
		p.press("?")
		seen := ""
		for page := 0; p.m.dialog != nil; page++ {
			if page > len(bindings) {
				t.Fatalf("%d×%d: the help does not end", size.Width, size.Height)
			}
			screen := ansi.Strip(p.m.View().Content)
			seen += screen
			if size.Width >= 80 {
				for _, l := range p.m.dialog.Lines {
					if !strings.Contains(screen, l) {
						t.Errorf("%d×%d: %q is cut off:\n%s", size.Width, size.Height, l, screen)
					}
				}
			}
			p.press("z")
		}
		if size.Width >= 80 && !strings.Contains(seen, "quit") {
			t.Errorf("%d×%d: the help ends before its last key:\n%s", size.Width, size.Height, seen)
		}
	}
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.press("? esc")
	if p.m.dialog != nil {
		t.Error("esc does not leave the help")
	}
	p.press("? p")
	if len(p.engine.applied) > 0 {
		t.Error("a key that leaves the help turns a knob as well")
	}
}

func TestThemes(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.m.theme = p.m.theme.ASCII()
	if p.m.Init() == nil {
		t.Error("the terminal is not asked for its background")
	}
	p.send(tea.BackgroundColorMsg{Color: color.White})
	if p.m.theme.Name != "light" || !p.m.theme.Symbols.ASCII {
		t.Errorf("on a light background: %s, ASCII %v", p.m.theme.Name, p.m.theme.Symbols.ASCII)
	}
	var got []string
	for range 3 {
		p.press("t")
		got = append(got, p.m.theme.Name)
	}
	if want := []string{"mono", "dark", "light"}; !slices.Equal(got, want) {
		t.Errorf("t goes through %v, want %v", got, want)
	}
	if !p.m.theme.Symbols.ASCII {
		t.Error("t forgets that the terminal is for ASCII")
	}
	p.send(tea.BackgroundColorMsg{Color: color.Black})
	if p.m.theme.Name != "light" {
		t.Errorf("a chosen theme gives way to the background: %s", p.m.theme.Name)
	}
	fixed := model{fixed: true, theme: themeNamed(t, "mono")}
	if fixed.Init() != nil {
		t.Error("the background is asked for though the theme is fixed")
	}
}

func TestQuit(t *testing.T) {
	for _, keys := range []string{"q", "ctrl+c", "8 ctrl+c", "? ctrl+c", "m enter ctrl+c"} {
		p := sitAt(t, atSimulator)
		p.press(keys)
		if p.cmd == nil || !p.m.quitting {
			t.Errorf("%s does not quit", keys)
			continue
		}
		if _, ok := p.cmd().(tea.QuitMsg); !ok {
			t.Errorf("%s: %T", keys, p.cmd())
		}
	}
	p := sitAt(t, atReal)
	p.press("b ctrl+c")
	if p.cmd == nil || len(p.engine.applied) > 0 {
		t.Error("ctrl+c does not quit while the screen asks, or agrees")
	}
	p = sitAt(t, atSimulator)
	p.press("8 q")
	if p.cmd != nil || p.m.dialog.Text != "8q" {
		t.Error("q quits out of an entry")
	}
	p.press("esc ctrl+z")
	if p.cmd == nil {
		t.Fatal("ctrl+z does nothing")
	}
	if _, ok := p.cmd().(tea.SuspendMsg); !ok {
		t.Errorf("ctrl+z: %T", p.cmd())
	}
}

func TestView(t *testing.T) {
	p := sitAt(t, atSimulator)
	for _, size := range []struct{ set, w, h int }{{1, 80, 24}, {1, 160, 45}, {1, 1, 1}, {0, 80, 24}} {
		p.send(tea.WindowSizeMsg{Width: size.w * size.set, Height: size.h * size.set})
		v := p.m.View()
		if !v.AltScreen {
			t.Error("the screen is not a screen of its own")
		}
		if err := exact(v.Content, size.w, size.h); err != nil {
			t.Errorf("%d×%d: %v", size.w, size.h, err)
		}
	}
	if out := ansi.Strip(p.m.View().Content); !strings.Contains(out, "SIMULATED") {
		t.Errorf("simulated endpoints are not called so:\n%s", out)
	}
	mixed := sit(t, targetAt(t, "near", atSimulator), targetAt(t, "far", atLoopback))
	if mixed.m.snapshot().Simulated {
		t.Error("a real endpoint is called simulated")
	}
	if (model{}).View().Content != "" {
		t.Error("something is drawn of a state that isn't there")
	}
}

func TestSnapshotOfKnobs(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"))
	p.press("x tab p b")
	p.engineDoes(func(st *state) {
		st.targets[1].LoadAsked, st.targets[1].Load = 1, 0
		st.targets[1].Figures.PromptTokens, st.targets[1].Figures.PromptExact = 509, true
		st.status.Notices = []string{"one", "two"}
	})
	s := p.m.snapshot()
	if s.Selected != 1 || s.Knobs[knobPrompt].Value != "512" || s.Knobs[knobPressure].Value != "1" || !s.Knobs[knobPressure].Selected {
		t.Errorf("%+v", s.Knobs)
	}
	for i, want := range map[int]string{
		knobPrompt: "the endpoint counts 509", knobPressure: "0 of 1 in flight", knobModel: "knobs turn for far alone",
	} {
		if s.Knobs[i].Note != want {
			t.Errorf("note of %s: %q, want %q", s.Knobs[i].Name, s.Knobs[i].Note, want)
		}
	}
	if near, far := int64(60*(256+16)), int64(60*(512+16)+15*(512+probe.LoadOutputCap)); s.Status.PerMinute != near+far {
		t.Errorf("%d tokens a minute, want %d", s.Status.PerMinute, near+far)
	}
	p.engineDoes(func(st *state) {
		st.targets[1].Figures.PromptTokens, st.over = 500, true
	})
	if s := p.m.snapshot(); s.Knobs[knobPrompt].Note != "the endpoint does not count tokens" || !s.Paused {
		t.Errorf("%+v, paused %v", s.Knobs[knobPrompt], s.Paused)
	}
}

// The engine's choice of a model is taken over, and not undone by settings
// that are older.
func TestModelChosenByTheEngine(t *testing.T) {
	p := sit(t, targetAt(t, "near", atLoopback))
	p.press("p")
	chosen := func(st *state) { st.settings.Knobs[0].Model = "found" }
	p.engineDoes(chosen)
	if got := p.m.settings.Knobs[0].Model; got != "found" {
		t.Fatalf("model %q", got)
	}
	p.press("u")
	if k := p.last().Knobs[0]; k.Model != "found" || k.PromptTokens != 256 {
		t.Errorf("after undo: %+v", k)
	}
}

func TestPanicOfAnotherGoroutine(t *testing.T) {
	p := sitAt(t, atSimulator)
	defer func() {
		if got := recover(); got != "the report" {
			t.Errorf("recovered %v", got)
		}
	}()
	p.send(panicked{"the report"})
}
