// Package limits knows what the system allows one program, so that a limit is
// told before a request fails on it.
package limits

import (
	"fmt"

	"ttftop/probe"
)

// Descriptors beside the connections of probes and load streams: the terminal,
// files, the event poller, and what a resolver opens for a moment.
const spare = 32

// Check says in a sentence why the open files of this program would not do for
// the settings, with so many probes in flight for each target; nil where they
// do, or where the limit can't be known.
func Check(s probe.Settings, inFlight int) error {
	limit, ok := openFiles()
	if !ok {
		return nil
	}
	return check(s, inFlight, limit)
}

func check(s probe.Settings, inFlight int, limit uint64) error {
	need := spare
	for _, k := range s.Knobs {
		need += k.Pressure + inFlight
	}
	if uint64(need) <= limit {
		return nil
	}
	streams := max(0, int(limit)-spare-inFlight*len(s.Knobs))
	return fmt.Errorf("the limit of %d open files allows about %d load streams in all: lower the batch pressure, or raise the limit with ulimit -n %d", limit, streams, need)
}
