package tui

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
)

// The help shows every key, by and by where not all fit, and says how many lines are
// above and below.
func TestHelp(t *testing.T) {
	p := sitAt(t, atSimulator)
	for _, size := range []tea.WindowSizeMsg{{Width: 160, Height: 45}, {Width: 80, Height: 24}, {Width: 40, Height: 12}, {Width: 20, Height: 5}} {
		p.send(size)
		p.press("?")
		all, seen := p.m.help.lines, map[string]bool{}
		width := 0
		for page := 0; ; page++ {
			if page > len(all) {
				t.Fatalf("%d×%d: the help does not end", size.Width, size.Height)
			}
			screen := ansi.Strip(p.m.View().Content)
			for _, l := range p.m.dialog.Lines {
				seen[strings.TrimSpace(l)] = true
				if size.Width >= 80 && !strings.Contains(screen, strings.TrimSpace(l)) {
					t.Errorf("%d×%d: %q is cut off:\n%s", size.Width, size.Height, l, screen)
				}
			}
			above, below := p.m.help.from, len(all)-p.m.help.from-len(p.m.dialog.Lines)
			if size.Width >= 80 && (above > 0) != strings.Contains(screen, fmt.Sprintf("+%d above", above)) || (below > 0) != strings.Contains(p.m.dialog.Title, fmt.Sprintf("+%d below", below)) {
				t.Errorf("%d×%d: +%d above, +%d below are not told:\n%s", size.Width, size.Height, above, below, screen)
			}
			if w := strings.Index(screen, "╯") - strings.Index(screen, "╰"); size.Width >= 80 && page > 0 && w != width {
				t.Errorf("%d×%d: the box changes its width", size.Width, size.Height)
			} else {
				width = w
			}
			if below == 0 {
				break
			}
			p.press("pgdown")
		}
		for _, l := range all {
			if !seen[strings.TrimSpace(l)] {
				t.Errorf("%d×%d: no page has %q", size.Width, size.Height, l)
			}
		}
		p.press("esc")
	}
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.press("? j j k pgdown pgup end")
	if p.m.dialog == nil || p.m.help.from != len(p.m.helpLines())-p.m.helpFit() {
		t.Errorf("the help does not scroll to its end: %+v", p.m.help)
	}
	p.press("home")
	if p.m.help.from != 0 {
		t.Errorf("home: %+v", p.m.help)
	}
	p.press("p")
	if p.m.dialog != nil || len(p.engine.applied) > 0 {
		t.Error("another key does not leave the help, or turns a knob as well")
	}
}

// The help and the footer are those of what is open: the keys that work there.
func TestHelpInContext(t *testing.T) {
	for _, c := range []struct{ keys, title, has, hasNot, footer string }{
		{"", "Keys of the view explore", "turn the selected knob up", "", "turn"},
		{"4", "Keys of the view probes", "sort by the next column", "", "sort"},
		{"L", "Keys with the levers open", "filter by name, group", "turn the selected knob up", "filter"},
		{"4 L", "Keys with the levers open", "the probe as a curl command", "filter by target, model", "filter"},
		{"v", "Keys of what if", "select a lever", "longer prompt", "lever"},
	} {
		p := sitAtLevers(t)
		p.press(c.keys)
		footer := fmt.Sprint(p.m.footer())
		if !strings.Contains(footer, c.footer) {
			t.Errorf("%q: the footer has no %q: %s", c.keys, c.footer, footer)
		}
		p.press("?")
		text := strings.Join(p.m.helpLines(), "\n")
		if !strings.HasPrefix(p.m.dialog.Title, c.title) || !strings.Contains(text, c.has) || c.hasNot != "" && strings.Contains(text, c.hasNot) {
			t.Errorf("%q: %s\n%s", c.keys, p.m.dialog.Title, text)
		}
		if got := fmt.Sprint(p.m.footer()); got != fmt.Sprint(p.m.dialog.Keys) {
			t.Errorf("%q: the footer has keys that the help does not obey: %s", c.keys, got)
		}
	}
	p := sitInspecting(t, "w")
	if f := fmt.Sprint(p.m.footer()); !strings.Contains(f, "{? explain}") || strings.Contains(f, "truth") {
		t.Errorf("%s", f)
	}
	p.m.books = true
	p.press("?")
	if f := fmt.Sprint(p.m.footer()); !strings.Contains(f, "{? figures}") || !strings.Contains(f, "truth") {
		t.Errorf("%s", f)
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
	for last := -1; p.m.help.from > last; p.press("pgdown") {
		if last < 0 {
			p.press("?")
		}
		last = p.m.help.from
		seen += strings.Join(p.m.dialog.Lines, " ") + " "
	}
	if !strings.Contains(seen, p.m.notice) {
		t.Errorf("%s", seen)
	}
}
