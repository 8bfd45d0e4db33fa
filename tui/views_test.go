package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ttftop/probe/race"
	"ttftop/themes"
	"ttftop/views"
	"ttftop/views/viewtest"
)

// Each view in every theme at the usual sizes; the mono theme in every
// situation.
func TestViewGolden(t *testing.T) {
	all := looks(t)
	sizes := []struct{ w, h int }{{80, 24}, {120, 36}, {200, 60}}
	for _, sc := range ownScenes() {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s_%dx%d", sc.Name, size.w, size.h), func(t *testing.T) {
				golden.RequireEqual(t, ansi.Strip(Screen(sc.Snap, size.w, size.h, all["mono"])))
			})
		}
		if strings.HasSuffix(sc.Name, "_demo") || sc.Name == "probes_table" || sc.Name == "compare_settled" {
			for _, name := range append(themes.Names(), "mono-ascii") {
				t.Run(sc.Name+"_80x24_"+name, func(t *testing.T) { golden.RequireEqual(t, Screen(sc.Snap, 80, 24, all[name])) })
			}
		}
	}
}

// viewScenes are the scenes of every view.
func viewScenes() []viewtest.Scene { return append(viewtest.Scenes(), ownScenes()...) }

// ownScenes are those of the views beside the explorer, with the keys that work
// there.
func ownScenes() []viewtest.Scene {
	list := viewtest.ViewScenes()
	for i := range list {
		list[i].Snap.Status.Keys = footer(keysIn(list[i].Snap.View))
	}
	return list
}

// A zoomed panel has the whole screen, at every size, whatever it shows.
func TestZoomIsExact(t *testing.T) {
	th := looks(t)["mono"]
	for _, sc := range viewScenes() {
		for _, p := range zoomable[sc.Snap.View] {
			for _, size := range []struct{ w, h int }{{20, 5}, {60, 16}, {80, 24}, {133, 41}, {240, 70}, {300, 100}} {
				if err := exact(screen(sc.Snap, p, size.w, size.h, th, draw), size.w, size.h); err != nil {
					t.Fatalf("%s of %s at %d×%d: %v", p, sc.Name, size.w, size.h, err)
				}
			}
		}
	}
	for v := range mode(views.NViews) {
		for _, p := range zoomable[v] {
			for _, sc := range viewScenes() {
				if sc.Snap.View == v && (sc.Name == "demo" || strings.HasSuffix(sc.Name, "_demo") || sc.Name == "probes_table" || sc.Name == "compare_settled") {
					name := "zoom_" + string(p)
					if v == explore && (p == panelHistogram || p == panelScaling) { // as in a view of its own
						name = "zoom_explore_" + string(p)
					}
					t.Run(name, func(t *testing.T) { golden.RequireEqual(t, ansi.Strip(screen(sc.Snap, p, 240, 70, th, draw))) })
				}
			}
		}
	}
}

// The scenes of all views fit from the smallest window to a wall.
func TestViewsAreExactAtEverySize(t *testing.T) {
	step := race.Wider(13)
	if testing.Short() {
		step = 23
	}
	all := looks(t)
	for i, sc := range viewtest.ViewScenes() {
		for w := 1 + i%5; w <= 300; w += step * 3 {
			for h := 1 + i%3; h <= 100; h += step {
				if err := exact(Screen(sc.Snap, w, h, all["mono"]), w, h); err != nil {
					t.Fatalf("%s at %d×%d: %v", sc.Name, w, h, err)
				}
			}
		}
	}
}

