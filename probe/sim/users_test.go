package sim

import (
	"math/rand/v2"
	"slices"
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

// The day has its mean, its peak at half past twelve, and a quiet night.
func TestDay(t *testing.T) {
	for _, peak := range []float64{leastPeak, 3, 6, mostPeak} {
		u := Users{Day: 24 * time.Hour, Peak: peak}
		var sum, most float64
		var at time.Duration
		for d := time.Duration(0); d < 24*time.Hour; d += time.Minute {
			c := u.crowd(d)
			if c <= 0 || c > u.most() {
				t.Fatalf("peak %v: %v after %v, at most %v is foreseen", peak, c, d, u.most())
			}
			sum += c
			if c > most {
				most, at = c, d
			}
		}
		if mean := sum / (24 * 60); mean < 0.97 || mean > 1.03 {
			t.Errorf("peak %v: the mean is %v", peak, mean)
		}
		if most < 0.98*peak || most > 1.05*peak {
			t.Errorf("peak %v: the peak is %v", peak, most)
		}
		if clock := at.Hours() + dayBegins; peak > 2 && (clock < 12 || clock > 13) {
			t.Errorf("peak %v: it is at %.1f o'clock", peak, clock)
		}
		if night := u.crowd(18 * time.Hour); night > 0.7 { // three in the morning
			t.Errorf("peak %v: %v at night", peak, night)
		}
	}
}

// The rush comes and goes, and brings as many as it should.
func TestLunchRush(t *testing.T) {
	cfg := roundConfig()
	cfg.Users = Users{Rate: 2, PromptTokens: 10, OutputTokens: 1, Day: 24 * time.Minute, Peak: 4}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		served := func() int {
			e := b.engines()[0]
			e.stats.mu.Lock()
			defer e.stats.mu.Unlock()
			return e.stats.finished
		}
		time.Sleep(3 * time.Minute) // until twelve
		before := served()
		time.Sleep(time.Minute)
		lunch := served() - before
		time.Sleep(20 * time.Minute)
		// 120 a minute on average: four times that at the peak, over the hour some 3.5.
		if lunch < 340 || lunch > 500 {
			t.Errorf("%d came between twelve and one", lunch)
		}
		if all := served(); all < 2650 || all > 3110 { // 2,880 ± 4 standard deviations and the tail
			t.Errorf("%d came all day", all)
		}
	})
}

// Lengths are spread around their median, and shared prefixes are in the cache.
func TestUserLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var lengths []int
	for range 20_001 {
		lengths = append(lengths, lengthOf(300, 0.8, rng))
	}
	slices.Sort(lengths)
	if median, high := lengths[10_000], lengths[16_826]; median < 290 || median > 310 || high < 640 || high > 700 {
		t.Errorf("median %d, one sigma above %d, want 300 and 668", median, high)
	}
	cfg := roundConfig()
	cfg.CacheBlocks = 100
	cfg.Users = Users{Rate: 1, PromptTokens: 80, OutputTokens: 1, SharedTokens: 48}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		time.Sleep(100 * time.Second)
		e := b.engines()[0]
		e.stats.mu.Lock()
		defer e.stats.mu.Unlock()
		if n := e.stats.finished; e.stats.hits < 48*(n-3) || e.stats.hits > 48*n {
			t.Errorf("%d tokens of %d users came from the cache", e.stats.hits, n)
		}
	})
}

// Users follow their levers at once, and tenants come beside them.
func TestUsersChange(t *testing.T) {
	cfg := roundConfig()
	cfg.Users = Users{PromptTokens: 10, OutputTokens: 1}
	cfg.Tenants = []Users{{Rate: 1, PromptTokens: 60, OutputTokens: 1}}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		e := b.engines()[0]
		tokens := func() int {
			e.stats.mu.Lock()
			defer e.stats.mu.Unlock()
			return e.stats.prompts
		}
		time.Sleep(200 * time.Second)
		tenants := tokens()
		if tenants < 200*60*7/10 || tenants > 200*60*13/10 {
			t.Errorf("tenants sent %d tokens, want about 12,000", tenants)
		}
		if err := b.Set("users", "10"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Second)
		if more := tokens() - 2*tenants; more < 15_000 || more > 25_000 {
			t.Errorf("users sent %d tokens, want about 20,000", more)
		}
	})
}
