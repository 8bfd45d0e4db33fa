package tui

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ttftop/probe"
	"ttftop/probe/sim"
	"ttftop/views"
	"ttftop/views/viewtest"
)

// fakeLevers are those of a server that takes everything but "never".
func fakeLevers() []probe.Lever {
	return []probe.Lever{
		{Name: "quantization", Group: "weights", About: "precision", Choices: []string{"fp16", "int8", "fp8"}, Steps: []string{"fp16", "int8", "fp8"}},
		{Name: "max-batch", Group: "batching", About: "at once", Steps: []string{"1", "16", "1024"}},
		{Name: "rtt", Group: "network", About: "round trip", Steps: []string{"0s", "8ms", "140ms"}},
		{Name: "loss", Group: "network", About: "per cent", Steps: []string{"0", "0.5", "2"}},
	}
}

// simulate gives a person's targets the levers of simulated servers.
func (p *person) simulate() *person {
	for range p.m.targets {
		p.m.sim.all = append(p.m.sim.all, fakeLevers())
		p.m.settings.Levers = append(p.m.settings.Levers, probe.Levers{"quantization": "fp16", "max-batch": "48", "rtt": "8ms", "loss": "0"})
	}
	p.m.sim.settle = func(_ int, now probe.Levers, name, text string) (probe.Levers, error) {
		if text == "never" {
			return nil, errors.New("it must be something else")
		}
		to := maps.Clone(now)
		to[name] = text
		return to, nil
	}
	return p
}

func sitAtLevers(t *testing.T) *person {
	t.Helper()
	return sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a")).simulate()
}

func (p *person) screenText() string { return ansi.Strip(p.m.View().Content) }

func TestLevers(t *testing.T) {
	for _, c := range []struct{ keys, turned, name, value string }{
		{"L right", "quantization fp16 → int8", "quantization", "int8"},
		{"L left", "quantization fp16 → fp8", "quantization", "fp8"}, // round and round
		{"L down right", "max-batch 48 → 1,024", "max-batch", "1024"},
		{"L j -", "max-batch 48 → 16", "max-batch", "16"},
		{"L k k +", "rtt 8ms → 140ms", "rtt", "140ms"},
		{"L up +", "loss 0 → 0.5", "loss", "0.5"},
		{"L up left", "", "loss", "0"},
		{"L enter p 8 enter", "quantization fp16 → fp8", "quantization", "fp8"}, // by filter
		{"L enter down enter", "quantization fp16 → int8", "quantization", "int8"},
		{"L down enter 2 k enter", "max-batch 48 → 2,048", "max-batch", "2048"},
		{"L down down enter 3 0 enter", "rtt 8ms → 30ms", "rtt", "30ms"},
		{"L down down enter 1 s enter", "rtt 8ms → 1s", "rtt", "1s"},
		{"L right u", "", "quantization", "fp16"},
		{"L right L right", "quantization fp16 → int8, prompt 256 → 512", "quantization", "int8"}, // closed, the keys are the knobs' again
		{"L pgdown right", "max-batch 48 → 1,024", "max-batch", "1024"},
		{"L pgdown pgdown right", "rtt 8ms → 140ms", "rtt", "140ms"},
		{"L pgup right", "rtt 8ms → 140ms", "rtt", "140ms"},
		{"L / l o s s enter right", "loss 0 → 0.5", "loss", "0.5"},
		{"L / n e t space P E R enter right", "loss 0 → 0.5", "loss", "0.5"}, // words of the group and the sentence
		{"L / n e t down enter right", "loss 0 → 0.5", "loss", "0.5"},
		{"L / q enter right", "quantization fp16 → int8", "quantization", "int8"}, // q is typed
		{"L / z z enter right enter", "", "quantization", "fp16"},                 // none is shown, none is turned
		{"L / l o s s esc up right", "rtt 8ms → 140ms", "rtt", "140ms"},
		{"4 L / l o s s enter right", "loss 0 → 0.5", "loss", "0.5"}, // the filter is the levers', not the table's
		{"L p", "prompt 256 → 512", "quantization", "fp16"},
		{"L 4 right", "quantization fp16 → int8", "quantization", "int8"}, // the panel is there in every view
	} {
		p := sitAtLevers(t)
		before := p.m.settings.Clone()
		p.press(c.keys)
		got := strings.Split(described(before, p.m.settings), ", ")
		want := strings.Split(c.turned, ", ")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || p.m.settings.Levers[0][c.name] != c.value || p.m.settings.Levers[1][c.name] != c.value {
			t.Errorf("%s: %q, want %q; %v", c.keys, got, want, p.m.settings.Levers)
		}
		p.agrees()
	}
}

// Unlinked, one target's levers turn alone, and the panel says so.
func TestLeversOfOneTarget(t *testing.T) {
	p := sitAtLevers(t)
	p.press("L")
	if s := p.screenText(); !strings.Contains(s, "near and far") {
		t.Errorf("whom the levers turn is not said:\n%s", s)
	}
	p.press("] x right")
	if l := p.m.settings.Levers; l[0]["quantization"] != "fp16" || l[1]["quantization"] != "int8" || !strings.Contains(p.screenText(), "far alone") {
		t.Errorf("%v\n%s", l, p.screenText())
	}
}

