package cut

import (
	"time"

	"ttftop/probe"
)

// Doubt is why a baseline may not be that of the server as it is now. Both
// doubts end when the prober knows better: the baseline starts anew, or stands.
type Doubt int

// The doubts.
const (
	NoDoubt Doubt = iota
	Slower        // probes lie steadily above the baseline: they wait, or the server has become slower
	Changed       // the decode steps are those of another server: what is estimated may be anything
)

// doubt opens the intervals of what rests on a baseline in doubt.
func (c *cutter) doubt(p *parts) {
	falls := c.in.Baseline != nil && c.in.Baseline.Falls()
	switch {
	case c.in.Doubt == Changed:
		p.unsettle(c.s)
	case p.queue.source != probe.Estimated || p.queue.d <= minor(c.s):
	case c.in.Doubt == Slower || falls:
		p.lengthen(p.queue.d - c.waited())
		c.flag(probe.FlagAtMost)
		c.out.AtLeast = c.out.AtLeast && !falls
	case c.in.Above > 0:
		rest := p.queue.d - c.waited()
		if p.queue.lo > c.waited() && c.in.Above >= rest {
			c.flag(probe.FlagAtMost)
		}
		p.lengthen(min(c.in.Above, rest))
	}
}

// unsettle opens the intervals of all that is estimated with the baseline.
func (p *parts) unsettle(s time.Duration) {
	for _, x := range []*part{&p.handling, &p.queue, &p.prefill} {
		if x.source == probe.Estimated {
			x.lo, x.hi = 0, s
		}
	}
}

// lengthen opens the queue downwards by what handling or prefill may be longer.
func (p *parts) lengthen(by time.Duration) {
	by = max(0, by)
	for _, x := range []*part{&p.handling, &p.prefill} {
		if x.source == probe.Estimated {
			x.hi += by
		}
	}
	p.queue.lo = min(p.queue.lo, p.queue.d-by)
}
