package views_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ttftop/probe"
	"ttftop/themes"
	"ttftop/views"
	"ttftop/views/viewtest"
)

// tours are the captions of a tour, over the demo.
func tours() []views.Tour {
	const long = "A longer prompt, and nothing else. All of it must be read before the first token can be written."
	return []views.Tour{
		{Step: 2, Steps: 6, Name: "a long prompt", Remark: "measuring: 3 of 8 probes", Text: long, Part: probe.PrefillPart},
		{Step: 2, Steps: 6, Name: "a long prompt", Remark: "8 s", Text: "Reading is prefill.", Told: true, Part: probe.PrefillPart},
		{Step: 1, Steps: 6, Name: "distance", Remark: "held", Text: "Far away, it is network.", Told: true, Part: probe.NetworkPart, Share: true},
		{Step: 6, Steps: 6, Name: "the end", Text: "The knobs are yours."},
	}
}

func TestTourPanelGolden(t *testing.T) {
	var out strings.Builder
	for _, tour := range tours() {
		snap := viewtest.Demo()
		snap.Tour = &tour
		for _, size := range [][2]int{{80, 3}, {60, 4}, {120, 3}} {
			fmt.Fprintf(&out, "%d × %d\n%s\n", size[0], size[1], ansi.Strip(views.TourPanel(snap, size[0], size[1], mono(t))))
		}
	}
	golden.RequireEqual(t, out.String())
}

func TestTourPanelIsExact(t *testing.T) {
	for _, th := range []themes.Theme{mono(t), mono(t).ASCII()} {
		for _, tour := range tours() {
			for _, snap := range []views.Snapshot{viewtest.Demo(), viewtest.Crowd(12), viewtest.First(), {}} {
				snap.Tour = &tour
				for w := 1; w < 130; w += 5 {
					for h := 1; h < 5; h++ {
						wantExact(t, fmt.Sprintf("%+v at %d×%d", tour, w, h), views.TourPanel(snap, w, h, th), w, h)
					}
				}
			}
		}
	}
	if got := views.TourPanel(viewtest.Demo(), 9, 1, mono(t)); strings.TrimSpace(ansi.Strip(got)) != "" {
		t.Errorf("without a tour: %q", got)
	}
}

// What a step is to show is looked for in the figures.
func TestTourShows(t *testing.T) {
	demo := viewtest.Demo()
	prefill, share := views.Tour{Part: probe.PrefillPart}, views.Tour{Part: probe.PrefillPart, Share: true}
	far := demo
	far.Targets = demo.Targets[1:]
	unclear := demo
	effect := *demo.Effect
	effect.Targets = append([]views.TargetEffect(nil), effect.Targets...)
	for i := range effect.Targets {
		effect.Targets[i].Shift.P50.Lo = -time.Hour
	}
	unclear.Effect = &effect
	for _, c := range []struct {
		name string
		tour views.Tour
		snap views.Snapshot
		side int
		want bool
	}{
		{"prefill has grown", prefill, demo, 1, true},
		{"it has not shrunk", prefill, demo, -1, false},
		{"no queue has grown", views.Tour{Part: probe.QueuePart}, demo, 1, false},
		{"it may be nothing", prefill, unclear, 1, false},
		{"nothing is known", prefill, views.Snapshot{}, 1, false},
		{"prefill is most of the near one", share, demo, 0, true},
		{"not of the far one", share, far, 0, false},
	} {
		if got := c.tour.Shows(c.snap, c.side); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
