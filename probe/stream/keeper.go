package stream

import (
	"cmp"
	"encoding/json"
	"slices"
)

const (
	keptEvents = 8        // payloads with something beyond a plain delta
	keptSize   = 64 << 10 // bytes of one payload
)

// keeper keeps the payloads that adapters for server timings read. Its memory is
// bounded whatever a stream holds.
type keeper struct {
	seq      int
	first    kept
	token    kept
	progress kept
	ring     [keptEvents]kept
	next     int
}

// kept is one payload and its place in the stream, which is 0 where there is none.
type kept struct {
	seq int
	raw []byte
}

// keep copies a payload if it is of interest; token is true for the first token
// event.
func (k *keeper) keep(raw []byte, token bool, c *chunk) {
	k.seq++
	if len(raw) > keptSize {
		return
	}
	if k.seq == 1 {
		k.first.set(k.seq, raw)
	}
	if token {
		k.token.set(k.seq, raw)
	}
	switch {
	case c.Progress != nil:
		k.progress.set(k.seq, raw)
	case c.extra():
		k.ring[k.next].set(k.seq, raw)
		k.next = (k.next + 1) % keptEvents
	}
}

func (e *kept) set(seq int, raw []byte) {
	e.seq, e.raw = seq, append(e.raw[:0], raw...)
}

// all returns copies of what was kept, each once, in the order of the stream.
func (k *keeper) all() []json.RawMessage {
	list := append([]kept{k.first, k.token, k.progress}, k.ring[:]...)
	list = slices.DeleteFunc(list, func(e kept) bool { return e.seq == 0 })
	slices.SortFunc(list, func(a, b kept) int { return cmp.Compare(a.seq, b.seq) })
	list = slices.CompactFunc(list, func(a, b kept) bool { return a.seq == b.seq })
	var raws []json.RawMessage
	for _, e := range list {
		raws = append(raws, slices.Clone(e.raw))
	}
	return raws
}
