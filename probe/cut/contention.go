package cut

import (
	"time"

	"ttftop/probe"
)

// varies is how far prefill varies, as a share, without that other requests have
// to do with it.
const varies = 0.03

// contention is what a busy batch adds to prefill: what lies above the idle
// prefill of the same prompt, once that is more than ordinary. It returns the prefill to be shown and the excess; it is not known
// without a baseline.
func (c *cutter) contention(p parts) (shown part, excess time.Duration, known bool) {
	q, known := c.quiet(p)
	if !known {
		return p.prefill, 0, false
	}
	excess = min(p.prefill.d-q.prefill.d, q.most)
	if excess <= c.ordinary(q.prefill) {
		return p.prefill, 0, true
	}
	c.out.AtLeast = c.out.AtLeast || !q.seen
	d := p.prefill.d - excess
	return estimated(d, d-(q.prefill.d-q.prefill.lo), min(p.prefill.hi, d+(q.prefill.hi-q.prefill.d))), excess, true
}

// ordinary is how far prefill may lie above the idle one before that is
// contention: what can be chance, or is of no weight. Where the probe was alone
// the figures stand unless it is certainly more. Amid other requests of ours,
// which are there to cause contention, a quarter of the weight will do, and chance
// is no more than prefill varies by, however little the baseline knows.
func (c *cutter) ordinary(idle part) time.Duration {
	chance, weight := idle.hi-idle.d, slack(c.s)
	if !c.in.Alone {
		chance, weight = min(chance, time.Duration(varies*float64(idle.d))), weight/4
	}
	return max(chance, weight)
}

// quiet is the prefill of a prompt on an idle server.
type quiet struct {
	prefill part
	most    time.Duration // what lies above it is contention up to here
	seen    bool          // the server was seen idle
}

// quiet is what is known of this prompt on an idle server. What a server reports
// of its prefill is compared only with what it reports itself: the baseline
// can't tell a fixed part of prefill from handling. Where prefill was seen
// behind the headers, it is compared with what the baseline has behind them, and
// contention is no more than what the probe as a whole, less
// the queue that is reported, lies above the baseline.
func (c *cutter) quiet(p parts) (quiet, bool) {
	own := c.in.OwnPrefill
	switch {
	case p.prefill.source != probe.Reported && c.idle != nil:
		return quiet{prefill: c.behind(), most: c.s - p.decode.d - c.waited() - c.idle.whole.d, seen: c.idle.seen}, true
	case p.prefill.source == probe.Reported && own != nil:
		return quiet{prefill: estimated(own.Usual, own.Lo, own.Hi), most: p.prefill.d, seen: own.Idle}, true
	}
	return quiet{}, false
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
	c.out.Contention = probe.At(excess)
	if excess == 0 {
		return
	}
	q := p.queue
	if q.source != probe.Estimated {
		q.lo, q.hi = q.d, q.d
	}
	whole := p.prefill.d
	p.queue = estimated(q.d+excess, q.lo+max(0, whole-shown.hi), q.hi+whole-shown.lo)
	p.prefill = shown
}
