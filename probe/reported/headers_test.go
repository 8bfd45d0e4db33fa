package reported

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestInteresting(t *testing.T) {
	h := header("Server", "uvicorn", "Date", "today", "Set-Cookie", "s=1", "Authorization", "Bearer k", "WWW-Authenticate", "x", "X-Api-Key", "k",
		"openai-organization", "org-1", "Fireworks-Deployment", "accounts/a", "Fireworks-Prompt-Tokens", "3", "X-RateLimit-Remaining-Tokens", "9",
		"x-litellm-model-api-base", "http://u:p@h", "x-litellm-key-spend", "1", "x-litellm-timing-llm-api-ms", "7", "X-Request-ID", "a\x1b[31mb",
		"Server-Timing", "a;dur=1", "Server-Timing", "b;dur=2", "Retry-After", "", "CF-AIG-Cache-Status", "MISS", "Via", strings.Repeat("v", 999))
	want := map[string]string{
		"server": "uvicorn", "fireworks-prompt-tokens": "3", "x-ratelimit-remaining-tokens": "9", "x-litellm-timing-llm-api-ms": "7",
		"x-request-id": "a[31mb", "server-timing": "a;dur=1, b;dur=2", "cf-aig-cache-status": "MISS", "via": strings.Repeat("v", maxText),
	}
	if got := Interesting(h); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if got := Interesting(nil); got == nil || len(got) != 0 {
		t.Errorf("no headers give %v", got)
	}
}

func TestInterestingIsBounded(t *testing.T) {
	h := http.Header{}
	for i := range 500 {
		h.Set(fmt.Sprintf("X-RateLimit-%d", i), "1")
	}
	if got := len(Interesting(h)); got != maxHeaders {
		t.Errorf("%d headers", got)
	}
}

func TestFromCache(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"cf-aig-cache-status", "HIT", true}, {"cf-aig-cache-status", "MISS", false},
		{"x-cache", "Hit from cloudfront", true}, {"x-cache", "Miss from cloudfront", false}, {"X-Cache", "MISS, HIT", true},
		{"x-cache", "TCP_MEM_HIT from a.example", true}, {"x-cache", "white", false},
		{"x-litellm-cache-hit", "True", true}, {"x-litellm-cache-hit", "False", false}, {"cache_hit", "true", true},
		{"x-openrouter-cache-status", "HIT", true}, {"x-portkey-cache-status", "SEMANTIC HIT", true}, {"helicone-cache", "HIT", true},
		{"x-litellm-cache-key", "hit", false}, {"x-cache-hits", "0, 1", false}, {"x-prefix-cache", "hit", false},
		{"server-timing", `cdn-cache; desc=HIT, edge; dur=1`, true}, {"server-timing", `cfCacheStatus;desc="MISS"`, false}, {"server-timing", `a;desc=hit`, false},
		{"age", "30", false},
	} {
		if got := FromCache(header(c.name, c.value)); got != c.want {
			t.Errorf("%s: %s gives %v", c.name, c.value, got)
		}
	}
	if FromCache(nil) {
		t.Error("no headers are no hit")
	}
}
