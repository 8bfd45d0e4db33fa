package tally

import (
	"slices"

	"ttftop/probe"
)

const (
	maxRecent   = 1000 // whole results kept in a session
	maxArrivals = 256  // token arrivals kept of each
)

// log is a list that only grows at its end and forgets its beginning. What it
// has given out never changes, so that a frame may hold it.
type log[T any] struct{ list []T }

// add appends, and forgets the older half once more than most are kept.
func (l *log[T]) add(v T, most int) {
	if len(l.list) >= most {
		l.list = slices.Clone(l.list[len(l.list)-most/2:])
	}
	l.list = append(l.list, v)
}

// all is what is kept, oldest first.
func (l *log[T]) all() []T { return slices.Clip(l.list) }

// keep remembers a whole result, with a bounded number of its arrivals.
func (t *Tally) keep(r *probe.Result) {
	if len(r.Timeline.Tokens) > maxArrivals {
		short := *r
		short.Timeline.Tokens = slices.Clone(r.Timeline.Tokens[:maxArrivals])
		r = &short
	}
	t.recent.add(r, 2*maxRecent)
}

// Recent are the newest results of every kind and target, oldest first; 1,000
// at most. Nobody changes them, nor the list. Of a long answer the first 256
// arrivals are kept.
func (t *Tally) Recent() []*probe.Result {
	all := t.recent.all()
	return all[max(0, len(all)-maxRecent):]
}
