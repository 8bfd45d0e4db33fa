package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// A knob's own key selects it for typing: the turn that comes with it and the typed
// value are one change, where they follow each other at once.
func TestTypingAfterTheKnobsKey(t *testing.T) {
	for _, c := range []struct{ name, first, wait, then, want string }{
		{"one change", "p", "1s", "enter 4 k enter u", ""},
		{"the value it had", "p", "1s", "enter 2 5 6 enter u", ""},
		{"not typed after all", "p", "1s", "enter esc u", ""},
		{"not typed, and not undone", "p", "1s", "enter esc", "prompt 256 → 512"},
		{"several turns", "p p P", "1s", "enter 4 k enter u", ""},
		{"selected and turned back", "m M", "1s", "enter c enter u", ""},
		{"further than it goes", "P P P P P P P", "1s", "enter 4 k enter u", ""},
		{"after an arrow", "right", "1s", "enter 4 k enter u", ""},
		{"later", "p", "4s", "enter 4 k enter u", "prompt 256 → 512"},
		{"another knob between", "p c", "1s", "k k k enter 4 k enter u", "prompt 256 → 512, cache bust → warm"},
		{"something else between", "p", "1s", "x enter 4 k enter u", "prompt 256 → 512"},
		{"before it", "o p", "1s", "enter 4 k enter u", "output 16 → 32"},
		{"and before that", "o p", "1s", "enter 4 k enter u u", ""},
	} {
		p := sitAt(t, atSimulator)
		before := p.m.settings.Clone()
		p.press(c.first)
		d, err := time.ParseDuration(c.wait)
		if err != nil {
			t.Fatal(err)
		}
		p.at(d)
		p.press(c.then)
		if got := described(before, p.m.settings); got != c.want {
			t.Errorf("%s: %s, after %s %s: %q, want %q", c.name, c.first, c.wait, c.then, got, c.want)
		}
		p.agrees()
	}
}

// The question that a knob's own key raises can be answered with a value instead.
func TestTypingInPlaceOfAQuestion(t *testing.T) {
	p := sitAt(t, atReal)
	p.press("b")
	if !p.asked() || !strings.Contains(p.screenText(), "enter type a value") {
		t.Fatalf("asked %v:\n%s", p.asked(), p.screenText())
	}
	p.press("enter 0 enter")
	if p.asked() || p.m.dialog != nil || len(p.engine.applied) > 0 {
		t.Errorf("asked %v, dialog %+v, applied %+v", p.asked(), p.m.dialog, p.engine.applied)
	}
	p.press("b enter 2 enter")
	if !p.asked() || strings.Contains(p.screenText(), "type a value") {
		t.Errorf("of a typed value: asked %v:\n%s", p.asked(), p.screenText())
	}
	p.press("enter")
	if !p.asked() {
		t.Error("enter answers the question about a typed value")
	}
	p.press("y")
	if got := p.last().Knobs[0].Pressure; got != 2 {
		t.Errorf("pressure %d", got)
	}
}

// Turns of one knob at once have one mark, which tells the whole way.
func TestTurnsAtOnceHaveOneMark(t *testing.T) {
	start := time.Now()
	var changes []probe.Changed
	now := probe.Settings{Knobs: []probe.Knobs{probe.DefaultKnobs}}
	turn := func(after time.Duration, change func(*probe.Knobs)) {
		next := now.Clone()
		change(&next.Knobs[0])
		changes = append(changes, probe.Changed{Epoch: len(changes) + 1, At: start.Add(after), Before: now, Settings: next})
		now = next
	}
	prompt := func(n int) func(*probe.Knobs) { return func(k *probe.Knobs) { k.PromptTokens = n } }
	turn(0, prompt(512))
	turn(2*time.Second, prompt(4096))
	turn(4*time.Second, prompt(8192)) // not at once with the first
	turn(5*time.Second, func(k *probe.Knobs) { k.MaxTokens = 32 })
	turn(20*time.Second, prompt(512))
	turn(21*time.Second, prompt(8192)) // back
	var got []string
	for _, c := range joined(changes) {
		got = append(got, described(c.Before, c.Settings))
	}
	want := []string{"prompt 256 → 4,096", "prompt 4,096 → 8,192", "output 16 → 32", "prompt 8,192 → 512", "prompt 512 → 8,192"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
