package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ttftop/views"
)

// keysShown is the footer's keys as one text.
func (p *person) keysShown() string {
	text := ""
	for _, k := range p.m.footer() {
		text += k.Key + " " + k.Does + "  "
	}
	return text
}

// The footer tells what the keys do to what is on the screen: an open probe
// scrolls, and a zoomed panel is left or followed by the next.
func TestFooterInContext(t *testing.T) {
	p, _ := sitAtTable(t, of(0, 100, 512), of(1, 200, 64))
	says := func(what string, has, not []string) {
		t.Helper()
		shown := p.keysShown()
		for _, k := range has {
			if !strings.Contains(shown, k) {
				t.Errorf("%s: no %q in %s", what, k, shown)
			}
		}
		for _, k := range not {
			if strings.Contains(shown, k) {
				t.Errorf("%s: %q in %s", what, k, shown)
			}
		}
		if !strings.HasSuffix(shown, "? help  q quit  ") {
			t.Errorf("%s: it ends otherwise: %s", what, shown)
		}
	}
	says("the table", []string{"↑↓ choose", "s sort", "enter open"}, []string{"scroll", "esc"})
	p.press("enter")
	says("an open probe", []string{"↑↓ scroll", "y curl", "esc back"}, []string{"choose", "sort", "enter"})
	p.press("?")
	if text := strings.Join(p.m.helpLines(), "\n"); p.m.dialog == nil || !strings.HasPrefix(p.m.dialog.Title, "Keys of an open probe") || !strings.Contains(text, "back to the table") || strings.Contains(text, "sort by the next column") {
		t.Errorf("the help of an open probe: %s", text)
	}
	p.press("? S")
	if p.m.table.open != nil {
		t.Error("sorting the other way round leaves a probe open that is not the table")
	}
	p.press("1 z")
	says("zoomed", []string{"esc back", "z next panel", "p/P prompt"}, []string{"←→", "↑↓", "enter"})
	p.press("z z z")
	says("the last one zoomed", []string{"esc back"}, []string{"z next"})
	p.press("z")
	says("the view again", []string{"←→ turn"}, []string{"esc back"})
	p.press("4 z")
	says("the zoomed table", []string{"↑↓ choose", "esc back"}, []string{"z next"})
}

// A tour holds with the blank in every panel, and esc leaves what is open first.
func TestFooterOnATour(t *testing.T) {
	r := ride(t, nil)
	r.passes()
	p := r.person
	for keys, want := range map[string]string{"w": "space hold", "v": "space hold", "z": "esc back"} {
		p.press(keys)
		if shown := p.keysShown(); !strings.Contains(shown, want) || strings.Contains(shown, "space pause") || strings.Contains(shown, "end the tour") {
			t.Errorf("%s: no %q in %s", keys, want, shown)
		}
		p.press("esc")
		if shown := p.keysShown(); !p.m.tour.on || !strings.Contains(shown, "esc end the tour") || !strings.Contains(shown, "space hold") {
			t.Errorf("after %s: %s", keys, shown)
		}
	}
}

// t names the theme that is on now.
func TestThemeIsNamed(t *testing.T) {
	p := sitAt(t, atSimulator)
	for range 5 {
		p.press("t")
		if want := "theme: " + p.m.theme.Name; !strings.Contains(p.screenText(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, p.screenText())
		}
	}
}

// What a key did is told in every view and on a zoomed panel, for a few seconds, and
// takes nothing away for longer.
func TestNoticeIsSeenInEveryView(t *testing.T) {
	p := sitInspecting(t, "")
	effect := func(st *state) {
		st.targets = p.m.state.targets
		st.effect = &views.Effect{Text: "prompt 256 → 512", Turned: 1, Targets: []views.TargetEffect{{}, {}}}
	}
	for _, open := range []string{"1", "2", "3", "4", "5", "1 z", "z", "esc w", "esc v", "esc"} {
		p.press(open)
		start := p.m.state.now + time.Minute
		p.engineDoes(func(st *state) { effect(st); st.now = start })
		p.press("t")
		if !strings.Contains(p.screenText(), "theme: ") || !strings.Contains(p.screenText(), "quit") {
			t.Errorf("%s: it is not told:\n%s", open, p.screenText())
		}
		p.engineDoes(func(st *state) { effect(st); st.now = start + freshFor })
		lines := strings.Split(p.screenText(), "\n")
		if footer := lines[len(lines)-1]; strings.Contains(footer, "theme: ") {
			t.Errorf("%s: it stays in the footer:\n%s", open, footer)
		}
	}
}

// A typed SLO says whether it stands beside others or in the place of one.
func TestTypedSLOIsTold(t *testing.T) {
	p := sitAt(t, atSimulator)
	for _, c := range []struct{ typed, want string }{
		{"p95=150ms", "slo is p95=150ms"},
		{"p99=1s", "slo is p99=1s besides p95=150ms; off takes all away"},
		{"tpot=40ms", "slo is tpot=40ms besides p95=150ms, p99=1s; off takes all away"},
		{"200ms", "slo is p95=200ms, in place of p95=150ms"},
		{"200ms", "slo is p95=200ms +2"},
		{"off", "slo is off"},
	} {
		before := p.m.settings.SLO
		next, err := p.m.withTyped(knobSLO, c.typed)
		if err != nil {
			t.Fatal(err)
		}
		if got := sloTold(before, next.SLO); got != c.want {
			t.Errorf("%s: %q, want %q", c.typed, got, c.want)
		}
		p.press("s S")
		p.m.settings.SLO = before
		p.press("enter " + strings.Join(strings.Split(c.typed, ""), " ") + " enter")
		if p.m.notice != c.want || fmt.Sprint(p.m.settings.SLO) != fmt.Sprint(next.SLO) {
			t.Errorf("typed %s: %q, want %q", c.typed, p.m.notice, c.want)
		}
	}
}
