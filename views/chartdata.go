package views

import (
	"sort"
	"time"
)

// since is the points from one instant to another, of points in ascending
// order of time.
func since(points []Point, from, to time.Duration) []Point {
	i := sort.Search(len(points), func(i int) bool { return points[i].At >= from })
	j := sort.Search(len(points), func(i int) bool { return points[i].At > to })
	if j <= i {
		return nil
	}
	return points[i:j]
}

// stroke is what one target has in one column of dots: the lowest and highest
// line of dots, and those of its first and last point. joined tells that it
// belongs to the same line as the stroke before it.
type stroke struct {
	column      int
	high, low   int // high ≤ low: lines of dots are counted from the top
	first, last int
	joined      bool
}

// strokes gathers a target's points into one stroke per column of dots, so
// that drawing costs the width of the plot and not the number of points. A
// line is broken by a failure, by a change of epoch, and by a pause.
func (f frame) strokes(points []Point) []stroke {
	list := make([]stroke, 0, min(len(points), f.w*dotsAcross))
	var g gathered
	var before *Point
	until := time.Duration(-1) // where the present column ends
	column := -1
	for i := range points {
		p := &points[i]
		if p.At >= until || i == 0 {
			column = f.column(p.At)
			until = (positive(p.At)/f.tick + 1) * f.tick
		}
		if column < 0 || column >= f.w*dotsAcross {
			continue
		}
		if p.Failed {
			before = nil
			continue
		}
		joined := before != nil && before.Epoch == p.Epoch && p.At-before.At <= f.window/8
		if joined && g.column == column {
			g.high, g.low, g.last = max(g.high, p.TTFT), min(g.low, p.TTFT), p.TTFT
		} else {
			list = f.finish(list, g)
			g = gathered{true, column, joined, p.TTFT, p.TTFT, p.TTFT, p.TTFT}
		}
		before = p
	}
	return f.finish(list, g)
}

// gathered is a stroke in the making, before its values become lines of dots.
type gathered struct {
	any                    bool
	column                 int
	joined                 bool
	high, low, first, last time.Duration
}

func (f frame) finish(list []stroke, g gathered) []stroke {
	if !g.any {
		return list
	}
	return append(list, stroke{g.column, f.dot(g.high), f.dot(g.low), f.dot(g.first), f.dot(g.last), g.joined})
}
