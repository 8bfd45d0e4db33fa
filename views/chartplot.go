package views

import (
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"

	"ttftop/themes"
)

// The plot uses the braille grid and the line interpolation of ntcharts. Its
// time series chart isn't used: it reads the clock when it is made, joins
// points across failures, rescales every point when its range changes, and its
// canvas renders cell by cell. All that reaches the grid are whole numbers
// within it: no NaN, no infinity, nothing far outside.

// braille holds the 256 braille characters as texts.
var braille = func() (list [256]string) {
	for i := range list {
		list[i] = string(rune(runes.BrailleBlockOffset + i))
	}
	return list
}()

// braillePlot draws every target's line, the selected one's on top.
func (s *sheet) braillePlot(snap Snapshot, f frame) {
	dots := make([]byte, f.w*f.rows) // what is drawn already, as dots of each cell
	for _, i := range drawOrder(snap) {
		if strokes := f.strokes(f.views[i]); len(strokes) > 0 {
			s.place(f, i, dots, lines(f, strokes))
			s.sprinkle(f, i, strokes, snap)
		}
	}
}

// drawOrder is the targets with the selected one last.
func drawOrder(snap Snapshot) []int {
	order := make([]int, 0, len(snap.Targets))
	for i := range snap.Targets {
		if i != snap.Selected {
			order = append(order, i)
		}
	}
	if snap.Selected >= 0 && snap.Selected < len(snap.Targets) {
		order = append(order, snap.Selected)
	}
	return order
}

// lines draws strokes on a braille grid.
func lines(f frame, strokes []stroke) [][]rune {
	w, h := f.w*dotsAcross, f.rows*dotsDown
	grid := graph.NewBrailleGrid(f.w, f.rows, 0, float64(w-1), 0, float64(h-1))
	for i, k := range strokes {
		for y := k.high; y <= k.low; y++ {
			grid.Set(canvas.Point{X: k.column, Y: y})
		}
		if !k.joined || i == 0 {
			continue
		}
		from := canvas.Point{X: strokes[i-1].column, Y: strokes[i-1].last}
		to := canvas.Point{X: k.column, Y: k.first}
		for _, p := range graph.GetLinePointsWithLimit(from, to, w+h) {
			grid.Set(p)
		}
	}
	return grid.BraillePatterns()
}

// place puts a target's braille onto the sheet; where lines meet, the dots of
// both are shown in the colour of the later one.
func (s *sheet) place(f frame, target int, dots []byte, patterns [][]rune) {
	tok := themes.Target(target)
	for y, row := range patterns {
		for x, r := range row {
			if r == runes.BrailleBlockOffset || x >= f.w || y >= f.rows {
				continue
			}
			d := &dots[y*f.w+x]
			*d |= byte(r - runes.BrailleBlockOffset)
			s.put(f.x+x, y, braille[*d], tok)
		}
	}
}

// sprinkleEvery is the distance in cells of the letters on a line.
const sprinkleEvery = 20

// sprinkle sets the target's letter on its line now and then where there are
// several lines, so that they can be told apart without colour. The places move
// with the line.
func (s *sheet) sprinkle(f frame, target int, strokes []stroke, snap Snapshot) {
	if len(snap.Targets) < 2 {
		return
	}
	lastCell := -1
	for _, k := range strokes {
		cell := k.column / dotsAcross
		number := (f.newest - int64(f.w*dotsAcross-1) + int64(k.column)) / dotsAcross
		if cell == lastCell || (number+int64(target*7))%sprinkleEvery != 0 {
			continue
		}
		lastCell = cell
		s.text(f.x+cell, k.last/dotsDown, letter(target), themes.Target(target))
	}
}

// letterPlot draws every point as its target's letter.
func (s *sheet) letterPlot(snap Snapshot, f frame) {
	for _, i := range drawOrder(snap) {
		s.letterStrokes(f, i, f.strokes(f.views[i]))
	}
}

// letterStrokes draws strokes as the target's letter.
func (s *sheet) letterStrokes(f frame, target int, strokes []stroke) {
	for _, k := range strokes {
		for _, y := range []int{k.high, k.low} {
			s.text(f.x+k.column/dotsAcross, y/dotsDown, letter(target), themes.Target(target))
		}
	}
}
