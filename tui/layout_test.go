package tui

import (
	"fmt"
	"image"
	"strings"
	"testing"
)

// drawing shows places as boxes: one line for each line of the screen, one
// character for two cells. A box has its panel's name on its first line,
// between < and > where the panel has a title and between [ and ] where not.
func drawing(places []Place, width, height int) string {
	const scale = 2
	rows := make([][]byte, height)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", (width+scale-1)/scale))
	}
	for _, p := range places {
		from, to := p.X/scale, (p.X+p.W+scale-1)/scale
		for y := p.Y; y < p.Y+p.H; y++ {
			row := rows[y][from:to]
			copy(row, strings.Repeat(" ", len(row)))
			row[0], row[len(row)-1] = '|', '|'
			if y == p.Y {
				copy(row[1:], p.Panel)
				row[0], row[len(row)-1] = '[', ']'
				if p.Title {
					row[0], row[len(row)-1] = '<', '>'
				}
			}
		}
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(string(r), " ") + "\n")
	}
	return b.String()
}

func TestArrange(t *testing.T) {
	tests := []struct {
		name                   string
		width, height, targets int
		want                   string
	}{
		{"the usual terminal", 80, 24, 2, `
[header                                ]
[waterfalls                            ]
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[figures                               ]
|                                      |
|                                      |
[chart                                 ]
|                                      |
|                                      |
|                                      |
|                                      |
[diagnosis                             ]
[effect                                ]
[knobs                                 ]
[status                                ]
[footer                                ]
`},
		{"one target has its last probe and a larger chart", 80, 24, 1, `
[header                                ]
[waterfalls                            ]
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[figures                               ]
|                                      |
[chart                                 ]
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
[knobs                                 ]
[status                                ]
[footer                                ]
`},
		{"more targets than lines", 80, 24, 12, `
[header                                ]
[waterfalls                            ]
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[figures                               ]
|                                      |
|                                      |
|                                      |
|                                      |
[chart                                 ]
|                                      |
|                                      |
|                                      |
[diagnosis                             ]
[effect                                ]
[knobs                                 ]
[status                                ]
[footer                                ]
`},
		{"the smallest with panels has one line for effect and diagnosis", 60, 16, 2, `
[header                      ]
[waterfalls                  ]
|                            |
|                            |
|                            |
[figures                     ]
|                            |
|                            |
[chart                       ]
|                            |
|                            |
|                            |
[finding                     ]
[knobs                       ]
[status                      ]
[footer                      ]
`},
		{"high and narrow: titles, and the effect in full", 80, 34, 2, `
[header                                ]
<waterfalls                            >
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
<figures                               >
|                                      |
|                                      |
|                                      |
<chart                                 >
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
|                                      |
[diagnosis                             ]
<effect                                >
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
		{"wide: knobs and effect beside the waterfalls", 120, 36, 2, `
[header                                                    ]
<waterfalls                            >.<knobs            >
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.<effect           >
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
<figures                               >.|                 |
|                                      |.|                 |
|                                      |.|                 |
|                                      |.|                 |
<chart                                                     >
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
|                                                          |
[diagnosis                                                 ]
[status                                                    ]
|                                                          |
[footer                                                    ]
`},
		{"large: further charts beside the one over time", 160, 50, 1, `
[header                                                                        ]
<waterfalls                                           >.<knobs                 >
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.<effect                >
<figures                                              >.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
<chart                                                >.<histogram             >
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.<scaling               >
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
|                                                     |.|                      |
[diagnosis                                                                     ]
[status                                                                        ]
|                                                                              |
[footer                                                                        ]
`},
		{"too small for panels", 58, 7, 2, `
[summary                    ]
|                           |
|                           |
|                           |
|                           |
|                           |
|                           |
`},
		{"too small for anything", 18, 5, 2, `
[too sma]
|       |
|       |
|       |
|       |
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := drawing(Arrange(explore, tt.width, tt.height, tt.targets), tt.width, tt.height)
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("%d×%d with %d targets:\n%s\nwant:\n%s", tt.width, tt.height, tt.targets, got, want)
			}
		})
	}
}

// Places are within the screen, have a size, and don't overlap.
func TestArrangeFits(t *testing.T) {
	for width := 1; width <= 300; width += 7 {
		for height := 1; height <= 100; height++ {
			for _, targets := range []int{0, 1, 2, 5, 12, 60} {
				if err := fits(Arrange(explore, width, height, targets), width, height); err != nil {
					t.Fatalf("%d×%d with %d targets: %v", width, height, targets, err)
				}
			}
		}
	}
}

func fits(places []Place, width, height int) error {
	for i, p := range places {
		at := p.rectangle()
		if at.Empty() || !at.In(image.Rect(0, 0, width, height)) {
			return fmt.Errorf("%+v is not within the screen", p)
		}
		for _, other := range places[:i] {
			if both := at.Intersect(other.rectangle()); !both.Empty() {
				return fmt.Errorf("%s and %s overlap at %v", other.Panel, p.Panel, both)
			}
		}
	}
	return nil
}

// rectangle is where a place is. Unlike image.Rect, a negative size is not turned over.
func (p Place) rectangle() image.Rectangle {
	return image.Rectangle{Min: image.Pt(p.X, p.Y), Max: image.Pt(p.X+p.W, p.Y+p.H)}
}

// Whatever the screen, what a person can't do without has a place.
func TestArrangeKeepsWhatMatters(t *testing.T) {
	must := []panel{panelHeader, panelWaterfalls, panelFigures, panelChart, panelKnobs, panelStatus, panelFooter}
	for width := panelsWidth; width <= 300; width += 20 {
		for height := panelsHeight; height <= 100; height++ {
			for _, targets := range []int{0, 1, 2, 12} {
				has := map[panel]bool{}
				for _, p := range Arrange(explore, width, height, targets) {
					has[p.Panel] = true
				}
				for _, p := range must {
					if !has[p] {
						t.Fatalf("%d×%d with %d targets has no %s", width, height, targets, p)
					}
				}
			}
		}
	}
}
