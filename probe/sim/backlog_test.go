package sim

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Load far above the capacity fills the queue to its bound and no further: a
// client is refused then, background users go away, and what waits is served
// when they stop.
func TestFullQueue(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch, cfg.Users = 1, Users{Rate: MostUsers, PromptTokens: 20, OutputTokens: 100}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		time.Sleep(10 * time.Second)
		e := b.engines()[0]
		if n := e.load.Load(); n < mostWaiting || n > mostWaiting+2 {
			t.Errorf("%d requests are there", n)
		}
		if r := b.post(t.Context(), body("m", 1, 20, 1, "")); r.status != http.StatusTooManyRequests {
			t.Errorf("status %d", r.status)
		}
		if r := b.Refused(); r.Users < 4000 || r.Requests != 1 || !strings.Contains(r.String(), "up to 4096 requests wait") {
			t.Errorf("%+v: %v", r, r)
		}
		if _, text := b.get("/sim"); !strings.Contains(text, fmt.Sprintf(`"refused":{"users":%d,"requests":1}`, b.Refused().Users)) {
			t.Errorf("it shows %s", text)
		}
		if err := b.Turn(map[string]string{"users": "0", "max-batch": "2048", "token-budget": "8192"}); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Minute)
		if r := b.post(t.Context(), body("m", 1, 20, 1, "")); r.status != http.StatusOK {
			t.Errorf("status %d once the queue is empty", r.status)
		}
	})
}

// Long prompts are counted by what they take.
func TestBacklog(t *testing.T) {
	var b backlog
	for range 4 {
		if b.full() {
			t.Fatal("full too early")
		}
		b.add(&request{prompt: prompt{blocks: make([]uint64, 1<<20)}})
	}
	if !b.full() {
		t.Error("never full")
	}
}
