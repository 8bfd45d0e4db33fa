package sim

import (
	"testing"
	"time"
)

// Background users come at their rate, share nothing, and are no one's truth.
func TestUsers(t *testing.T) {
	cfg := roundConfig()
	cfg.CacheBlocks = 1000
	cfg.Users = Users{Rate: 2, PromptTokens: 40, OutputTokens: 3}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		time.Sleep(1000 * time.Second)
		e := b.engines()[0]
		e.stats.mu.Lock()
		finished, hits := e.stats.finished, e.stats.hits
		e.stats.mu.Unlock()
		// 2,000 of a Poisson process: 4 standard deviations are 179.
		if finished < 1821 || finished > 2179 || hits != 0 {
			t.Errorf("%d users were served in 1,000 s at 2/s, %d tokens from the cache", finished, hits)
		}
		if len(e.ledger.order) != 0 {
			t.Errorf("the ledger remembers %d of them", len(e.ledger.order))
		}
	})
}

// Users slow a probe down: by a queue where they fill the slots.
func TestUsersCompete(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch = 1
	cfg.Users = Users{Rate: 9, PromptTokens: 50, OutputTokens: 5} // 90 ms each: 81 % busy
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		var queue time.Duration
		for i := range 50 {
			time.Sleep(10 * time.Second)
			r := b.post(t.Context(), body("m", i, 50, 1, ""))
			truth, ok := b.Truth(r.header.Get("X-Request-Id"))
			if !ok {
				t.Fatal("the truth is not known")
			}
			near(t, "server time", truth.Server(), r.at[1])
			queue += truth.Queue
		}
		// M/D/1 with a service time of 90 ms at 0.81: 0.81/(2·0.19)·90 = 192 ms.
		if mean := queue / 50; mean < 90*time.Millisecond || mean > 400*time.Millisecond {
			t.Errorf("probes waited %v on average", mean)
		}
	})
}
