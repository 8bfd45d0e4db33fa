package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ttftop/probe/race"
	"ttftop/themes"
	"ttftop/views"
	"ttftop/views/viewtest"
)

// goldenSizes are the screens that golden files show.
var goldenSizes = []struct{ w, h int }{{80, 24}, {120, 36}, {160, 45}}

// looks are every theme with both kinds of symbols.
func looks(tb testing.TB) map[string]themes.Theme {
	tb.Helper()
	all := map[string]themes.Theme{}
	for _, name := range themes.Names() {
		th, err := themes.Pick(name, true, false)
		if err != nil {
			tb.Fatal(err)
		}
		all[name] = th
		all[name+"-ascii"] = th.ASCII()
	}
	return all
}

// The golden files of the mono theme hold what a person reads; control
// sequences are in those of the other themes.
func TestScreenGolden(t *testing.T) {
	all := looks(t)
	for _, sc := range viewtest.Scenes() {
		for _, size := range goldenSizes {
			name := fmt.Sprintf("%s_%dx%d", sc.Name, size.w, size.h)
			t.Run(name, func(t *testing.T) {
				golden.RequireEqual(t, ansi.Strip(Screen(sc.Snap, size.w, size.h, all["mono"])))
			})
		}
	}
	for _, name := range append(themes.Names(), "mono-ascii") {
		for _, size := range []struct{ w, h int }{{80, 24}, {120, 36}, {200, 60}} {
			t.Run(fmt.Sprintf("demo_%dx%d_%s", size.w, size.h, name), func(t *testing.T) {
				golden.RequireEqual(t, Screen(viewtest.Probed(viewtest.Demo()), size.w, size.h, all[name]))
			})
		}
	}
	for _, sc := range viewtest.Details() {
		t.Run(sc.Name+"_80x24", func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(Screen(sc.Snap, 80, 24, all["mono-ascii"])))
		})
	}
	for _, size := range []struct{ w, h int }{{200, 60}, {240, 70}} {
		t.Run(fmt.Sprintf("crowd_%dx%d", size.w, size.h), func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(Screen(viewtest.Probed(viewtest.Crowd(12)), size.w, size.h, all["mono"])))
		})
	}
	for name, snap := range map[string]views.Snapshot{"handoff": viewtest.HandedOff(), "whatif": viewtest.Projected(nil)} {
		t.Run(name+"_120x36", func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(Screen(snap, 120, 36, all["mono"])))
		})
	}
	for _, size := range []struct{ w, h int }{{44, 14}, {20, 5}, {19, 4}} {
		t.Run(fmt.Sprintf("demo_%dx%d", size.w, size.h), func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(Screen(viewtest.Demo(), size.w, size.h, all["mono"])))
		})
	}
}

// exact checks that a screen has exactly its size.
func exact(out string, w, h int) error {
	lines := strings.Split(out, "\n")
	if len(lines) != h {
		return fmt.Errorf("%d lines", len(lines))
	}
	for y, l := range lines {
		if got, wc := ansi.StringWidth(l), ansi.StringWidthWc(l); got != w || wc != w {
			return fmt.Errorf("line %d is %d (by characters %d) cells wide: %q", y, got, wc, l)
		}
	}
	return nil
}

// tame checks that nothing reaches the terminal but text and looks.
func tame(out string, ascii bool) error {
	for _, r := range ansi.Strip(out) {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && ascii || ascii && r > 0x7e) {
			return fmt.Errorf("sends %U", r)
		}
	}
	rest := out
	for {
		i := strings.IndexByte(rest, '\x1b')
		if i < 0 {
			return nil
		}
		rest = rest[i:]
		if !strings.HasPrefix(rest, "\x1b[") || strings.TrimLeft(rest[2:], "0123456789;:")[:1] != "m" {
			return fmt.Errorf("sends the control sequence %q", rest[:min(12, len(rest))])
		}
		rest = rest[2:]
	}
}

