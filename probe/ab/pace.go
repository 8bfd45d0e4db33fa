package ab

import (
	"fmt"
	"time"

	"ttftop/probe"
)

// pace is how fast pairs were sent.
type pace struct {
	first, last time.Time
	n           int
}

func (p *pace) note(at time.Time) {
	if p.n == 0 {
		p.first = at
	}
	p.last = at
	p.n++
}

const (
	enoughPace = 5   // pairs before anything is said
	slow       = 0.8 // share of the rate asked for below which it is
)

// Slow says that pairs are sent more slowly than at the rate asked for, in pairs a
// second, "" where they are not: back to back, one waits for the other.
func (c *Comparison) Slow(rate float64, order probe.Order) string {
	took := c.pace.last.Sub(c.pace.first).Seconds()
	if order != probe.BackToBack || c.pace.n < enoughPace || took <= 0 {
		return ""
	}
	achieved := float64(c.pace.n-1) / took
	if achieved >= slow*rate {
		return ""
	}
	return fmt.Sprintf("%.2g pairs a second were sent where %.3g are asked for: back to back, a pair takes as long as both of its probes", achieved, rate)
}
