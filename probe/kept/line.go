package kept

import "ttftop/probe"

// line gives out results in the order in which their probes were sent. The zero
// value is empty.
type line struct {
	waiting []place
	closed  bool // nothing more comes
}

// place is a probe that was sent.
type place struct {
	seq    int
	result *probe.Result // nil while it is in flight
}

// begin adds a probe. Those of one target begin in the order of their numbers.
func (l *line) begin(seq int) *place {
	for i := range l.waiting {
		if l.waiting[i].seq == seq { // its request was sent again
			return &l.waiting[i]
		}
	}
	l.waiting = append(l.waiting, place{seq: seq})
	return &l.waiting[len(l.waiting)-1]
}

// end takes a result, which it copies. One that was never sent is in line behind
// those that were.
func (l *line) end(r *probe.Result) {
	if l.closed {
		return
	}
	kept := *r
	l.begin(r.Seq).result = &kept
}

// next takes out the first in line, false while that is in flight.
func (l *line) next() (*probe.Result, bool) {
	if l.closed || len(l.waiting) == 0 || l.waiting[0].result == nil {
		return nil, false
	}
	r := l.waiting[0].result
	l.waiting = l.waiting[1:]
	return r, true
}

// close lets go of the rest.
func (l *line) close() { l.waiting, l.closed = nil, true }
