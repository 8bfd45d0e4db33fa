package sim

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestFaultReaches(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault Fault
		want  string // of requests 1 to 6, x for a hit
	}{
		{"all", Fault{}, "xxxxxx"},
		{"from the third", Fault{From: 3}, "..xxxx"},
		{"the second and third", Fault{From: 2, Count: 2}, ".xx..."},
		{"the first two", Fault{Count: 2}, "xx...."},
	} {
		got := ""
		for n := 1; n <= 6; n++ {
			if tt.fault.reaches(n) {
				got += "x"
			} else {
				got += "."
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestFaultProbability(t *testing.T) {
	f := newFaults([]Fault{{Kind: FaultCut, Probability: 0.25}, {Kind: FaultReset, Probability: 0.25}, {Kind: FaultStall, From: 5000}}, 3)
	seen := map[FaultKind]int{}
	for range 9999 {
		seen[f.next(Levers{}).Kind]++
	}
	if n := seen[FaultCut]; n < 2300 || n > 2700 {
		t.Errorf("%d of 9999 were cut, want a quarter", n)
	}
	if n := seen[FaultReset]; n < 2300 || n > 2700 {
		t.Errorf("%d of 9999 were reset, want a quarter too", n)
	}
	if n := seen[FaultStall]; n < 2350 || n > 2650 {
		t.Errorf("%d stalled, want those of the last 5000 that were neither", n)
	}
}

func TestFaultStatus(t *testing.T) {
	cfg := roundConfig()
	cfg.Faults = []Fault{
		{Kind: FaultStatus, Count: 1, Status: 429, RetryAfter: 1500 * time.Millisecond},
		{Kind: FaultStatus, From: 2, Count: 1, Status: 503},
	}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		first, second, third := b.post(t.Context(), body("m", 1, 50, 1, "")), b.post(t.Context(), body("m", 1, 50, 1, "")), b.post(t.Context(), body("m", 1, 50, 1, ""))
		if first.status != 429 || first.header.Get("Retry-After") != "2" || !strings.Contains(first.raw, `"type":"RateLimitError"`) {
			t.Errorf("first: %d %v %s", first.status, first.header, first.raw)
		}
		if second.status != 503 || second.header.Get("Retry-After") != "" {
			t.Errorf("second: %d %v %s", second.status, second.header, second.raw)
		}
		if third.status != 200 || third.err != nil {
			t.Errorf("third: %d %v", third.status, third.err)
		}
	})
}

func TestFaultStall(t *testing.T) {
	cfg := roundConfig()
	cfg.Faults = []Fault{{Kind: FaultStall, Count: 1, After: 2, For: time.Second}, {Kind: FaultStall, From: 2}}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		r := b.post(t.Context(), body("m", 1, 50, 3, ""))
		near(t, "second token", r.at[2], 60*time.Millisecond)
		near(t, "third token", r.at[3], 1070*time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if r := b.post(ctx, body("m", 1, 50, 3, "")); r.status != 200 || len(r.events) != 0 || r.err == nil {
			t.Errorf("a stall for good gave status %d, %q, %v", r.status, r.events, r.err)
		}
	})
}

func TestFaultCut(t *testing.T) {
	cfg := roundConfig()
	cfg.Faults = []Fault{{Kind: FaultCut, After: 2}}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		r := b.post(t.Context(), body("m", 1, 50, 5, ""))
		if r.err == nil || len(r.events) != 3 {
			t.Errorf("%v after %q, want a cut after the role and two tokens", r.err, r.events)
		}
		r = b.post(t.Context(), strings.Replace(body("m", 1, 50, 5, ""), `"stream":true`, `"stream":false`, 1))
		if r.err == nil {
			t.Errorf("a whole answer came: %s", r.raw)
		}
	})
}

// A reset is seen as one by a client on a real connection.
func TestFaultReset(t *testing.T) {
	cfg := roundConfig()
	cfg.Faults = []Fault{{Kind: FaultReset, After: 1}}
	s, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	response, err := client.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body("m", 1, 20, 5, "")))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text := make([]byte, 1<<16)
	for err == nil {
		_, err = response.Body.Read(text)
	}
	if !strings.Contains(err.Error(), "connection reset") {
		t.Errorf("the stream ended with %v, want a reset", err)
	}
}
