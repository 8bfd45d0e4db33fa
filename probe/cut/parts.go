package cut

import (
	"time"

	"ttftop/probe"
)

// part is a segment of S in the making.
type part struct {
	d, lo, hi time.Duration
	source    probe.Source
}

func measured(d time.Duration) part          { return part{d, d, d, probe.Measured} }
func fromReport(d time.Duration) part        { return part{d, d, d, probe.Reported} }
func estimated(d, lo, hi time.Duration) part { return part{d, lo, hi, probe.Estimated} }

// weaker is the weaker of two sources.
func weaker(a, b probe.Source) probe.Source {
	if strength(a) <= strength(b) {
		return a
	}
	return b
}

func strength(s probe.Source) int {
	switch s {
	case probe.Measured:
		return 2
	case probe.Reported:
		return 1
	}
	return 0
}

// parts are the four segments that S is cut into.
type parts struct{ handling, queue, prefill, decode part }

// segments makes the parts add up to s: the first decode and prefill take what
// there is, queue what they leave, and handling is the rest. Intervals hold
// their value and stay within s.
func (p parts) segments(s time.Duration) probe.Waterfall {
	left := s
	for _, x := range []*part{&p.decode, &p.prefill, &p.queue} {
		x.d = clamp(x.d, 0, left)
		left -= x.d
	}
	p.handling.d = left
	return probe.Waterfall{
		p.handling.segment(probe.Handling, s),
		p.queue.segment(probe.Queue, s),
		p.prefill.segment(probe.Prefill, s),
		p.decode.segment(probe.FirstDecode, s),
	}
}

// open widens the intervals where the server was never seen idle: what the
// baseline calls handling and prefill may be queue in part, and no bootstrap
// shows how much.
func (p *parts) open() {
	for _, x := range []*part{&p.handling, &p.prefill} {
		if x.source != probe.Estimated {
			continue
		}
		x.lo = 0
		if p.queue.source == probe.Estimated {
			p.queue.hi += x.d
		}
	}
}

func (p part) segment(name probe.SegmentName, s time.Duration) probe.Segment {
	g := probe.Segment{Name: name, Duration: p.d, Source: p.source}
	if p.source == probe.Estimated {
		g.Lo, g.Hi = clamp(p.lo, 0, p.d), clamp(p.hi, p.d, s)
	}
	return g
}
