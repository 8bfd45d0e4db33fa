package setup

import (
	"ttftop/probe"
	"ttftop/probe/sim"
)

// truthOf opens the books of simulated endpoints, in the order of their
// targets. What other requests cause is queue there too.
func truthOf(servers []*sim.Server) func(int, string) (probe.Waterfall, bool) {
	return func(target int, requestID string) (probe.Waterfall, bool) {
		if target < 0 || target >= len(servers) {
			return nil, false
		}
		t, ok := servers[target].Truth(requestID)
		if !ok {
			return nil, false
		}
		return probe.Waterfall{
			{Name: probe.Handling, Duration: t.Handling, Source: probe.Measured},
			{Name: probe.Queue, Duration: t.Queue, Source: probe.Measured},
			{Name: probe.Prefill, Duration: t.Prefill, Source: probe.Measured},
			{Name: probe.FirstDecode, Duration: t.FirstDecode, Source: probe.Measured},
		}, true
	}
}