// A value that can't be says why, and what is typed stays.
func TestLeverRefused(t *testing.T) {
	p := sitAtLevers(t)
	p.press("L down enter n e v e r enter")
	if p.m.dialog == nil || !strings.Contains(p.m.dialog.Error, "something else") || len(p.engine.applied) > 0 {
		t.Errorf("%+v", p.m.dialog)
	}
	p.press("esc esc")
	if p.m.sim.open || p.m.dialog != nil {
		t.Error("esc does not close the panel")
	}
}

// What one target refuses and another takes turns none, and it is said how one
// alone is turned; what every target refuses isn't helped by that.
func TestLeverRefusedByOne(t *testing.T) {
	p := sitAtLevers(t)
	settle := p.m.sim.settle
	p.m.sim.settle = func(target int, now probe.Levers, name, text string) (probe.Levers, error) {
		if target == 1 && text != "16" {
			return nil, errors.New("far takes 16 alone")
		}
		return settle(target, now, name, text)
	}
	p.press("L down right")
	if want := "far takes 16 alone; none turned (x: one alone)"; p.m.notice != want || len(p.engine.applied) > 0 {
		t.Errorf("%q, want %q; %v", p.m.notice, want, p.engine.applied)
	}
	p.press("x right")
	if l := p.m.settings.Levers; l[0]["max-batch"] != "1024" || l[1]["max-batch"] != "48" {
		t.Errorf("%v", l)
	}
	p.press("x enter n e v e r enter")
	if p.m.dialog == nil || p.m.dialog.Error != "it must be something else" {
		t.Errorf("%+v", p.m.dialog)
	}
}

// A filter says how many levers pass it, takes a paste, and is dropped before the
// panel closes.
func TestLeverFilter(t *testing.T) {
	p := sitAtLevers(t)
	p.press("L / n e")
	p.send(tea.PasteMsg{Content: "t"})
	if s := p.screenText(); !strings.Contains(s, "/ net") || !strings.Contains(s, "2 of 4") || strings.Contains(s, "max-batch") {
		t.Errorf("the filter is not shown:\n%s", s)
	}
	p.press("enter esc")
	if s := p.screenText(); p.m.sim.filter != "" || !p.m.sim.open || !strings.Contains(s, "max-batch") {
		t.Errorf("esc does not drop the filter:\n%s", s)
	}
	p.press("/ z z")
	if s := p.screenText(); !strings.Contains(s, "no lever has that") {
		t.Errorf("%s", s)
	}
	p.press("enter L L")
	if p.m.sim.filter != "" {
		t.Error("a filter outlives its panel")
	}
}

// At a real endpoint there are none, and a window too small for the panel has
// the knobs' keys.
func TestNoLevers(t *testing.T) {
	p := sitAt(t, atReal)
	p.press("L")
	if p.m.sim.open || p.m.notice != noLevers || strings.Contains(p.screenText(), "L levers") {
		t.Errorf("%q\n%s", p.m.notice, p.screenText())
	}
	p = sitAtLevers(t)
	if s := p.screenText(); !strings.Contains(s, "L levers") {
		t.Errorf("the footer does not tell of the levers:\n%s", s)
	}
	p.m.width = panelsWidth - 1
	p.press("L right")
	if got := p.m.settings; got.Knobs[0].PromptTokens != 512 || got.Levers[0]["quantization"] != "fp16" {
		t.Errorf("%+v", got)
	}
}

func TestLeverCommands(t *testing.T) {
	for _, c := range []struct{ lines, turned, says string }{
		{"lever max-batch 8", "max-batch 48 → 8", "max-batch 48 → 8"},
		{"LEVER Quantization FP8", "quantization fp16 → fp8", "quantization fp16 → fp8"},
		{"lever rtt +", "rtt 8ms → 140ms", "rtt"},
		{"lever rtt 30", "rtt 8ms → 30ms", "rtt"},
		{"lever rtt", "", "rtt is 8ms: round trip; 0s, 8ms, 140ms"},
		{"lever max-batch never", "", "it must be something else"},
		{"lever warp 9", "", `no lever is called "warp": type lever for the list`},
		{"levers", "", "weights: quantization fp16, precision\nbatching: max-batch 48, at once"},
		{"lever max-batch 8|undo", "", "max-batch 8 → 48"},
		{"lever loss -", "", "loss is 0"},
	} {
		p, who, said := talk(t, atSimulator)
		who.simulate()
		p.m.sim, p.m.settings.Levers = who.m.sim, who.m.settings.Levers
		before := p.m.settings.Clone()
		for line := range strings.SplitSeq(c.lines, "|") {
			p.obey(line)
		}
		if got := described(before, p.m.settings); got != c.turned {
			t.Errorf("%q turns %q, want %q", c.lines, got, c.turned)
		}
		if !strings.Contains(said.String(), c.says) {
			t.Errorf("%q says %q, want %q", c.lines, said.String(), c.says)
		}
	}
	p, _, said := talk(t, atReal)
	p.obey("lever max-batch 8")
	if !strings.Contains(said.String(), "there are no levers: they are of simulated servers") {
		t.Errorf("%q", said.String())
	}
}

