package views

import (
	"regexp"
	"strings"

	"ttftop/probe"
)

// whereTried is the address at the beginning of a sentence: "127.0.0.1:8000: " or
// "proxy 10.0.0.1:3128: ".
var whereTried = regexp.MustCompile(`^(proxy )?\S+:\d+: `)

// briefFailure is why a probe failed with the kind first and without the address
// of its target, which is told elsewhere: "refused: nothing listens there",
// "timeout: no headers within 30 s", "HTTP 503: overloaded".
func briefFailure(f *probe.Failure) string {
	text := head(f.Error(), longest(400))
	at := whereTried.FindString(text)
	text = strings.TrimPrefix(text, at)
	if strings.HasPrefix(at, "proxy ") {
		text = "proxy " + text
	}
	kind := map[probe.FailureKind]string{
		probe.FailDNS: "dns", probe.FailConnect: "no connection", probe.FailTLS: "TLS", probe.FailTimeout: "timeout",
		probe.FailRateLimit: "rate limit", probe.FailSkipped: "skipped", probe.FailProtocol: "no chat stream", probe.FailStream: "cut off",
		probe.FailClient: "this side", probe.FailCanceled: "canceled",
	}[f.Kind]
	switch {
	case f.Status != 0 && strings.HasPrefix(text, "HTTP "):
		return text
	case strings.Contains(text, "connection refused: "):
		return strings.Replace(text, "connection refused: ", "refused: ", 1)
	case kind == "" || strings.HasPrefix(strings.ToLower(text), strings.ToLower(kind)):
		return text
	}
	return kind + ": " + text
}
