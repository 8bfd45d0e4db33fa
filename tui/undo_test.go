package tui

import (
	"strings"
	"testing"
)

func TestUndo(t *testing.T) {
	for _, c := range []struct{ name, keys, want string }{
		{"one turn", "p u", ""},
		{"one of two", "p p u", "prompt 256 → 512"},
		{"all", "p p u u", ""},
		{"more than there is", "p u u u", ""},
		{"different knobs", "p c u", "prompt 256 → 512"},
		{"an entry", "enter 8 k enter u", ""},
		{"a model", "m u", ""},
		{"what changed nothing is no turn", "p B u", ""},
		{"on after it", "p u p p", "prompt 256 → 1,024"},
		{"a pause stays", "p space u", ""},
	} {
		p := sitAt(t, atSimulator)
		before := p.m.settings.Clone()
		p.press(c.keys)
		if got := described(before, p.m.settings); got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.name, c.keys, got, c.want)
		}
		if paused := strings.Contains(c.keys, "space"); p.m.settings.Paused != paused {
			t.Errorf("%s: paused %v", c.name, p.m.settings.Paused)
		}
		p.agrees()
	}
}

func TestUndoIsBounded(t *testing.T) {
	p := sitAt(t, atSimulator)
	for range undoDepth + 5 {
		p.press("c")
	}
	if n := len(p.m.undo); n != undoDepth {
		t.Errorf("%d turns are kept", n)
	}
}

// A prompt that the endpoint refuses for its length is taken back to the last
// one that was shorter.
func TestStepBack(t *testing.T) {
	refuse := func(st *state) { st.refusal = 0 }
	for _, c := range []struct{ name, keys, want, notice string }{
		{"the last turn", "p p", "prompt 256 → 512", "near refused that length: prompt 1,024 → 512"},
		{"an entry", "enter 8 k enter", "", "near refused that length: prompt 8,192 → 256"},
		{"other turns since stay", "enter 8 k enter c r", "cache bust → warm, rate 1/s → 2/s", "near refused that length: prompt 8,192 → 256"},
		{"a longer answer", "o", "", "near refused that length: output 32 → 16"},
		{"past a shorter turn", "p p p P", "prompt 256 → 512", "near refused that length: prompt 1,024 → 512"},
		{"another model that takes less", "p p m", "prompt 256 → 512, model a → b", "near refused that length: prompt 1,024 → 512"},
		{"nothing shorter is known", "c P", "prompt 256 → 128, cache bust → warm", ""},
		{"nothing was turned", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sitAt(t, atSimulator)
			before := p.m.settings.Clone()
			p.press(c.keys)
			n := len(p.engine.applied)
			p.engineDoes(refuse)
			if got := described(before, p.m.settings); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			p.agrees()
			if p.m.notice != c.notice {
				t.Errorf("notice %q, want %q", p.m.notice, c.notice)
			}
			if c.notice == "" {
				if len(p.engine.applied) != n {
					t.Error("the engine was asked for something")
				}
				return
			}
			if notices := p.m.snapshot().Status.Notices; len(notices) != 1 || notices[0] != c.notice {
				t.Errorf("the screen says %q", notices)
			}
			refused := p.engine.applied[n-1].Knobs[0]
			for range 5 {
				p.press("u")
				if now := p.last().Knobs[0]; now.PromptTokens >= refused.PromptTokens && now.MaxTokens >= refused.MaxTokens {
					t.Errorf("undo leads back to what was refused: %+v", now)
				}
			}
		})
	}
}

// One refusal takes back one turn, however many frames show it.
func TestStepBackOnce(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("p p p")
	st := stateOf(p.m.targets, p.m.settings)
	st.refusal = 0
	for range 3 {
		p.send(frame{st})
	}
	if got := p.m.settings.Knobs[0].PromptTokens; got != 1024 {
		t.Errorf("prompt %d after one refusal of 2,048", got)
	}
	p.engineDoes(nil)
	if p.m.notice == "" {
		t.Error("the notice is gone with the next frame")
	}
	p.press("u")
	if got := p.m.settings.Knobs[0].PromptTokens; got != 512 {
		t.Errorf("undo after it leads to %d", got)
	}
	if p.m.notice != "" {
		t.Error("the notice stays after a turn")
	}
}

// A refusal of knobs that were turned since takes nothing back.
func TestStepBackOfOldKnobs(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("p p")
	st := stateOf(p.m.targets, p.m.settings)
	st.refusal = 0
	p.press("P")
	n := len(p.engine.applied)
	p.send(frame{st})
	if len(p.engine.applied) != n {
		t.Errorf("turned to %+v", p.last())
	}
}

func TestStepBackOfOneTarget(t *testing.T) {
	for _, c := range []struct {
		keys      string
		near, far int
	}{
		{"p p", 512, 512},          // linked: they stay comparable
		{"x p p ] p p", 1024, 512}, // the one that refused, though
		{"x ] p p ] p", 512, 512},  // another is selected
		{"] p p", 512, 512},
	} {
		p := sit(t, targetAt(t, "near", atSimulator), targetAt(t, "far", atSimulator))
		p.press(c.keys)
		p.engineDoes(func(st *state) { st.refusal = 1 })
		if k := p.last().Knobs; k[0].PromptTokens != c.near || k[1].PromptTokens != c.far {
			t.Errorf("%s: %d and %d, want %d and %d", c.keys, k[0].PromptTokens, k[1].PromptTokens, c.near, c.far)
		}
	}
}
