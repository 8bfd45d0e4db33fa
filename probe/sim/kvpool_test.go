package sim

import (
	"math/rand/v2"
	"testing"
)

// keep has the blocks of a prompt computed and left behind.
func keep(t *testing.T, p *kvPool, hashes ...uint64) {
	t.Helper()
	var h holding
	n, ok := p.admit(&h, hashes, len(hashes)*p.blockTokens)
	if !ok {
		t.Fatalf("no room for %v", hashes)
	}
	p.publish(&h, hashes)
	if len(h.known) != len(hashes) || n > len(hashes) {
		t.Errorf("%d of %d are known", len(h.known), len(hashes))
	}
	p.release(&h)
}

func pool(total, capacity int) *kvPool {
	p := newKVPool(10)
	p.resize(total, capacity)
	return p
}

func matched(p *kvPool, hashes ...uint64) int {
	n, _ := p.match(hashes)
	return n
}

func TestPrefixCache(t *testing.T) {
	p := pool(noLimit, 4)
	if n := matched(p, 1, 2, 3); n != 0 {
		t.Errorf("an empty cache has %d blocks of a", n)
	}
	keep(t, p, 1, 2, 3)
	if n := matched(p, 1, 2, 3); n != 3 {
		t.Errorf("%d blocks of a, want 3", n)
	}
	if n := matched(p, 1, 2, 9, 10); n != 2 {
		t.Errorf("%d blocks of b, want the 2 it shares with a", n)
	}
	keep(t, p, 1, 2, 9, 10) // five blocks in four places: 3, used least recently, goes
	if a, b := matched(p, 1, 2, 3), matched(p, 1, 2, 9, 10); a != 2 || b != 4 {
		t.Errorf("%d blocks of a and %d of b, want 2 and 4", a, b)
	}
}

// A prefix that is evicted loses its tail first, and a prompt longer than the
// cache keeps its head.
func TestPrefixCacheLosesTails(t *testing.T) {
	p := pool(noLimit, 5)
	keep(t, p, 1, 2, 3, 4)
	keep(t, p, 11, 12, 13)
	if n := matched(p, 1, 2, 3, 4); n != 2 {
		t.Errorf("%d blocks left, want the first 2", n)
	}
	keep(t, p, 21, 22, 23, 24, 25, 26, 27)
	if n := matched(p, 21, 22, 23, 24, 25, 26, 27); n != 5 {
		t.Errorf("%d blocks, want the first 5", n)
	}
}

func TestPrefixCacheOff(t *testing.T) {
	p := pool(noLimit, 0)
	var h holding
	p.admit(&h, []uint64{1, 2}, 20)
	p.publish(&h, []uint64{1, 2})
	p.release(&h)
	if n := matched(p, 1, 2); n != 0 || p.used != 0 {
		t.Errorf("%d blocks in a cache of none, %d used", n, p.used)
	}
}

// Memory that requests hold is not the cache's, and the cache gives way.
func TestMemoryComesBeforeTheCache(t *testing.T) {
	p := pool(6, 100)
	keep(t, p, 1, 2, 3, 4)
	var h holding
	if _, ok := p.admit(&h, nil, 40); !ok {
		t.Fatal("six blocks have no room for four")
	}
	if n := matched(p, 1, 2, 3, 4); n != 2 {
		t.Errorf("%d blocks are cached in the 2 that are left", n)
	}
	var other holding
	if _, ok := p.admit(&other, nil, 10); !ok || matched(p, 1) != 1 {
		t.Error("the fifth block is not to be had")
	}
	if p.grow(&h, 51) {
		t.Error("seven blocks in six")
	}
	if !p.grow(&h, 50) || matched(p, 1) != 0 {
		t.Error("the sixth block is not to be had")
	}
	p.release(&other)
	p.release(&h)
	if p.used != 0 {
		t.Errorf("%d blocks are used by nobody", p.used)
	}
}

// Two that share a prefix hold it once; a block that both computed becomes one.
func TestBlocksAreShared(t *testing.T) {
	p := pool(10, 10)
	var a, b holding
	p.admit(&a, nil, 30)
	p.admit(&b, nil, 30)
	p.publish(&a, []uint64{1, 2})
	p.publish(&b, []uint64{1, 2})
	if p.used != 4 {
		t.Errorf("%d blocks used, want 2 shared and 1 each", p.used)
	}
	p.release(&a)
	if p.used != 3 || matched(p, 1, 2) != 2 {
		t.Errorf("%d blocks used, want 3; %d known", p.used, matched(p, 1, 2))
	}
	p.release(&b)
}

// Whatever is asked of it, the pool's books are right.
func FuzzPool(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := pool(1+rng.IntN(30), rng.IntN(30))
		held := make([]holding, 6)
		for range 200 {
			h := &held[rng.IntN(len(held))]
			hashes := []uint64{1, 2, uint64(rng.IntN(4)) + 3, uint64(rng.IntN(4)) + 7}
			switch rng.IntN(5) {
			case 0:
				if h.count() == 0 {
					p.admit(h, hashes, 10*(len(hashes)+rng.IntN(5)))
				}
			case 1:
				if h.loose+len(h.known) >= len(hashes) && len(h.known) == 0 {
					p.publish(h, hashes)
				}
			case 2:
				p.grow(h, 10*rng.IntN(12))
			case 3:
				p.release(h)
			case 4:
				if rng.IntN(10) == 0 {
					p.resize(1+rng.IntN(30), rng.IntN(30))
				}
			}
			checkBooks(t, p, held)
		}
	})
}

// checkBooks counts all blocks anew.
func checkBooks(t *testing.T, p *kvPool, held []holding) {
	t.Helper()
	used, holds := 0, map[*kvBlock]int{}
	for _, h := range held {
		used += h.loose
		for _, b := range h.known {
			holds[b]++
		}
	}
	used += len(holds)
	for b, n := range holds {
		if b.holds != n || b.place != nil {
			t.Fatalf("block %d has %d holders, %d are noted", b.hash, n, b.holds)
		}
	}
	if p.used != used || len(p.blocks) != len(holds)+p.idle.Len() {
		t.Fatalf("%d blocks are used and %d known, noted are %d and %d", used, len(holds)+p.idle.Len(), p.used, len(p.blocks))
	}
	if p.idle.Len() > max(0, min(p.capacity, p.total-p.used)) {
		t.Fatalf("%d blocks are kept with %d of %d used and room for %d", p.idle.Len(), p.used, p.total, p.capacity)
	}
}

// Memory that has become too small for a request is no end of it, once it has
// the memory to itself.
func TestAloneInTooLittleMemory(t *testing.T) {
	p := pool(6, 0)
	var h, other holding
	if _, ok := p.admit(&h, nil, 40); !ok {
		t.Fatal("six blocks have no room for four")
	}
	p.resize(2, 0)
	if _, ok := p.admit(&other, nil, 10); ok {
		t.Error("a fifth block of two")
	}
	if !p.grow(&h, 50) {
		t.Error("the one that is left can't go on")
	}
	p.release(&h)
	if _, ok := p.admit(&other, nil, 30); !ok || p.used != 3 {
		t.Error("nothing may ever begin that came before")
	}
}