// Whatever a snapshot holds, the screen has its size, and harmless contents.
func TestScreenIsExact(t *testing.T) {
	rounds := race.Fewer(500)
	if testing.Short() {
		rounds = 100
	}
	r := rand.New(rand.NewPCG(1, 2))
	all := looks(t)
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range rounds {
		w, h, n := 1+r.IntN(300), 1+r.IntN(100), r.IntN(13)
		if i%2 == 0 {
			w, h = 1+r.IntN(130), 1+r.IntN(40)
		}
		snap := viewtest.Random(r, n)
		name := names[r.IntN(len(names))]
		th := all[name]
		out := Screen(snap, w, h, th)
		if err := exact(out, w, h); err != nil {
			t.Fatalf("round %d: %d×%d, %d targets, %s: %v\n%s", i, w, h, n, name, err, ansi.Strip(out))
		}
		if err := tame(out, th.Symbols.ASCII); err != nil {
			t.Fatalf("round %d: %d×%d, %d targets, %s: %v", i, w, h, n, name, err)
		}
	}
}

// The scenes fit from the smallest window to a wall.
func TestScreenIsExactAtEverySize(t *testing.T) {
	step := race.Wider(5)
	if testing.Short() {
		step = 17
	}
	all := looks(t)
	for i, sc := range append(viewtest.Scenes(), viewtest.Details()...) {
		for w := 1 + i; w <= 300; w += step * 3 { // another remainder for each scene
			for h := 1 + i; h <= 100; h += step {
				if err := exact(Screen(sc.Snap, w, h, all["mono"]), w, h); err != nil {
					t.Fatalf("%s at %d×%d: %v", sc.Name, w, h, err)
				}
			}
		}
	}
}

func TestScreenWithoutSize(t *testing.T) {
	th := looks(t)["dark"]
	for _, size := range []struct{ w, h int }{{0, 0}, {-1, 10}, {10, 0}, {80, -24}} {
		if out := Screen(viewtest.Demo(), size.w, size.h, th); out != "" {
			t.Errorf("%d×%d draws %q", size.w, size.h, out)
		}
	}
}

// What a person must always see is on the usual terminal.
func TestScreenSaysWhatMatters(t *testing.T) {
	th := looks(t)["mono"]
	for name, want := range map[string][]string{
		"demo":    {"SIMULATED", "prompt 256 → 1,024", "71.6 ms", "21.2+83.4/1k", "227k tok", "+66.0 ms", "q quit", "kernel clock", "rec session.jsonl"},
		"trouble": {"HTTP 503: the server is overloaded", "held 12 s", "TLS not verified", ">30,000", "not yet", "record: no", "of 250k"},
		"uncut":   {"▒ server", "calibrating 3/8", "~256 tok", "max 361"},
		"first":   {"no probe has ended yet", "turn a knob"},
		"crowd":   {"3–9 of 12", "4–7 of 12", "模型-é🌍", "12 targets"},
		"dialog":  {"PAUSED", "Type to filter", "▸ sim-8b", "enter take"},
	} {
		for _, sc := range viewtest.Scenes() {
			if sc.Name != name {
				continue
			}
			out := ansi.Strip(Screen(sc.Snap, 80, 24, th))
			if least := ansi.Strip(Screen(sc.Snap, 60, 16, th)); name == "demo" && (!strings.Contains(least, "+66.0 ms") || !strings.Contains(least, "A █ prefill 79 %")) {
				t.Errorf("effect and diagnosis are not both on the smallest screen with panels:\n%s", least)
			}
			for _, s := range want {
				if !strings.Contains(out, s) {
					t.Errorf("%s doesn't say %q:\n%s", name, s, out)
				}
			}
		}
	}
}

func BenchmarkScreen(b *testing.B) {
	th := looks(b)["dark"]
	for _, bb := range []struct{ w, h, targets int }{{80, 24, 2}, {120, 40, 12}, {200, 60, 12}} {
		snap := viewtest.Crowd(bb.targets)
		b.Run(fmt.Sprintf("%dx%d_%d_targets", bb.w, bb.h, bb.targets), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = len(Screen(snap, bb.w, bb.h, th))
			}
			b.ReportMetric(float64(n), "bytes/frame")
		})
	}
}

// A box over half a wide character, on either side, leaves a blank there.
func TestSplicedWideCharacters(t *testing.T) {
	for _, line := range []string{"한글한글한", "a한글한글b", "\x1b[1m한글\x1b[m한글한"} {
		for x := range 9 {
			for w := 1; x+w <= 10; w++ {
				if got := spliced(line, strings.Repeat("#", w), x, w, 10); ansi.StringWidth(got) != 10 {
					t.Errorf("%q from %d to %d: %q", line, x, x+w, got)
				}
			}
		}
	}
}
