package ab

import "ttftop/probe"

// queue gives out pairs in the order they were sent, by their numbers. A pair waits
// until all before it have ended. Where a half was never sent, that is known once
// the next pair but one has begun. The zero value is empty.
type queue struct {
	open   map[int]*opened
	turn   int  // the number whose turn it is
	given  bool // one was given out: what has an earlier number is too late
	newest int  // that has begun
	cut    [2]int
	cutOff int // pairs that were given up: one was cancelled, or a later one that was under way then
}

// opened is a pair that was not given out yet.
type opened struct {
	begun [2]bool
	ended [2]*probe.Result
}

// skipped reports whether a half of it was not sent since too many probes were in
// flight.
func (p *opened) skipped() bool { return skipped(p.ended[0]) || skipped(p.ended[1]) }

// underWay reports whether a half was sent and has not ended.
func (p *opened) underWay() bool {
	return p.begun[0] && p.ended[0] == nil || p.begun[1] && p.ended[1] == nil
}

// whole reports whether nothing more comes of the pair.
func (p *opened) whole() bool {
	return !p.underWay() && (p.begun[0] && p.begun[1] || p.skipped())
}

func (q *queue) begin(pair, side int) *opened {
	switch {
	case q.turn == 0 || !q.given && pair < q.turn:
		q.turn = pair
	case pair < q.turn:
		return nil
	}
	if q.open == nil {
		q.open = map[int]*opened{}
	}
	p := q.open[pair]
	if p == nil {
		p = &opened{}
		q.open[pair] = p
	}
	p.begun[side] = true
	q.newest = max(q.newest, pair)
	return p
}

// end takes a result, which it copies.
func (q *queue) end(r *probe.Result) {
	p := q.begin(r.Pair, r.Side)
	if p == nil {
		return
	}
	kept := *r
	p.ended[r.Side] = &kept
	if canceled(r) { // of those that are under way with it, the quick ones alone would end
		if q.cut[1] < q.turn || r.Pair < q.cut[0] {
			q.cut[0] = r.Pair
		}
		q.cut[1] = q.newest
	}
}

// next takes out the pair whose turn it is, false where that has not ended. One of
// which nothing came is passed over, and so are those that a cancelled one cuts off.
func (q *queue) next() (*opened, bool) {
	for q.turn > 0 && q.turn <= q.newest {
		p := q.open[q.turn]
		past := q.newest >= q.turn+2
		switch {
		case p == nil && !past:
			return nil, false
		case p != nil && (p.underWay() || !p.whole() && !past):
			return nil, false
		}
		cut := q.cut[0] <= q.turn && q.turn <= q.cut[1]
		delete(q.open, q.turn)
		q.turn++
		q.given = true
		if p != nil && cut {
			if !p.skipped() {
				q.cutOff++
			}
		} else if p != nil && p.whole() {
			return p, true
		}
	}
	return nil, false
}
