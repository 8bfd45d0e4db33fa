package prober

import (
	"net/http"
	"strconv"
	"time"
)

// within are headers with a time that lies within the probe, in milliseconds:
// they are shown and cut nothing.
var within = []string{"Openai-Processing-Ms", "X-Envoy-Upstream-Service-Time"}

// outlasts reports whether a header tells of a longer time than the whole probe
// took: a figure that can't be.
func outlasts(h http.Header, total time.Duration) bool {
	for _, name := range within {
		ms, err := strconv.ParseFloat(h.Get(name), 64)
		if err == nil && total > 0 && ms > 1.05*float64(total)/float64(time.Millisecond)+2 {
			return true
		}
	}
	return false
}