// What the cache leaves out of a snapshot changes nothing on the panel, and a
// cached screen is that of the moment.
func TestCacheIsNeverOutOfDate(t *testing.T) {
	rounds := race.Fewer(120)
	if testing.Short() {
		rounds = 24
	}
	r := rand.New(rand.NewPCG(3, 4))
	all := looks(t)
	names := slices.Sorted(func(yield func(string) bool) {
		for n := range all {
			if !yield(n) {
				return
			}
		}
	})
	var c cache
	for i := range rounds {
		n := r.IntN(13)
		snap, w, h, th := viewtest.Random(r, n), 1+r.IntN(250), 1+r.IntN(80), all[names[r.IntN(len(names))]]
		zoom := panel("")
		if list := zoomable[snap.View]; r.IntN(3) == 0 {
			zoom = list[r.IntN(len(list))]
		}
		for _, p := range arranged(snap, zoom, w, h, th) {
			want := draw(snap, p, th)
			if got := draw(relevant(snap, p), p, th); !slices.Equal(got, want) {
				t.Fatalf("round %d: %s at %d×%d shows what the cache leaves out:\n%s\nand with all:\n%s", i, p.Panel, p.W, p.H, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		for step := range 4 {
			if want, got := screen(snap, zoom, w, h, th, draw), c.screen(snap, zoom, w, h, th); got != want {
				t.Fatalf("round %d, step %d: the cached screen is out of date:\n%s\nwant:\n%s", i, step, ansi.Strip(got), ansi.Strip(want))
			}
			snap = nudged(r, snap)
		}
	}
}

// nudged is a snapshot a moment later: one thing has changed.
func nudged(r *rand.Rand, s views.Snapshot) views.Snapshot {
	other := viewtest.Random(r, len(s.Targets))
	s.Targets = slices.Clone(s.Targets)
	switch i := r.IntN(max(len(s.Targets), 1)); r.IntN(9) {
	case 0:
		s.Now += 700e6
	case 1:
		s.Status = other.Status
	case 2:
		s.Knobs = other.Knobs
	case 3:
		s.Effect = other.Effect
	case 4:
		s.Selected = other.Selected
	case 5:
		s.Dialog = other.Dialog
	case 6:
		s.Probes = other.Probes
	default:
		if len(s.Targets) > 0 {
			s.Targets[i] = other.Targets[i]
		}
	}
	return s
}

func TestCacheKeepsWhatDidNotChange(t *testing.T) {
	th := looks(t)["dark"]
	var c cache
	snap := viewtest.Demo()
	c.screen(snap, "", 120, 36, th)
	before := map[panel]*string{}
	for p, d := range c.drawn {
		before[p] = &d.lines[0]
	}
	snap.Targets = slices.Clone(snap.Targets)
	live := *snap.Targets[0].Live
	live.Elapsed += 5e6
	snap.Targets[0].Live = &live
	c.screen(snap, "", 120, 36, th)
	for p, d := range c.drawn {
		if drawnAgain := &d.lines[0] != before[p]; drawnAgain != (p == panelWaterfalls) {
			t.Errorf("%s is drawn again: %v", p, drawnAgain)
		}
	}
}

// BenchmarkFrame measures a frame of 12 targets that have sent 100,000 probes,
// at 200×60: with every panel drawn anew, and with one that has changed.
func BenchmarkFrame(b *testing.B) {
	th := looks(b)["dark"]
	for v := range mode(views.NViews) {
		snap := busySnapshot(b, v)
		b.Run(v.String()+"/every_panel", func(b *testing.B) { benchmarkFrame(b, snap, th, func() *cache { return &cache{} }) })
		var c cache
		b.Run(v.String()+"/one_panel", func(b *testing.B) { benchmarkFrame(b, snap, th, func() *cache { return &c }) })
	}
}

func benchmarkFrame(b *testing.B, snap views.Snapshot, th themes.Theme, with func() *cache) {
	b.ReportAllocs()
	bytes := 0
	for i := 0; b.Loop(); i++ {
		snap.Status.Probes = 100_000 + i%2 // the status changes
		if snap.View == explore {
			snap.Targets = slices.Clone(snap.Targets) // and in the explore view the probe in flight instead
			live := *snap.Targets[0].Live
			live.Elapsed += 1e6
			snap.Targets[0].Live = &live
			snap.Status.Probes = 100_000
		}
		bytes = len(with().screen(snap, "", 200, 60, th))
	}
	b.ReportMetric(float64(bytes), "bytes/frame")
}

// Every panel of the view that the window shows may be zoomed.
func TestZoomOfFurtherCharts(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want bool
	}{{160, 45, true}, {80, 24, false}} {
		p := sitAt(t, atSimulator)
		p.send(tea.WindowSizeMsg{Width: c.w, Height: c.h})
		if got := slices.Contains(p.m.zoomables(), panelHistogram); got != c.want {
			t.Errorf("at %d×%d the distribution may be zoomed: %v", c.w, c.h, got)
		}
	}
}
