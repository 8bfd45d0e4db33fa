package tui

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
)

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
	for range 5 {
		p.press("t")
		got = append(got, p.m.theme.Name)
	}
	if want := []string{"high-contrast", "colour-blind", "mono", "dark", "light"}; !slices.Equal(got, want) {
		t.Errorf("t goes through %v, want %v", got, want)
	}
	if !p.m.theme.Symbols.ASCII {
		t.Error("t forgets that the terminal is for ASCII")
	}
	p.send(tea.BackgroundColorMsg{Color: color.Black})
	if p.m.theme.Name != "light" {
		t.Errorf("a chosen theme gives way to the background: %s", p.m.theme.Name)
	}
	plain := model{fixed: true, plain: true, theme: themeNamed(t, "mono")}
	if plain.Init() != nil {
		t.Error("the background is asked for though there are no colours")
	}
	plain.nextTheme()
	if plain.theme.Name != "mono" || plain.notice == "" {
		t.Errorf("without colours t goes to %s, and says %q", plain.theme.Name, plain.notice)
	}
}

// A theme that has a look for each background takes that of the terminal's,
// whether it was asked for or come to by its key.
func TestThemesFollowTheBackground(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.m.theme, p.m.fixed = themeNamed(t, "high-contrast"), true
	dark := p.m.theme.Open(themes.Text)
	p.send(tea.BackgroundColorMsg{Color: color.White})
	if got := p.m.theme.Open(themes.Text); p.m.theme.Name != "high-contrast" || got == dark {
		t.Errorf("%s has the same text on white: %q", p.m.theme.Name, got)
	}
	p.press("t")
	if light, _ := themes.Pick("colour-blind", false, false); p.m.theme.Open(themes.Text) != light.Open(themes.Text) {
		t.Error("t forgets the background")
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
	p.press("x ] p b")
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
		knobPrompt: "counted 509", knobPressure: "0/1 in flight", knobModel: "for far alone",
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
	if s := p.m.snapshot(); s.Knobs[knobPrompt].Note != "not counted" || !s.Paused {
		t.Errorf("%+v, paused %v", s.Knobs[knobPrompt], s.Paused)
	}
}

// The help ends with the newest notice in full, which the status cuts off.
func TestHelpHasTheNewestNotice(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.m.notice = strings.Repeat("The server has changed. ", 8) + "The end of it."
	seen := ""
	for p.press("?"); p.m.dialog != nil; p.press("z") {
		seen += strings.Join(p.m.dialog.Lines, " ") + " "
	}
	if !strings.Contains(seen, p.m.notice) {
		t.Errorf("%s", seen)
	}
}
