package views

import (
	"math/bits"
	"time"

	"ttftop/themes"
)

// Points are cut off at the top where they are more than tallest times as high as
// usual. What is usual of a target is a power of two (of nanoseconds) that all but
// the slowest share of its points stay below, those in the window and the newest
// of them alone: a burst that is over does not hold the axis, and what comes now
// is never cut off for what came before. A power of two keeps the axis still while
// points come and go.
const (
	tallest      = 4
	slowestShare = 0.2
	newestPoints = 10
	fewPoints    = 20 // of a target: below this nothing of it is cut off
)

// heights counts values of TTFT by how many bits they need.
type heights struct {
	below [65]int
	n     int
	most  time.Duration
}

func (h *heights) add(d time.Duration) {
	d = min(max(d, 0), longestAxis)
	h.most = max(h.most, d)
	h.below[bits.Len64(uint64(d))]++
	h.n++
}

// usual is a power of two that all but the slowest share stay below.
func (h *heights) usual(slowest float64) time.Duration {
	rank, sum, b := h.n-int(slowest*float64(h.n)), 0, 0
	for ; sum < rank; b++ {
		sum += h.below[b]
	}
	return time.Duration(1) << max(b-1, 0)
}

// usualOf is what is usual of a target's points, and the highest of them.
func usualOf(points []Point) (usual, most time.Duration) {
	var all, newest heights
	for i := len(points) - 1; i >= 0; i-- {
		if p := &points[i]; !p.Failed {
			all.add(p.TTFT)
			if newest.n < newestPoints {
				newest.add(p.TTFT)
			}
		}
	}
	if all.n < fewPoints {
		return all.most, all.most
	}
	return max(all.usual(slowestShare), newest.usual(slowestShare)), all.most
}

// highest is what the axis of TTFT must reach; cut where some points are
// higher, and any where there is a point at all.
func highest(views [][]Point) (reach time.Duration, cut, any bool) {
	var usual, most time.Duration
	for _, v := range views {
		any = any || len(v) > 0
		u, m := usualOf(v)
		usual, most = max(usual, u), max(most, m)
	}
	reach, cut = reachOf(usual, most)
	return reach, cut, any
}

// reachOf is what an axis must reach; cut where the highest is above it.
func reachOf(usual, most time.Duration) (reach time.Duration, cut bool) {
	if most > tallest*usual {
		return usual + usual/2, true
	}
	return most, false
}

// outlier is a column of cells with points above the axis.
type outlier struct {
	x    int
	most time.Duration
}

// outliers are the columns with points above the axis, from the left.
func (f frame) outliers() []outlier {
	high := make([]time.Duration, f.w)
	for _, points := range f.views {
		for i := range points {
			c := f.column(points[i].At)
			if p := &points[i]; !p.Failed && p.TTFT > f.y.Top && c >= 0 && c < f.w*dotsAcross {
				high[c/dotsAcross] = max(high[c/dotsAcross], p.TTFT)
			}
		}
	}
	var list []outlier
	for x, most := range high {
		if most > 0 {
			list = append(list, outlier{x, most})
		}
	}
	return list
}

// outlierSigns marks at the top edge where points are above the axis.
func (s *sheet) outlierSigns(f frame, list []outlier) {
	for _, o := range list {
		s.put(f.x+o.x, 0, s.sym.Above, themes.Warn)
	}
}

// outlierValues writes how high the highest of each run of outliers is, in
// milliseconds, behind the run or before it, where nothing else stands.
func (s *sheet) outlierValues(f frame, list []outlier) {
	for from := 0; from < len(list); {
		to, most := from, time.Duration(0)
		for ; to < len(list) && list[to].x-list[from].x <= to-from; to++ {
			most = max(most, list[to].most)
		}
		text := Count(int64(most.Round(time.Millisecond) / time.Millisecond))
		for _, x := range []int{f.x + list[to-1].x + 1, f.x + list[from].x - cells(text)} {
			if x >= f.x && x+cells(text) <= f.x+f.w && s.allBlank(x, 0, cells(text)) {
				s.text(x, 0, text, themes.Warn)
				break
			}
		}
		from = to
	}
}
