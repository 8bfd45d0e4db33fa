package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/views"
)

// small is a person at a window without room for panels.
func small(t *testing.T, at string, width, height int) *person {
	p := sitAt(t, at)
	p.engineDoes(nil)
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	return p
}

var smallSizes = [][2]int{{20, 5}, {40, 12}, {59, 15}}

// Each knob that is turned is shown with its new value, and a view that needs a
// larger window says so.
func TestKeysAreNotBlindInASmallWindow(t *testing.T) {
	for _, size := range smallSizes {
		for keys, want := range map[string]string{
			"p": "▸prompt 512 (p/P)", "b": "▸batch 1 (b/B)", "m": "▸model ", "c": "▸cache warm (c)", "n": "▸conn cold (n)", "o": "▸output 32 (o/O)",
			"r": "▸rate 2/s (r/R)", "s": "▸slo p95=500ms", "p u": "▸prompt 256 (p/P)", "down right": "▸batch 1 (b/B)", "space": "PAUSED",
			"2": "needs", "3": "needs", "4": "needs",
		} {
			p := small(t, atSimulator, size[0], size[1])
			p.press(keys)
			out := p.screen()
			if !strings.Contains(out, want) {
				t.Errorf("%s at %v doesn't show %q:\n%s", keys, size, want, out)
			}
			if err := exact(p.m.View().Content, size[0], size[1]); err != nil {
				t.Errorf("%s at %v: %v", keys, size, err)
			}
		}
	}
}

// The help of a small window begins with the keys that matter most, and goes
// through all of them in lines that fit.
func TestHelpInASmallWindow(t *testing.T) {
	for _, size := range smallSizes {
		p := small(t, atSimulator, size[0], size[1])
		p.press("?")
		if out := p.screen(); !strings.Contains(out, "tab view") || !strings.Contains(out, "←→ turn") || !strings.Contains(out, "esc back") {
			t.Errorf("the first page at %v:\n%s", size, out)
		}
		var all strings.Builder
		for page := 0; p.m.dialog != nil; page++ {
			out := p.screen()
			if strings.Contains(out, "more line") || page > 40 {
				t.Fatalf("page %d at %v is cut:\n%s", page, size, out)
			}
			all.WriteString(out + " ")
			p.press("enter")
		}
		got := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "\n", " ").Replace(all.String())), " ")
		for _, want := range []string{"P shorter prompt", "q / ctrl+c quit", "z zoom the next panel"} {
			if size[0] > 20 && !strings.Contains(got, want) {
				t.Errorf("%v: the help never says %q: %s", size, want, got)
			}
		}
	}
}

// A question that is too long for the window is scrolled, and answered.
func TestQuestionInASmallWindow(t *testing.T) {
	p := small(t, atReal, 20, 5)
	p.press("b")
	if !p.asked() {
		t.Fatal("nothing is asked")
	}
	first := p.screen()
	if !strings.Contains(first, "y go on  n leave it") || !strings.Contains(first, "more line") {
		t.Errorf("the question:\n%s", first)
	}
	p.press("down down down down down down down down down down down down")
	if end := p.screen(); !strings.Contains(end, "wait too.") || !strings.Contains(end, "y go on  n leave it") {
		t.Errorf("its end:\n%s", end)
	}
	p.press("up up up up up up up up up up up up")
	if p.screen() != first {
		t.Errorf("back at the beginning:\n%s", p.screen())
	}
	p.press("y")
	if p.last().Knobs[0].Pressure != 1 {
		t.Error("the answer is not taken")
	}
}

func TestEntryInASmallWindow(t *testing.T) {
	for _, size := range smallSizes {
		p := small(t, atSimulator, size[0], size[1])
		p.press("enter 8 k x enter")
		if out := p.screen(); !strings.Contains(out, "> 8kx") || !strings.Contains(out, "enter set") || !strings.Contains(out, "esc leave it") {
			t.Errorf("at %v:\n%s", size, out)
		}
		p.press("backspace enter")
		if out := p.screen(); !strings.Contains(out, "▸prompt 8,192 (p/P)") {
			t.Errorf("at %v:\n%s", size, out)
		}
	}
}

// How SLOs of every metric stand by the figures.
func TestStandings(t *testing.T) {
	p := sitAt(t, atSimulator)
	slos := []probe.SLO{
		{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 100 * time.Millisecond}, {Metric: probe.Per1kMetric, Quantile: 0.5, Limit: 80 * time.Millisecond},
		{Metric: probe.TPOTMetric, Quantile: 0.5, Limit: 40 * time.Millisecond}, {Metric: probe.FailuresMetric, Share: 0.02},
	}
	p.m.settings.SLO = slos
	for _, c := range []struct {
		f     views.Figures
		share views.Share
		want  string
	}{
		{views.Figures{}, views.Share{}, "[0 0 0 0]"},
		{views.Figures{Probes: 100, Failed: 1, Beside: 1, Per1k: probe.At(80 * time.Millisecond), TPOT: probe.At(40 * time.Millisecond)}, views.Share{N: 95, Of: 100}, "[1 1 1 1]"},
		{views.Figures{Probes: 100, Failed: 2, Beside: 1, Per1k: probe.At(81 * time.Millisecond), TPOT: probe.At(41 * time.Millisecond)}, views.Share{N: 94, Of: 100}, "[2 2 2 2]"},
		{views.Figures{Probes: 101, Failed: 1, Skipped: 1, Beside: 50, Ours: 50}, views.Share{N: 49, Of: 50}, "[1 0 0 1]"}, // faults on this side
	} {
		p.engineDoes(func(st *state) {
			st.targets[0].Figures = c.f
			st.shares = map[probe.SLO][]views.Share{slos[0]: {c.share}}
		})
		var got []views.Met
		for _, s := range p.m.snapshot().Standings {
			got = append(got, s.Met[0])
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%+v: %v, want %s", c.f, got, c.want)
		}
	}
}
