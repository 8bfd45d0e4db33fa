package views_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ttftop/probe/race"
	"ttftop/themes"
	"ttftop/views"
	"ttftop/views/viewtest"
)

type view func(views.Snapshot, int, int, themes.Theme) string

// panels are the panels at the sizes that golden files show.
var panels = []struct {
	name  string
	draw  view
	sizes [][2]int
}{
	{"header", views.Header, [][2]int{{80, 1}, {160, 1}}},
	{"waterfalls", views.Waterfalls, [][2]int{{80, 10}, {80, 5}, {80, 6}, {108, 15}}},
	{"figures", views.FiguresPanel, [][2]int{{60, 3}, {80, 3}, {160, 6}}},
	{"chart", views.Chart, [][2]int{{80, 6}, {160, 20}}},
	{"knobs", views.Knobs, [][2]int{{60, 1}, {80, 2}, {48, 8}}},
	{"diagnosis", views.DiagnosisPanel, [][2]int{{60, 1}, {80, 1}, {160, 1}}},
	{"effect", views.EffectPanel, [][2]int{{80, 1}, {60, 2}, {100, 4}, {48, 12}}},
	{"status", views.StatusPanel, [][2]int{{60, 1}, {160, 2}}},
	{"footer", views.Footer, [][2]int{{40, 1}, {80, 1}}},
	{"summary", views.Summary, [][2]int{{20, 5}, {44, 14}}},
}

// closer are the panels that a person looks closely at.
var closer = []struct {
	name  string
	draw  view
	sizes [][2]int
}{
	{"waterfalls", views.Waterfalls, [][2]int{{80, 10}, {80, 8}, {108, 16}}},
	{"inspector", views.Inspector, [][2]int{{80, 24}, {108, 30}, {60, 14}, {20, 8}}},
	{"whatif", views.WhatIfPanel, [][2]int{{80, 24}, {108, 36}, {60, 14}, {20, 8}}},
}

// closerOf is the panel that a scene is about.
func closerOf(s views.Snapshot) string {
	switch {
	case s.Inspect != nil:
		return "inspector"
	case s.WhatIf != nil:
		return "whatif"
	}
	return "waterfalls"
}

// The truth under the cuts, intervals, handoffs, the inspector, and what if.
func TestDetailGolden(t *testing.T) {
	th := mono(t)
	for _, p := range closer {
		for _, sc := range viewtest.Details() {
			if closerOf(sc.Snap) != p.name {
				continue
			}
			var out strings.Builder
			for _, size := range p.sizes {
				fmt.Fprintf(&out, "%d × %d\n%s\n", size[0], size[1], ansi.Strip(p.draw(sc.Snap, size[0], size[1], th)))
			}
			t.Run(p.name+"_"+sc.Name, func(t *testing.T) { golden.RequireEqual(t, out.String()) })
		}
	}
}

// They have their exact size too, and the inspector wants no more than there is.
func TestDetailsAreExact(t *testing.T) {
	for _, th := range []themes.Theme{mono(t), mono(t).ASCII()} {
		for _, sc := range viewtest.Details() {
			for w := 1; w < 130; w += race.Wider(8) {
				for h := 1; h < 40; h += race.Wider(1) + h/8 {
					for _, p := range closer {
						wantExact(t, fmt.Sprintf("%s of %s at %d×%d", p.name, sc.Name, w, h), p.draw(sc.Snap, w, h, th), w, h)
					}
					if bw, bh := views.InspectorSize(sc.Snap, w, h, th); bw > w || bh > h || bw < 1 || bh < 1 {
						t.Fatalf("the inspector wants %d×%d of %d×%d", bw, bh, w, h)
					}
					if bw, bh := views.WhatIfSize(sc.Snap, w, h, th); bw > w || bh > h || bw < 1 || bh < 1 {
						t.Fatalf("what if wants %d×%d of %d×%d", bw, bh, w, h)
					}
				}
			}
		}
	}
}

