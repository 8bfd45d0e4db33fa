package baseline

import (
	"fmt"
	"time"
)

const (
	openingLen = 24   // first points that are watched
	coldest    = 3    // cold ones in a row that are told of; fewer are chance
	settled    = 8    // points in a row that the curve must explain…
	within     = 0.15 // …to this share
	cold       = 1.3  // of the curve: above it, one of the first points was cold
)

// opening watches a fitter's first points for a server that warms up.
type opening struct {
	points []Point
	newest time.Time // of all that were watched
	closed bool
}

func (o *opening) add(p Point) {
	if p.Loaded || o.closed {
		return
	}
	if len(o.points) == openingLen {
		o.points, o.closed = nil, true
		return
	}
	o.points = append(o.points, p)
	o.newest = p.At
}

// warmedUp reports whether the first points, some in a row, were all much
// dearer than the curve and those after them agree with it, and since when
// they do.
func (o *opening) warmedUp(c Curve, known bool) (since time.Time, sentence string, ok bool) {
	if o.closed || !known || c.lengths < 2 {
		return time.Time{}, "", false
	}
	first, ratio := 0, 0.0
	for first < len(o.points) && o.over(first, c) > cold {
		ratio += o.over(first, c)
		first++
	}
	rest := len(o.points) - first
	if first < coldest || rest < settled || rest < first {
		return time.Time{}, "", false
	}
	agree := 0
	for i := first; i < len(o.points); i++ {
		if over := o.over(i, c); over < 1+within && over > 1-within {
			agree++
		}
	}
	if 4*agree < 3*rest {
		return time.Time{}, "", false
	}
	since = o.points[first].At
	o.points, o.closed = nil, true
	return since, fmt.Sprintf("The server has warmed up, or was busy before: its first %d probes took %.1f times as long as the same prompts take now; the baseline stands on those since.",
		first, ratio/float64(first)), true
}

// over is a point's cost as a multiple of the curve.
func (o *opening) over(i int, c Curve) float64 {
	mid, _, _ := c.At(o.points[i].Tokens)
	return float64(o.points[i].Server) / float64(max(mid, time.Microsecond))
}
