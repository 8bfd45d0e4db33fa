package reported

import (
	"net/http"
	"strings"
	"unicode"
)

// Headers in which caches of whole responses say whether they had one. Headers
// of prefix caches are not among them: there a model still answered.
var (
	cacheStatus = []string{"X-Cache", "X-Cache-Status", "X-Proxy-Cache", "CF-Cache-Status", "CF-AIG-Cache-Status",
		"X-OpenRouter-Cache-Status", "X-Portkey-Cache-Status", "Helicone-Cache", "X-Vercel-Cache"}
	cacheTruth   = []string{"X-LiteLLM-Cache-Hit", "Cache_hit"}
	cacheTimings = []string{"cdn-cache", "cfcachestatus"}
)

// FromCache reports whether the reply came from a cache of responses: no model
// made it, so it says nothing of one.
func FromCache(h http.Header) bool {
	for _, name := range cacheStatus {
		for _, value := range h.Values(name) {
			if isHit(value) {
				return true
			}
		}
	}
	for _, name := range cacheTruth {
		switch strings.ToLower(strings.TrimSpace(h.Get(name))) {
		case "true", "1", "hit":
			return true
		}
	}
	return timedFromCache(h)
}

// isHit looks for the word: values are such as "HIT", "SEMANTIC HIT",
// "TCP_HIT", "Hit from cloudfront", or one word per hop, "MISS, HIT".
func isHit(value string) bool {
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		if word == "hit" {
			return true
		}
	}
	return false
}

// timedFromCache looks into Server-Timing, where Akamai and Cloudflare put
// the state of their caches.
func timedFromCache(h http.Header) bool {
	for _, m := range parseServerTiming(h.Values("Server-Timing")) {
		for _, name := range cacheTimings {
			if strings.EqualFold(m.name, name) && isHit(m.desc) {
				return true
			}
		}
	}
	return false
}