func mono(t testing.TB) themes.Theme {
	t.Helper()
	th, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func TestPanelGolden(t *testing.T) {
	th := mono(t)
	for _, p := range panels {
		for _, sc := range viewtest.Scenes() {
			if sc.Snap.Dialog != nil {
				continue
			}
			var out strings.Builder
			for _, size := range p.sizes {
				fmt.Fprintf(&out, "%d × %d\n%s\n", size[0], size[1], ansi.Strip(p.draw(sc.Snap, size[0], size[1], th)))
			}
			t.Run(p.name+"_"+sc.Name, func(t *testing.T) { golden.RequireEqual(t, out.String()) })
		}
	}
}

// The looks behind the text: what is selected, good, bad and unknown.
func TestPanelGoldenDark(t *testing.T) {
	th, err := themes.Pick("dark", true, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range panels {
		size := p.sizes[len(p.sizes)-1]
		t.Run(p.name, func(t *testing.T) { golden.RequireEqual(t, p.draw(viewtest.Trouble(), size[0], size[1], th)) })
	}
}

func TestDialogGolden(t *testing.T) {
	th := mono(t)
	many := views.Dialog{Title: "Keys", Chosen: -1, Keys: []views.KeyHelp{{Key: "any key", Does: "back"}}}
	for i := range 30 {
		many.Lines = append(many.Lines, fmt.Sprintf("%-12s does the thing number %d", strings.Repeat("k", i%9+1), i))
	}
	wrong := *viewtest.Asking().Dialog
	wrong.Error = "no model is called simm: type one of sim-1b, sim-8b, sim-70b, or press esc to leave the model as it is"
	wrong.Text = strings.Repeat("sim", 40)
	for name, d := range map[string]views.Dialog{
		"entry": *viewtest.Asking().Dialog, "error": wrong, "long": many,
		"question": {Title: "This costs tokens", Chosen: -1, Lines: []string{"About 249,600 tokens a minute, calibration included.",
			"Load streams keep a real endpoint busy: others who use it will wait too."},
			Keys: []views.KeyHelp{{Key: "y", Does: "go on"}, {Key: "n", Does: "leave it"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 5}} {
				d := d.On(size[0], size[1])
				w, h := views.DialogSize(d, size[0], size[1], th)
				fmt.Fprintf(&out, "%d × %d\n%s\n", size[0], size[1], ansi.Strip(views.DialogPanel(d, w, h, th)))
			}
			golden.RequireEqual(t, out.String())
		})
	}
}

// Every panel has its exact size at any size, of anything.
func TestPanelsAreExact(t *testing.T) {
	themesOf := []themes.Theme{mono(t), mono(t).ASCII()}
	for _, p := range panels {
		for _, sc := range viewtest.Scenes() {
			for w := 0; w < 130; w += race.Wider(3) {
				for _, h := range []int{0, 1, 2, 3, 4, 5, 7, 11, 23} {
					for _, th := range themesOf {
						wantExact(t, fmt.Sprintf("%s of %s at %d×%d", p.name, sc.Name, w, h), p.draw(sc.Snap, w, h, th), w, h)
					}
				}
			}
		}
	}
}

func TestDialogIsExact(t *testing.T) {
	d := *viewtest.Asking().Dialog
	for w := 1; w < 100; w++ {
		for h := 1; h < 30; h++ {
			d := d.On(w, h)
			bw, bh := views.DialogSize(d, w, h, mono(t))
			if bw > w || bh > h || bw < 1 || bh < 1 {
				t.Fatalf("the dialog wants %d×%d of %d×%d", bw, bh, w, h)
			}
			wantExact(t, "dialog", views.DialogPanel(d, bw, bh, mono(t)), bw, bh)
		}
	}
}

// A negative size, and the zero Theme, do no harm.
func TestPanelsWithoutSizeOrTheme(t *testing.T) {
	for _, p := range panels {
		if out := p.draw(viewtest.Demo(), -5, -5, mono(t)); out != "" {
			t.Errorf("%s of no size draws %q", p.name, out)
		}
		wantExact(t, p.name, p.draw(viewtest.Demo(), 40, 6, themes.Theme{}), 40, 6)
	}
	wantExact(t, "title", views.Title("a", "b", 0, mono(t)), 0, 1)
	wantExact(t, "too small", views.TooSmall(7, 2, mono(t)), 7, 2)
}

func wantExact(t *testing.T, what, out string, w, h int) {
	t.Helper()
	if h == 0 {
		if out != "" {
			t.Fatalf("%s draws %q", what, out)
		}
		return
	}
	lines := strings.Split(out, "\n")
	if len(lines) != h {
		t.Fatalf("%s has %d lines", what, len(lines))
	}
	for y, l := range lines {
		if got := ansi.StringWidth(l); got != w {
			t.Fatalf("line %d of %s is %d cells wide: %q", y, what, got, l)
		}
	}
}
