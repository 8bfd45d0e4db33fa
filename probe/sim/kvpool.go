package sim

import "container/list"

// kvPool hands out the memory for keys and values in blocks, and remembers the
// blocks of prompts that nobody uses any more for as long as there is room: the
// prefix cache. It holds hashes only. One goroutine uses it.
type kvPool struct {
	blockTokens int
	total       int // blocks
	capacity    int // unused blocks of prompts that are remembered, at most; 0 for no prefix cache

	used   int                 // blocks that requests hold, shared ones counted once
	blocks map[uint64]*kvBlock // full blocks of prompts, by hash
	idle   *list.List          // of *kvBlock that nobody holds, the latest used in front
}

// kvBlock is a block whose tokens are known.
type kvBlock struct {
	hash  uint64
	holds int           // requests that hold it
	place *list.Element // in idle, while nobody does
}

// holding is what a request has of the pool.
type holding struct {
	known []*kvBlock // full blocks of its prompt, from the first on, that others may share
	loose int        // other blocks
}

func (h *holding) count() int { return len(h.known) + h.loose }

func newKVPool(blockTokens int) *kvPool {
	return &kvPool{blockTokens: blockTokens, total: noLimit, blocks: make(map[uint64]*kvBlock), idle: list.New()}
}

// resize sets the number of blocks, and of those that the prefix cache may
// keep. Requests keep what they hold, even where that is too much now.
func (p *kvPool) resize(total, capacity int) {
	p.total, p.capacity = total, capacity
	p.trim()
}

// trim forgets unused blocks that there is no room for, the least recently used
// first.
func (p *kvPool) trim() {
	for room := max(0, min(p.capacity, p.total-p.used)); p.idle.Len() > room; {
		b := p.idle.Remove(p.idle.Back()).(*kvBlock)
		delete(p.blocks, b.hash)
	}
}

// match is the number of leading blocks that are in memory, and how many of
// these nobody holds.
func (p *kvPool) match(hashes []uint64) (n, unused int) {
	if p.capacity == 0 {
		return 0, 0
	}
	for ; n < len(hashes); n++ {
		b := p.blocks[hashes[n]]
		if b == nil {
			break
		}
		if b.holds == 0 {
			unused++
		}
	}
	return n, unused
}

// needs is how many more blocks a request needs for so many tokens.
func (p *kvPool) needs(h *holding, tokens int) int {
	return max(0, (tokens+p.blockTokens-1)/p.blockTokens-h.count())
}

// admit gives a request, which holds nothing, the blocks for so many tokens: of
// those whose hashes are given as many as are in memory, and new ones. It
// returns the number of the former; false, and nothing, where there is no room.
// One that has the memory to itself gets all that it asks for: where that is
// more than there is, there was more when it came.
func (p *kvPool) admit(h *holding, hashes []uint64, tokens int) (int, bool) {
	n, unused := p.match(hashes)
	more := p.needs(h, tokens) - n
	if p.used > 0 && p.used+unused+more > p.total {
		return 0, false
	}
	for _, hash := range hashes[:n] {
		h.known = append(h.known, p.hold(p.blocks[hash]))
	}
	p.take(h, more)
	return n, true
}

// hold adds one holder to a block.
func (p *kvPool) hold(b *kvBlock) *kvBlock {
	if b.holds == 0 {
		p.used++
		p.idle.Remove(b.place)
		b.place = nil
	}
	b.holds++
	return b
}

// take gives a request n new blocks.
func (p *kvPool) take(h *holding, n int) {
	h.loose += n
	p.used += n
	p.trim()
}

// grow sees to it that a request has blocks for so many tokens. It returns
// false, and gives nothing, where there is no room; one that has the memory to
// itself gets them.
func (p *kvPool) grow(h *holding, tokens int) bool {
	n := p.needs(h, tokens)
	if n > 0 && p.used > h.count() && p.used+n > p.total {
		return false
	}
	p.take(h, n)
	return true
}

// publish makes the blocks of a prompt that are computed by now known to
// others. Where another request has computed the same block, that one is held
// in place of the own.
func (p *kvPool) publish(h *holding, hashes []uint64) {
	if p.capacity == 0 {
		return
	}
	for _, hash := range hashes[min(len(h.known), len(hashes)):] {
		h.loose--
		p.used--
		b := p.blocks[hash]
		if b == nil {
			b = &kvBlock{hash: hash}
			b.place = p.idle.PushFront(b)
			p.blocks[hash] = b
		}
		h.known = append(h.known, p.hold(b))
	}
}

// release takes back all that a request holds. The first block counts as used
// last, so that a prefix loses its tail before its head: a tail alone is of no
// use.
func (p *kvPool) release(h *holding) {
	p.used -= h.loose
	for i := len(h.known) - 1; i >= 0; i-- {
		b := h.known[i]
		if b.holds--; b.holds == 0 {
			p.used--
			b.place = p.idle.PushFront(b)
		}
	}
	*h = holding{}
	p.trim()
}
