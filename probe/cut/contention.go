package cut

import (
	"time"

	"ttftop/probe"
)

// ordinary is how far prefill varies, as a share, without that other requests
// have to do with it.
const ordinary = 0.03

// contention is what a busy batch adds to prefill: what lies above the idle
// prefill of the same prompt, once that can't be chance or a baseline hardly
// known. The fixed cost of the baseline may hold some of prefill, so it is no
// more than what the probe as a whole, less the queue that is reported, lies
// above the baseline. It returns the prefill to be shown and the excess.
func (c *cutter) contention(p parts) (shown part, excess time.Duration) {
	if c.idle == nil {
		return p.prefill, 0
	}
	rest := c.s - p.decode.d - c.waited()
	idle := c.idle.prefill
	chance := min(idle.hi-idle.d, max(minor(c.s), time.Duration(ordinary*float64(idle.d))))
	if p.prefill.d <= idle.d+chance || rest <= c.idle.whole.d+chance {
		return p.prefill, 0
	}
	excess = min(p.prefill.d-idle.d, rest-c.idle.whole.d)
	d := p.prefill.d - excess
	return estimated(d, d-(idle.d-idle.lo), min(p.prefill.d, d+(idle.hi-idle.d))), excess
}

// waited is the queue that the server reports apart.
func (c *cutter) waited() time.Duration {
	if f := c.in.Figures; f.Queue.OK && !f.QueueHasHandling {
		return f.Queue.At
	}
	return 0
}

// slowed moves the excess of prefill to the queue.
func (c *cutter) slowed(p *parts, shown part, excess time.Duration) {
	if c.idle == nil {
		return
	}
	c.out.Contention = probe.At(excess)
	if excess == 0 {
		return
	}
	c.lean()
	q := p.queue
	if q.source != probe.Estimated {
		q.lo, q.hi = q.d, q.d
	}
	whole := p.prefill.d
	p.queue = estimated(q.d+excess, q.lo+max(0, whole-shown.hi), q.hi+whole-shown.lo)
	p.prefill = shown
}
