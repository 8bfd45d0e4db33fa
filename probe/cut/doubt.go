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
	switch {
	case c.in.Doubt == Changed:
		p.unsettle(c.s)
	case c.in.Doubt == Slower && p.queue.source == probe.Estimated && p.queue.d > minor(c.s):
		p.lengthen(c.waited())
		c.flag(probe.FlagAtMost)
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

// lengthen opens the queue downwards, to what is reported of it: handling and
// prefill may be longer by the rest.
func (p *parts) lengthen(waited time.Duration) {
	for _, x := range []*part{&p.handling, &p.prefill} {
		if x.source == probe.Estimated {
			x.hi += max(0, p.queue.d-waited)
		}
	}
	p.queue.lo = min(p.queue.lo, waited)
}
