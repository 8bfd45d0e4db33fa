package cut

import (
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/reported"
)

// cutter cuts the server time of one probe.
type cutter struct {
	in  Input
	out Output
	s   time.Duration

	step    probe.Mark
	headers probe.Mark  // headers − wire − round trip, where rule says what it means
	rule    HeadersRule // OnAcceptance or OnSlot, else unknown
	idle    *idle       // nil where the baseline says nothing of this prompt
}

// idle is what the baseline says of this prompt on an unloaded server.
type idle struct {
	whole, fixed, prefill part
	seen                  bool // the server was seen idle
	told                  bool // prefill is as the server itself has reported it
}

// perToken is what handling may grow by with each token of a prompt, for
// parsing and tokenizing it. The baseline can't tell that from prefill.
const perToken = 3 * time.Microsecond

func idleOf(b baseline.Curve, n int) *idle {
	i := idle{whole: estimated(b.At(n)), fixed: estimated(b.Fixed()), prefill: estimated(b.Prefill(n)), seen: b.Idle()}
	grown := min(i.prefill.d, time.Duration(max(0, n))*perToken)
	i.fixed.hi += grown
	i.prefill.lo -= grown
	return &i
}

// cut cuts S, and is not ok where it has to stay whole.
func (c *cutter) cut() (probe.Waterfall, bool) {
	if c.whole() {
		return nil, false
	}
	p, ok := c.known()
	if !ok {
		p, ok = c.fromBaseline()
	}
	if !ok {
		return nil, false
	}
	if c.out.AtLeast {
		p.open()
	}
	c.doubt(&p)
	return p.segments(c.s), true
}

// known cuts where the length of prefill is known: reported, or seen between
// headers and first token.
func (c *cutter) known() (parts, bool) {
	p, ok := c.prefillAndDecode()
	if !ok {
		return p, false
	}
	if p.prefill.source == probe.Reported {
		c.out.OwnPrefill = probe.At(p.prefill.d)
	}
	before := max(0, c.s-p.prefill.d-p.decode.d) // handling and queue
	f := c.in.Figures
	shown, excess, seen := c.contention(p)
	switch {
	case f.Queue.OK && !f.QueueHasHandling:
		p.queue = fromReport(min(c.waited(), before))
		c.out.Basis.Queue = probe.QueueTold
		p.handling = c.handlingBeside(before-p.queue.d, p.decode)
	case c.idle != nil:
		p.handling, p.queue = c.split(before, shown)
	case c.rule == OnAcceptance:
		p.handling = measured(min(c.headers.At, before))
		p.queue = c.left(before-p.handling.d, probe.Measured, p.prefill)
	default:
		return p, false
	}
	if seen {
		c.slowed(&p, shown, excess)
	}
	return p, true
}

// prefillAndDecode are the two passes over the prompt, where the server tells.
func (c *cutter) prefillAndDecode() (parts, bool) {
	f := c.in.Figures
	switch {
	case f.Prefill.OK && c.beside():
		prefill := min(f.Prefill.At, c.s)
		c.out.Basis.Prefill = probe.PrefillWhole
		return parts{prefill: fromReport(prefill), decode: c.decode(c.s - prefill)}, true
	case f.Prefill.OK:
		whole := min(f.Prefill.At, c.s)
		decode := c.decode(whole)
		c.out.Basis.Prefill = probe.PrefillLess
		if f.FirstDecodeInPrefill == reported.Unknown {
			c.out.Basis.Prefill = probe.PrefillPresumed
		}
		return parts{prefill: fromReport(whole - decode.d), decode: decode}, true
	case c.rule == OnSlot && c.step.OK:
		after := c.s - c.headers.At
		decode := c.decode(after)
		c.out.Basis.Prefill = probe.PrefillBetween
		return parts{prefill: c.prefillBehind(after, decode), decode: decode}, true
	}
	return parts{}, false
}

