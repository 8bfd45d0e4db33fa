package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
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
		{"up goes round to the last knob", "up up right", "rate 1/s → 2/s"},
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

		{"a typed value", "enter 8 k enter", "prompt 256 → 8,192"},
		{"typed after enter", "enter 1 0 0 enter", "prompt 256 → 100"},
		{"a typed value, mended", "enter 8 9 backspace k enter", "prompt 256 → 8,192"},
		{"a typed rate", "r R up down enter . 5 enter", "rate 1/s → 0.5/s"},
		{"typed and left", "enter 8 k esc", ""},
		{"a typed value that can't be", "b B enter 9 9 9 9 enter", ""},
		{"and then one that can", "b B enter 9 9 9 9 enter backspace backspace enter", "batch 0 → 99"},
		{"letters in an entry turn nothing", "enter 8 p b q enter esc", ""},
		{"the present value typed", "enter 2 5 6 enter", ""},

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
	p.press("B up ] [ x x t ? esc enter 8 esc enter 2 5 6 enter u")
	if len(p.engine.applied) > 0 {
		t.Errorf("the engine was asked for %v", p.engine.applied)
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
		{"unlinked, the other one", "x ] p", [2]int{256, 512}, [2]string{"a", "a"}},
		{"the target before", "x [ p", [2]int{256, 512}, [2]string{"a", "a"}},
		{"round the targets", "x ] ] p", [2]int{512, 256}, [2]string{"a", "a"}},
		{"typed, linked", "enter 8 k enter", [2]int{8192, 8192}, [2]string{"a", "a"}},
		{"typed, unlinked", "x enter 8 k enter", [2]int{8192, 256}, [2]string{"a", "a"}},
		{"linked again, the other takes the value", "x p x p", [2]int{1024, 1024}, [2]string{"a", "a"}},
		{"a model that one offers", "m", [2]int{256, 256}, [2]string{"b", "a"}},
		{"a model that both offer", "] m m", [2]int{256, 256}, [2]string{"a", "a"}},
		{"unlinked model", "x m m m", [2]int{256, 256}, [2]string{"b", "a"}},
		{"models stay when the prompt turns", "m ] p", [2]int{512, 512}, [2]string{"b", "a"}},
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

func TestQuit(t *testing.T) {
	for _, keys := range []string{"q", "ctrl+c", "enter 8 ctrl+c", "? ctrl+c", "m enter ctrl+c"} {
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
	p.press("enter 8 q")
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
