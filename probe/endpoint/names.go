package endpoint

import (
	"maps"
	"slices"

	"ttftop/probe"
)

// HeaderNames are the names of the headers that are sent with every request
// besides the key, in order.
func HeaderNames(e *probe.Endpoint) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(e.Headers)), func(name string) bool { return name == queryHeader })
}
