package cut

import (
	"time"

	"ttftop/probe"
)

// fromBaseline cuts where prefill has to be estimated.
func (c *cutter) fromBaseline() (parts, bool) {
	if c.idle == nil || !c.step.OK {
		return parts{}, false
	}
	var p parts
	f := c.in.Figures
	p.decode = c.decode(c.s)
	room := c.s - p.decode.d
	queue := min(c.waited(), room)
	p.handling, p.prefill = c.within(room - queue)
	rest := room - queue - p.handling.d - p.prefill.d
	switch {
	case f.Queue.OK && !f.QueueHasHandling && rest <= minor(c.s):
		p.queue = fromReport(queue) // the rest falls to handling
		c.out.Basis.Queue = probe.QueueTold
	default:
		b, late := c.idle.whole, time.Duration(0)
		if c.measuresHandling() { // what of S was handling is known better than from the baseline
			late = c.headers.At - c.before().d
		}
		p.queue = estimated(queue+rest, max(queue, c.s-late-p.decode.hi-b.hi), c.s-late-p.decode.lo-b.lo)
		c.lean()
	}
	return p, true
}

// within is handling and prefill as the baseline has them, made to fit where
// the request was quicker than it: what was measured or reported stands, and
// what is estimated gives way.
func (c *cutter) within(room time.Duration) (handling, prefill part) {
	handling, prefill = c.handling(), c.idle.prefill
	switch {
	case c.measuresHandling():
		prefill = c.behind()
		prefill.lo = min(prefill.lo, c.idle.prefill.lo) // the rest of the fixed cost may be other work that no prompt saves
	case handling.source == probe.Estimated && !c.idle.told:
		prefill.hi += handling.d - handling.lo
	}
	over := handling.d + prefill.d - room
	switch {
	case over <= 0:
	case handling.source != probe.Estimated:
		handling.d = min(handling.d, room)
		prefill.d = room - handling.d
	default:
		share := float64(room) / float64(handling.d+prefill.d)
		prefill.d = clamp(time.Duration(share*float64(prefill.d)), 0, room)
		handling.d = room - prefill.d
	}
	return handling, prefill
}

// handling is what the headers measure, or what was seen of it otherwise unless
// the fixed cost of the baseline is clearly larger: then more of it comes after
// what was seen. The fixed cost may hold a fixed part of prefill, where the
// server has not told that apart, or a first decode that is slower than the
// others: only what was seen is sure to be handling.
func (c *cutter) handling() part {
	fixed := c.idle.fixed
	seen, ok := c.leastHandling()
	if ok && (c.measuresHandling() || fixed.lo <= seen.d+minor(c.s)) {
		return seen
	}
	switch {
	case c.idle.told:
	case ok:
		fixed.lo = seen.d
	default:
		fixed.lo = 0
	}
	return fixed
}
