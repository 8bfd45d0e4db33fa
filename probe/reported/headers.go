package reported

import (
	"net/http"
	"slices"
	"strings"
)

// maxHeaders bounds how many headers a record keeps.
const maxHeaders = 48

// kept is the response headers that a record keeps: a list of what may enter,
// so that a cookie, a key or an account name never does. A name that ends in -
// is a prefix.
var kept = []string{
	// who answered, and through what
	"server", "via", "x-powered-by", "x-served-by", "cf-ray", "x-groq-region", "openai-version", "x-compute-type",
	// request ids
	"x-request-id", "request-id", "apim-request-id", "x-generation-id", "x-litellm-call-id", "x-kong-request-id", "cf-aig-log-id", "cf-aig-event-id",
	// times
	"server-timing", "openai-processing-ms", "x-envoy-upstream-service-time", "x-kong-upstream-latency", "x-kong-proxy-latency",
	"x-litellm-response-duration-ms", "x-litellm-overhead-duration-ms", "x-litellm-callback-duration-ms", "x-litellm-timing-",
	"x-validation-time", "x-queue-time", "x-inference-time", "x-total-time", "x-time-per-token", "x-compute-time",
	"x-prompt-tokens", "x-generated-tokens", "fireworks-", "endpoint-load-metrics",
	// rate limits
	"retry-after", "x-ratelimit-", "x-rate-limit-", "ratelimit", "ratelimit-",
	// caches
	"age", "x-cache", "x-cache-status", "x-proxy-cache", "cache_hit", "cf-cache-status", "cf-aig-cache-status", "x-litellm-cache-hit",
	"x-openrouter-cache-status", "x-portkey-cache-status", "helicone-cache", "x-vercel-cache",
	// what can hold bytes back
	"content-type", "content-encoding", "x-accel-buffering",
}

// Interesting returns the response headers worth keeping in a record by their
// lower-case names: who answered, times, ids, rate limits, cache status. Values
// of one name are joined with ", ", bounded in length and free of control
// characters.
func Interesting(h http.Header) map[string]string {
	var names []string
	for name := range h {
		if keeps(strings.ToLower(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := make(map[string]string, len(names))
	for _, name := range names[:min(len(names), maxHeaders)] {
		if value := clean(strings.Join(h[name], ", ")); value != "" {
			out[strings.ToLower(name)] = value
		}
	}
	return out
}

func keeps(name string) bool {
	if name == "fireworks-deployment" { // names the account
		return false
	}
	for _, k := range kept {
		if name == k || strings.HasSuffix(k, "-") && strings.HasPrefix(name, k) {
			return true
		}
	}
	return false
}
