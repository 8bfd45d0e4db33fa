package stream

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter bounds what is obeyed: whatever a server means by more, it is
// asked again a week later. (Daily and weekly quotas are real.)
const maxRetryAfter = 7 * 24 * time.Hour

// RetryAfter reads a Retry-After header (RFC 9110, section 10.2.3): seconds,
// also with a fraction, or an HTTP date, which is taken relative to now and is 0
// once it has passed. It is at most a week, and false for junk.
func RetryAfter(header string, now time.Time) (time.Duration, bool) {
	header = strings.TrimSpace(header)
	if header == "" {
		return 0, false
	}
	if strings.Trim(header, "0123456789.") == "" {
		s, err := strconv.ParseFloat(header, 64)
		if err != nil {
			return 0, false
		}
		return time.Duration(min(s, maxRetryAfter.Seconds()) * float64(time.Second)), true
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0, false
	}
	return min(max(0, at.Sub(now)), maxRetryAfter), true
}