// A machine that can't keep up is told of once, and again when it can.
func TestPlainTellsThatItIsBehind(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atSimulator, "a"))
	p, _, said := talk(t, atSimulator)
	p.session, p.targets = w.session, w.targets
	p.m.targets, p.m.settings = w.targets, settingsFor(w.targets)
	text := ""
	p.lag = func() string { return text }
	p.refresh()
	text = "this machine can't keep up (5 ms late)"
	p.refresh()
	text = "this machine can't keep up (6 ms late)"
	p.refresh()
	text = ""
	p.refresh()
	if got := said.String(); strings.Count(got, "can't keep up") != 1 || !strings.Contains(got, "keeps up with what it simulates again") {
		t.Errorf("%q", got)
	}
}

func TestWithLevers(t *testing.T) {
	for _, tt := range []struct {
		name          string
		view          mode
		width, height int
		want          string
	}{
		{"the usual terminal has a line for each target, and the effect", explore, 80, 24, `
[header                                ]
[waterfalls                            ]
|                                      |
|                                      |
|                                      |
<levers                                >
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[diagnosis                             ]
[effect                                ]
[status                                ]
[footer                                ]
`},
		{"wide: beside the chart, in place of the knobs", explore, 120, 30, `
[header                                                    ]
<waterfalls                            >.<effect           >
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.<levers           >
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
<figures                               >.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
<chart                                 >.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
[diagnosis                                                 ]
[status                                                    ]
|                                                          |
[footer                                                    ]
`},
		{"the other views share their lines with it", distribution, 80, 24, `
[header                                ]
<histogram                             >
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[ecdf                                  ]
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
<levers                                >
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[effect                                ]
[status                                ]
[footer                                ]
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := drawing(withLevers(Arrange(tt.view, tt.width, tt.height, 2), 2), tt.width, tt.height)
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("%s", got)
			}
		})
	}
}

// In every view of every size the levers have lines wherever the knobs had, and
// nothing overlaps.
func TestWithLeversFits(t *testing.T) {
	for v := range mode(views.NViews) {
		for width := 1; width <= 300; width += 23 {
			for height := 1; height <= 100; height++ {
				for _, targets := range []int{0, 1, 2, 12, 60} {
					before := Arrange(v, width, height, targets)
					places := withLevers(slices.Clone(before), targets)
					if err := fits(places, width, height); err != nil {
						t.Fatalf("%s, %d×%d with %d targets: %v", v, width, height, targets, err)
					}
					at := placeOf(places, panelLevers)
					if (at >= 0) != (placeOf(before, panelKnobs) >= 0) || at >= 0 && places[at].H < 3 {
						t.Fatalf("%s, %d×%d with %d targets: %+v", v, width, height, targets, places)
					}
					for _, p := range []panel{panelHeader, panelWaterfalls, panelDiagnosis, panelEffect, panelStatus, panelFooter} {
						if placeOf(before, p) >= 0 && placeOf(places, p) < 0 {
							t.Fatalf("%s, %d×%d with %d targets: %s is gone", v, width, height, targets, p)
						}
					}
					if at >= 0 && (placeOf(places, panelEffect) < 0 || v == explore && height >= 24 && places[at].H < 14) {
						t.Fatalf("%d×%d with %d targets: no effect, or too few levers: %+v", width, height, targets, places)
					}
				}
			}
		}
	}
}

func TestLeversGolden(t *testing.T) {
	th := looks(t)
	for _, size := range goldenSizes {
		snap := viewtest.Levered()
		snap.Status.Keys = append(fewKeys(leverKeys), lastKeys...)
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(Screen(snap, size.w, size.h, th["mono"])))
		})
	}
	for _, name := range []string{"dark", "light", "mono-ascii"} {
		t.Run("80x24_"+name, func(t *testing.T) { golden.RequireEqual(t, Screen(viewtest.Levered(), 80, 24, th[name])) })
	}
	for _, size := range []struct{ w, h int }{{44, 14}, {80, 24}, {160, 45}} {
		t.Run(fmt.Sprintf("behind_%dx%d", size.w, size.h), func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(Screen(viewtest.Behind(), size.w, size.h, th["mono"])))
		})
	}
}

// The panel's full height has room for every lever of the simulator, and the usual
// terminal for its whole sentence, below the list.
func TestLeversHaveRoom(t *testing.T) {
	s, err := sim.Start(sim.Config{Name: "sim", Models: []sim.Model{sim.Llama1B.As("m", 1)}, Hardware: sim.A100})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const titleAndBelow, sentence = 3, 78
	if n := len(s.Levers()); n+titleAndBelow > leversMost {
		t.Errorf("%d levers don't fit into %d lines", n, leversMost)
	}
	for _, l := range s.Levers() {
		if ansi.StringWidth(l.About) > sentence {
			t.Errorf("%s is cut at 80 columns: %q", l.Name, l.About)
		}
	}
}
