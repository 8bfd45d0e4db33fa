package sim

import "testing"

func TestPrefixCache(t *testing.T) {
	c := newPrefixCache(4)
	a, b := []uint64{1, 2, 3}, []uint64{1, 2, 9, 10}
	if n := c.match(a); n != 0 {
		t.Errorf("an empty cache has %d blocks of a", n)
	}
	c.use(a)
	if n := c.match(a); n != 3 {
		t.Errorf("%d blocks of a, want 3", n)
	}
	if n := c.match(b); n != 2 {
		t.Errorf("%d blocks of b, want the 2 it shares with a", n)
	}
	c.use(b) // five blocks in four places: 3, used least recently, goes
	if n := c.match(a); n != 2 {
		t.Errorf("%d blocks of a, want 2", n)
	}
	if n := c.match(b); n != 4 {
		t.Errorf("%d blocks of b, want 4", n)
	}
}

// A prefix that is evicted loses its tail first.
func TestPrefixCacheLosesTails(t *testing.T) {
	c := newPrefixCache(5)
	old := []uint64{1, 2, 3, 4}
	c.use(old)
	c.use([]uint64{11, 12, 13})
	if n := c.match(old); n != 2 {
		t.Errorf("%d blocks left, want the first 2", n)
	}
}

func TestPrefixCacheOff(t *testing.T) {
	c := newPrefixCache(0)
	c.use([]uint64{1, 2})
	if n := c.match([]uint64{1, 2}); n != 0 {
		t.Errorf("%d blocks in a cache of none", n)
	}
}

// A prompt longer than the cache keeps its head.
func TestPrefixCacheLongPrompt(t *testing.T) {
	c := newPrefixCache(2)
	long := []uint64{1, 2, 3, 4}
	c.use(long)
	if n := c.match(long); n != 2 {
		t.Errorf("%d blocks, want 2", n)
	}
}