// prefillBehind is prefill where headers and first token bound it: as well known
// as the first decode that is taken out, and as either of the two came over the
// path, which the spread of whole requests shows.
func (c *cutter) prefillBehind(after time.Duration, decode part) part {
	path := time.Duration(0)
	if c.idle != nil {
		path = c.idle.whole.hi - c.idle.whole.d
	}
	off := func(step time.Duration) time.Duration { return time.Duration(math.Hypot(float64(step), float64(path))) }
	d := after - decode.d
	return estimated(d, d-off(decode.hi-decode.d), d+off(decode.d-decode.lo))
}

// decode is the first decode step, at most as long as what holds it; anything
// up to that where no step is known.
func (c *cutter) decode(most time.Duration) part {
	if !c.step.OK {
		return estimated(0, 0, most)
	}
	lo, hi := stepRange(c.in.Timeline, c.step.At)
	return estimated(min(c.step.At, most), lo, hi)
}

// handlingBeside is handling where queue and prefill are reported: all that
// they leave of S. The headers have measured it where they agree, or the server
// reports it too; else nobody says what the rest was, and it is as well known
// as the first decode beside it, and as the path is steady.
func (c *cutter) handlingBeside(rest time.Duration, decode part) part {
	agrees := func(with time.Duration) bool { return max(rest-with, with-rest) <= slack(c.s) }
	f := c.in.Figures
	c.out.Rest = probe.At(rest)
	least := min(rest, max(at(f.Handling), c.in.Rest.least()))
	switch {
	case c.rule == OnAcceptance && agrees(c.headers.At):
		return measured(rest)
	case f.Handling.OK && agrees(f.Handling.At):
		return fromReport(rest)
	case c.beside():
		return estimated(rest, least-(decode.hi-decode.d), rest+decode.d-decode.lo)
	case f.FirstDecodeInPrefill == reported.Yes:
		return estimated(rest, least, rest)
	}
	return estimated(rest, least-decode.hi, rest) // the first decode may be beside the figure after all
}

// split parts what came before prefill into handling and queue: the baseline
// says how long it takes on an idle server. Headers and reports bound it.
func (c *cutter) split(before time.Duration, prefill part) (handling, queue part) {
	w := c.idle.whole
	handling = estimated(w.d-prefill.d, w.lo-prefill.d, w.hi-prefill.d)
	most := before - handling.lo // a part of prefill may be contention that chance hides
	switch {
	case c.rule != OnSlot || c.in.Figures.Prefill.OK:
	case c.in.BeforeHeaders != nil:
		handling = c.before()
	default: // prefill was seen, but its fixed part may be any part of the fixed cost
		handling.hi = w.hi - c.behind().lo
	}
	if least, ok := c.leastHandling(); ok && least.d >= handling.d {
		handling = least
	}
	handling.d = clamp(handling.d, 0, before)
	if longest, ok := c.mostQueue(); ok {
		handling.d = max(handling.d, before-longest)
	}
	queue = estimated(before-handling.d, before-handling.hi, max(most, before-handling.lo))
	if handling.source != probe.Estimated {
		queue = c.left(queue.d, handling.source, prefill)
	}
	c.lean()
	return handling, queue
}

// left is the queue that is left between a handling that is known and prefill.
func (c *cutter) left(d time.Duration, handling probe.Source, prefill part) part {
	source := weaker(handling, prefill.source)
	if source == probe.Estimated {
		return estimated(d, d-(prefill.hi-prefill.d), d+prefill.d-prefill.lo)
	}
	c.out.Basis.Queue = probe.QueueLeft
	return part{d: d, source: source}
}

// leastHandling is the handling that was seen, which may not be all of it.
func (c *cutter) leastHandling() (part, bool) {
	f := c.in.Figures
	if c.rule == OnAcceptance && c.headers.At >= at(f.Handling) {
		return measured(c.headers.At), true
	}
	return fromReport(at(f.Handling)), f.Handling.OK
}

// mostQueue is a figure that holds the queue and more.
func (c *cutter) mostQueue() (time.Duration, bool) {
	switch f := c.in.Figures; {
	case f.Queue.OK && f.QueueHasHandling:
		return f.Queue.At, true
	case c.rule == OnSlot:
		return c.headers.At, true
	}
	return 0, false
}

// lean notes that the queue rests on the baseline.
func (c *cutter) lean() { c.out.AtLeast = c.out.AtLeast || !c.idle.seen }
