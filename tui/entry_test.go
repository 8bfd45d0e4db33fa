package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
)

func TestEntrySaysWhatIsWrong(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("b B enter 9 9 9 9 enter")
	d := p.m.dialog
	if d == nil || !strings.Contains(d.Error, "type a whole number from 0 to") {
		t.Fatalf("9,999 load streams: %+v", d)
	}
	p.press("backspace")
	if p.m.dialog == d || p.m.dialog.Error != "" || p.m.dialog.Text != "999" {
		t.Errorf("the error stays while it is mended: %+v", p.m.dialog)
	}
	if d.Text != "9999" || d.Error == "" {
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
	p.press("?")
	help := p.m.dialog
	p.send(tea.PasteMsg{Content: "8k"})
	if p.m.dialog != help {
		t.Error("a paste into the help does something")
	}
	p.press("esc enter")
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

// A comma that parts no thousands is refused wherever a number is typed, with what
// to write: it may be a decimal point.
func TestDecimalCommas(t *testing.T) {
	for typed, want := range map[string]string{"r R enter 0 , 5 enter": "write 0.5", "enter 1 , 5 k enter": "write 1.5k"} {
		p := sitAt(t, atSimulator)
		p.press(typed)
		if d := p.m.dialog; d == nil || !strings.Contains(d.Error, want) {
			t.Errorf("%s: %+v; want %q", typed, d, want)
		}
	}
}

// The rate can be typed down to what the flag and the configuration take.
func TestSlowestRate(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("r R enter 0 . 0 0 1 enter")
	if got := p.last().Knobs[0].Rate; got != probe.MinRate {
		t.Errorf("rate %v: %+v", got, p.m.dialog)
	}
}
