package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ttftop/views"
	"ttftop/views/viewtest"
)

func inspecting(s views.Snapshot) views.Snapshot {
	s.Inspect = &views.Inspect{}
	return s
}

func TestWithSheet(t *testing.T) {
	th := looks(t)["mono"]
	for _, tt := range []struct {
		name          string
		snap          views.Snapshot
		width, height int
		want          string
	}{
		{"the usual terminal keeps the lanes and the effect", viewtest.Projected(nil), 80, 24, `
[header                                ]
[waterfalls                            ]
|                                      |
[what if                               ]
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
|                                      |
|                                      |
|                                      |
|                                      |
[effect                                ]
[footer                                ]
`},
		{"without panels: the newest probe and the keys", inspecting(viewtest.Demo()), 58, 12, `
[waterfalls                 ]
[inspector                  ]
|                           |
|                           |
|                           |
|                           |
|                           |
|                           |
|                           |
|                           |
|                           |
[footer                     ]
`},
		{"too few lines for more than the box", inspecting(viewtest.Demo()), 30, 5, `
[inspector    ]
|             |
|             |
|             |
|             |
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := drawing(arranged(tt.snap, "", tt.width, tt.height, th), tt.width, tt.height)
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("%s", got)
			}
		})
	}
}

// Whatever is open and however large the screen, nothing overlaps, and from 60×16 on
// the header, a lane, the effect and the keys stay.
func TestWithSheetFits(t *testing.T) {
	th := looks(t)["mono"]
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 400 {
		targets := []int{0, 1, 2, 12, 60}[round%5]
		snap := viewtest.Random(r, targets)
		if snap.Inspect == nil && snap.WhatIf == nil {
			snap.Inspect = &views.Inspect{}
		}
		snap.Tour = nil
		width, height := leastWidth+r.IntN(280), leastHeight+r.IntN(95)
		places := arranged(snap, "", width, height, th)
		if err := fits(places, width, height); err != nil {
			t.Fatalf("%d×%d with %d targets: %v", width, height, targets, err)
		}
		if at := placeOf(places, sheetOf(snap)); at < 0 || places[at].H < 1 {
			t.Fatalf("%d×%d: no box: %+v", width, height, places)
		}
		for _, p := range []panel{panelHeader, panelWaterfalls, panelEffect, panelFooter} {
			if width >= panelsWidth && height >= panelsHeight && placeOf(places, p) < 0 {
				t.Fatalf("%d×%d with %d targets: %s is gone: %+v", width, height, targets, p, places)
			}
		}
	}
}

// On the usual terminal nothing that a person needs of a projection is cut: neither
// what is changed, nor a figure, nor the assumption of the chosen lever; and the box
// stays where it is when another is chosen.
func TestWhatIfIsWhole(t *testing.T) {
	th := looks(t)["mono"]
	for name, snap := range map[string]views.Snapshot{"cut": viewtest.Projected(nil), "uncut": details("whatif_uncut")} {
		for _, size := range []struct{ w, h int }{{80, 24}, {100, 30}, {120, 36}, {160, 45}} {
			top := -1
			for i, l := range snap.WhatIf.Levers {
				in := *snap.WhatIf
				in.Chosen = i
				snap.WhatIf = &in
				places := arranged(snap, "", size.w, size.h, th)
				p := places[placeOf(places, panelWhatIf)]
				box := ansi.Strip(strings.Join(draw(snap, p, th), "\n"))
				told := strings.Join(strings.Fields(strings.ReplaceAll(box, "│", " ")), " ")
				if strings.Contains(box, "…") || !strings.Contains(told, l.Does) || !strings.Contains(told, l.Assumes) {
					t.Errorf("%s at %d×%d, %s: something is cut:\n%s", name, size.w, size.h, l.Lever, box)
				}
				if top < 0 {
					top = p.Y
				}
				if p.Y != top {
					t.Errorf("%s at %d×%d, %s: the box moves", name, size.w, size.h, l.Lever)
				}
			}
		}
	}
}

func details(name string) views.Snapshot {
	for _, sc := range viewtest.Details() {
		if sc.Name == name {
			return sc.Snap
		}
	}
	panic(fmt.Sprintf("no scene %s", name))
}

// The last TTFT of the selected target, and for levers and what if what the last turn
// did, are on the usual terminal whatever is open.
func TestOpenPanelsKeepTheScreenLive(t *testing.T) {
	th := looks(t)["mono"]
	for name, snap := range map[string]views.Snapshot{"levers": viewtest.Levered(), "inspector": inspecting(viewtest.Demo()), "what if": viewtest.Projected(nil)} {
		snap.Selected = 1
		s := ansi.Strip(Screen(snap, 80, 24, th))
		for _, want := range []string{"SIMULATED", "230 ms", "+66.0 ms"} {
			if !strings.Contains(s, want) {
				t.Errorf("with %s open there is no %q:\n%s", name, want, s)
			}
		}
	}
	if s := ansi.Strip(Screen(inspecting(viewtest.Demo()), 44, 14, th)); !strings.Contains(s, "71.6 ms") {
		t.Errorf("%s", s)
	}
}
