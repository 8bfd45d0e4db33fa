package ab

import (
	"math"
	"slices"
	"time"

	"ttftop/probe"
)

// Moment is one pair and what was known right after it.
type Moment struct {
	Number int        // of the pair, from 1
	Diff   probe.Mark // B − A of this pair, not OK where one failed
	Lo, Hi probe.Mark // of the interval of the median difference
	Failed Side
}

// Side says which of a pair failed.
type Side int

// The sides; Both is SideA and SideB.
const (
	Neither Side = iota
	SideA
	SideB
	Both
)

// mostMoments bounds the history; when it is full every second moment is
// dropped, and from then on only half as many are noted.
const mostMoments = 4096

// note adds a moment to the history.
func (c *Comparison) note(ta, tb float64) {
	if c.Pairs()%c.stride != 0 {
		return
	}
	band := c.diff.Interval(c.median)
	m := Moment{Number: c.Pairs(), Diff: mark(tb - ta), Lo: mark(band.Lo), Hi: mark(band.Hi)}
	if math.IsInf(ta, 1) {
		m.Failed |= SideA
	}
	if math.IsInf(tb, 1) {
		m.Failed |= SideB
	}
	if len(c.history) == mostMoments {
		kept := c.history[:0]
		for i, m := range c.history {
			if i%2 == 1 {
				kept = append(kept, m)
			}
		}
		c.history = kept
		c.stride *= 2
		if c.Pairs()%c.stride != 0 {
			return
		}
	}
	c.history = append(c.history, m)
}

// History is every pair in the order they ended, or an even selection of them.
func (c *Comparison) History() []Moment { return slices.Clone(c.history) }

// TTFTs are the TTFT of a side's successes in ascending order; 0 is A, 1 is B.
func (c *Comparison) TTFTs(side int) (all []time.Duration) {
	for _, ns := range c.sides[side].ttft.Values() {
		if m := mark(ns); m.OK {
			all = append(all, m.At)
		}
	}
	return all
}
