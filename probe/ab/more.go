package ab

import (
	"math"
	"sort"

	"ttftop/probe/anytime"
)

// farthest is the number of pairs beyond which no forecast is made.
const farthest = 10_000

// more is about how many more pairs would settle it if the next ones fell on
// both sides of zero and of the margin as those so far did; 0 where that can't
// be said.
func (c *Comparison) more() int {
	n := c.Pairs()
	if n == 0 {
		return 0
	}
	share := func(count int) float64 { return float64(count) / float64(n) }
	below, above := share(c.diff.Below(0)), share(c.diff.Above(0))
	m := c.config.Margin
	under, over := share(c.ratio.Below(math.Nextafter(m, 1))), share(c.ratio.Above(math.Nextafter(-m, -1))) // ends included
	median := anytime.New(0.5, 1-c.config.Confidence)
	settled := func(n int) bool {
		low, high := median.Ranks(n)
		reaches := func(share float64, rank int) bool { return share*float64(n) >= float64(rank) }
		return reaches(below, high) || reaches(above, low) || m > 0 && reaches(under, high) && reaches(over, low)
	}
	reach := n
	for !settled(reach) {
		if reach *= 2; reach > farthest {
			return 0
		}
	}
	return 1 + sort.Search(reach-n, func(i int) bool { return settled(n + i + 1) })
}
