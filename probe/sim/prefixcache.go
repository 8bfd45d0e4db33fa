package sim

import "container/list"

// prefixCache remembers which blocks of prompts have their keys and values
// kept, the least recently used go first. It holds hashes only. One goroutine
// uses it.
type prefixCache struct {
	capacity int
	blocks   map[uint64]*list.Element
	recent   *list.List // of uint64, the most recently used in front
}

// newPrefixCache makes a cache of so many blocks; none means no cache.
func newPrefixCache(capacity int) *prefixCache {
	return &prefixCache{capacity: capacity, blocks: make(map[uint64]*list.Element), recent: list.New()}
}

// match is the number of leading blocks that are kept, and uses them.
func (c *prefixCache) match(blocks []uint64) int {
	n := 0
	for n < len(blocks) && c.blocks[blocks[n]] != nil {
		n++
	}
	c.use(blocks[:n])
	return n
}

// use keeps the blocks of a prefix. The first block counts as used last, so
// that a prefix loses its tail before its head: a tail alone is of no use.
func (c *prefixCache) use(blocks []uint64) {
	for i := len(blocks) - 1; i >= 0; i-- {
		if e := c.blocks[blocks[i]]; e != nil {
			c.recent.MoveToFront(e)
			continue
		}
		c.blocks[blocks[i]] = c.recent.PushFront(blocks[i])
	}
	for c.recent.Len() > c.capacity {
		last := c.recent.Back()
		delete(c.blocks, c.recent.Remove(last).(uint64))
	}
}
