package sim

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
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
		if r := b.Refused(); r.Users < 4000 || r.Requests != 1 || !strings.Contains(r.String(), "the queue was full (max-waiting): ") {
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
		if b.full(mostWaiting) {
			t.Fatal("full too early")
		}
		b.add(&request{prompt: prompt{blocks: make([]uint64, 1<<20)}})
	}
	if !b.full(mostWaiting) {
		t.Error("never full")
	}
}

// A limit that is lowered empties the queue: what came last is dropped, and told
// so by an error, in the stream where its headers have left. What runs goes on,
// and what waits within the limit is served.
func TestShortenedQueue(t *testing.T) {
	for _, c := range []struct {
		name    string
		dialect Dialect
		stream  bool
		status  int // of the one that is dropped
	}{
		{"headers on acceptance", DialectVLLM, true, http.StatusOK},
		{"headers with the token", DialectNone, true, http.StatusTooManyRequests},
		{"no stream", DialectVLLM, false, http.StatusTooManyRequests},
	} {
		cfg := roundConfig()
		cfg.MaxBatch, cfg.Dialect = 1, c.dialect
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, cfg, func(t *testing.T, b *bench) { shorten(t, b, c.stream, c.status) })
		})
	}
}

// shorten lets one request run and two wait, and then only one.
func shorten(t *testing.T, b *bench, stream bool, status int) {
	var replies [3]reply
	var clients sync.WaitGroup
	for i := range replies {
		clients.Go(func() {
			ask := body("m", i, 20, 50, "")
			if !stream {
				ask = strings.Replace(ask, `"stream":true`, `"stream":false`, 1)
			}
			replies[i] = b.post(t.Context(), ask)
		})
		time.Sleep(10 * time.Millisecond)
	}
	if err := b.Set("max-waiting", "1"); err != nil {
		t.Error(err)
	}
	time.Sleep(30 * time.Millisecond)
	if r := b.post(t.Context(), body("m", 9, 20, 1, "")); r.status != http.StatusTooManyRequests || !strings.Contains(r.raw, "up to 1 request waits") {
		t.Errorf("one more beside the one that waits: status %d, %s", r.status, r.raw)
	}
	clients.Wait()
	for i, r := range replies[:2] {
		if r.status != http.StatusOK || r.err != nil || strings.Contains(r.raw, `"error"`) {
			t.Errorf("request %d: status %d, %v, %s", i, r.status, r.err, r.raw)
		}
	}
	if r := replies[2]; r.status != status || r.err != nil || !strings.Contains(r.raw, "dropped from the queue") || strings.Contains(r.raw, `"content":" `) {
		t.Errorf("the last: status %d, %v, %s", r.status, r.err, r.raw)
	}
	if r := b.post(t.Context(), body("m", 8, 20, 1, "")); r.status != http.StatusOK {
		t.Errorf("status %d once nothing waits", r.status)
	}
}
