package stream

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter is above any wait that can be meant, in seconds (a century).
const maxRetryAfter = 100 * 365 * 24 * 3600

// RetryAfter reads a Retry-After header (RFC 9110, section 10.2.3): seconds,
// also with a fraction, or an HTTP date, which is taken relative to now and is 0
// once it has passed. It is false for junk.
func RetryAfter(header string, now time.Time) (time.Duration, bool) {
	header = strings.TrimSpace(header)
	if header == "" {
		return 0, false
	}
	if strings.Trim(header, "0123456789.") == "" {
		s, err := strconv.ParseFloat(header, 64)
		if err != nil || s > maxRetryAfter {
			return 0, false
		}
		return time.Duration(s * float64(time.Second)), true
	}
	at, err := http.ParseTime(header)
	if err != nil || at.Sub(now) > maxRetryAfter*time.Second {
		return 0, false
	}
	return max(0, at.Sub(now)), true
}
