package baseline

import (
	"sort"

	"ttftop/probe/quantile"
)

const (
	lowShare   = 1.0 / 8  // share of probes that must find the server free
	tailShare  = 1.0 / 32 // share that may lie too low by error
	fewPoints  = 8        // below this, the minimum stands for the low quantile
	fewestIdle = 5        // cheap points among many from which they show an idle server
	clockFloor = 0.1e6    // ns; no cluster is narrower than clocks and scheduling allow
	calmShare  = 0.1      // of a cost: delays below it, or below…
	calmFloor  = 2e6      // …this, in ns, are the spread of an idle server and its path
)

// cluster is the lowest group of costs of one prompt length: what it costs when
// nothing is in the way.
type cluster struct {
	mid    float64 // its middle, ns
	spread float64 // standard deviation of its members, ns; 0 for a single one
	in     int     // members
	above  int     // points in the span of the same width above it
	median float64 // of all points, ns
	// How far single points lie below and above the middle, ns: root mean
	// squares, without what lies too far off to be noise.
	under, over float64
}

// lowest finds the lowest cluster of costs in ascending order, at least one.
// It begins at a low quantile and climbs to the middle of the points around it
// (mean shift, with the median for the mean), as wide as the tail below the
// quantile shows the noise to be: for normal noise, 1.4 standard deviations to
// each side. A plain low quantile would lie one standard deviation too low on
// an idle server and show that as a queue.
func lowest(sorted []float64) cluster {
	n := len(sorted)
	start := sorted[quantile.Rank(lowShare, n)]
	half := max(2*(start-sorted[quantile.Rank(tailShare, n)]), 0.01*start, clockFloor)
	if n < fewPoints {
		half = max(half, 0.05*start)
	}
	mid := start
	from, to := 0, 0
	for range 10 {
		from, to = between(sorted, mid-half, mid+half)
		next := sorted[from+quantile.Rank(0.5, to-from)]
		if next == mid {
			break
		}
		mid = next
	}
	_, top := between(sorted, mid+half, mid+3*half)
	members := sorted[from:to]
	quartiles := members[quantile.Rank(0.75, len(members))] - members[quantile.Rank(0.25, len(members))]
	c := cluster{mid: mid, spread: quartiles / 1.349, in: to - from, above: max(0, top-to), median: sorted[quantile.Rank(0.5, n)]}
	c.under, c.over = around(sorted, mid, half)
	return c
}

// clear reports whether the cluster stands out from what lies above it, as
// an idle server's does and the low end of a queue doesn't.
func (c cluster) clear() bool { return c.in+1 > 2*(c.above+1) }

// shown reports whether the cluster is clear among many points, and not by the
// chance of a few that met the same wait.
func (c cluster) shown() bool { return c.in >= fewestIdle && c.clear() }

// calm reports whether the greater part of all points is hardly dearer than
// the cluster: whatever delays them is small.
func (c cluster) calm() bool { return c.median <= c.mid+max(calmShare*c.mid, calmFloor) }

// between is the range of indices of the values within [lo, hi].
func between(sorted []float64, lo, hi float64) (from, to int) {
	from = sort.SearchFloat64s(sorted, lo)
	to = sort.Search(len(sorted), func(i int) bool { return sorted[i] > hi })
	return from, to
}
