// Package limits knows what the system allows one program, so that a limit is
// told before a request fails on it.
package limits

import (
	"fmt"
	"os"

	"ttftop/probe"
)

// spare is for the descriptors beside those that are open already and those of
// the connections: what a resolver or a dialer opens for a moment.
const spare = 16

// Check says in a sentence why the open files of this program would not do for
// the settings, with so many probes in flight for each target; nil where they
// do, or where the limit can't be known.
func Check(targets []probe.Target, s probe.Settings, inFlight int) error {
	limit, ok := openFiles()
	if !ok {
		return nil
	}
	return check(targets, s, inFlight, limit, inUse())
}

func check(targets []probe.Target, s probe.Settings, inFlight int, limit uint64, used int) error {
	fixed, load, ends := used+spare, 0, 1
	for i, k := range s.Knobs {
		ends = 1
		if targets[i].Endpoint.Simulated {
			ends = 2 // the simulator holds the other end of each connection
		}
		fixed += ends * inFlight * targets[i].Requests()
		load += ends * k.Pressure
	}
	if uint64(fixed+load) <= limit {
		return nil
	}
	room := max(0, int(limit)-fixed) / ends
	return fmt.Errorf("the limit of %d open files allows about %d load streams in all: lower the batch pressure, or raise the limit with ulimit -n %d", limit, room, fixed+load)
}

// inUse is the number of files that are open now, 0 where it can't be known.
func inUse() int {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return 0
	}
	return len(open)
}
