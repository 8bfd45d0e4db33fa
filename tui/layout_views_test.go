package tui

import (
	"slices"
	"strings"
	"testing"

	"ttftop/views"
)

func TestArrangeViews(t *testing.T) {
	tests := []struct {
		name                   string
		view                   mode
		width, height, targets int
		want                   string
	}{
		{"the histograms share the lines with the ECDF", distribution, 80, 24, 2, `
[header                                ]
<histogram                             >
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
[ecdf                                  ]
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[knobs                                 ]
[status                                ]
[footer                                ]
`},
		{"twelve targets have a line each", distribution, 80, 24, 12, `
[header                                ]
<histogram                             >
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
[ecdf                                  ]
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[knobs                                 ]
[status                                ]
[footer                                ]
`},
		{"high: the ECDF has a title", distribution, 80, 34, 2, `
[header                                ]
<histogram                             >
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
<ecdf                                  >
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[knobs                                 ]
|                                      |
[status                                ]
|                                      |
[footer                                ]
`},
		{"the smallest with panels keeps the ECDF", distribution, 60, 16, 12, `
[header                      ]
<histogram                   >
|                            |
|                            |
|                            |
|                            |
|                            |
[ecdf                        ]
|                            |
|                            |
|                            |
|                            |
|                            |
[knobs                       ]
[status                      ]
[footer                      ]
`},
		{"the plot has what the sentences leave", scaling, 80, 24, 2, `
[header                                ]
<scaling                               >
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
[fits                                  ]
|                                      |
[knobs                                 ]
[status                                ]
[footer                                ]
`},
		{"high: the sentences have a title", scaling, 80, 34, 12, `
[header                                ]
<scaling                               >
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
<fits                                  >
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[knobs                                 ]
|                                      |
[status                                ]
|                                      |
[footer                                ]
`},
		{"one panel between the lines of every view", probes, 80, 24, 2, `
[header                                ]
<probes                                >
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
|                                      |
[knobs                                 ]
[status                                ]
[footer                                ]
`},
		{"too small for panels", probes, 58, 7, 2, `
[summary                    ]
|                           |
|                           |
|                           |
|                           |
|                           |
|                           |
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := drawing(Arrange(tt.view, tt.width, tt.height, tt.targets), tt.width, tt.height)
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("%d×%d with %d targets:\n%s\nwant:\n%s", tt.width, tt.height, tt.targets, got, want)
			}
		})
	}
}

// Whatever the screen, the panels of every view are within it, and those that a
// person can't do without have a place.
func TestArrangeViewsFits(t *testing.T) {
	must := map[mode][]panel{distribution: {panelHistogram, panelECDF}, scaling: {panelScaling, panelFits}, probes: {panelProbes}}
	for v := range mode(views.NViews) {
		for width := 1; width <= 300; width += 41 {
			for height := 1; height <= 100; height++ {
				for _, targets := range []int{0, 1, 12, 60} {
					places := Arrange(v, width, height, targets)
					if err := fits(places, width, height); err != nil {
						t.Fatalf("%s, %d×%d with %d targets: %v", v, width, height, targets, err)
					}
					if width < panelsWidth || height < panelsHeight {
						continue
					}
					for _, p := range append(must[v], panelHeader, panelKnobs, panelStatus, panelFooter) {
						if !slices.ContainsFunc(places, func(place Place) bool { return place.Panel == p }) {
							t.Fatalf("%s, %d×%d with %d targets has no %s", v, width, height, targets, p)
						}
					}
				}
			}
		}
	}
}

func TestZoomed(t *testing.T) {
	want := `
[header                      ]
<chart                       >
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
|                            |
[footer                      ]
`
	if got := drawing(zoomed(panelChart, 60, 16), 60, 16); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("%s", got)
	}
}
