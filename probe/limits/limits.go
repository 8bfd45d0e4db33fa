// Package limits knows what the system allows one program, so that a limit is
// told before a request fails on it.
//
// Start with Look, before any connection is made; Room.Check says whether
// settings have room, and Room.Cap lowers the batch pressure to what has.
package limits

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"ttftop/probe"
)

// spare is for the descriptors beside those that are open already and those of
// the connections: what a resolver or a dialer opens for a moment. beside is
// for the connections of a target beside its probes and load streams: its
// metrics page and its list of models.
const (
	spare  = 16
	beside = 2
)

// Room is what the limit of open files leaves for connections. The zero value
// sets no limit.
type Room struct {
	limit uint64
	used  int // before any connection
	known bool
}

// Look asks the system. Call it before any connection is made.
func Look() Room {
	limit, ok := openFiles()
	return Room{limit: limit, used: inUse(), known: ok}
}

// need is how many open files settings take with so many probes in flight for
// each target: those of the load streams, and all others. ends is the most that
// a connection takes.
func (r Room) need(targets []probe.Target, s probe.Settings, inFlight int) (fixed, load, most int) {
	fixed, most = r.used+spare, 1
	for i, k := range s.Knobs {
		fixed += ends(targets[i]) * (inFlight*targets[i].Requests() + beside)
		load += ends(targets[i]) * k.Pressure
		most = max(most, ends(targets[i]))
	}
	return fixed, load, most
}

// ends is how many open files a connection to a target takes: the simulator
// holds the other end too.
func ends(t probe.Target) int {
	if t.Endpoint.Simulated {
		return 2
	}
	return 1
}

// Check says in a sentence why the open files of this program would not do for
// the settings, with so many probes in flight for each target; nil where they
// do, or where the limit can't be known.
func (r Room) Check(targets []probe.Target, s probe.Settings, inFlight int) error {
	fixed, load, most := r.need(targets, s, inFlight)
	if !r.known || uint64(fixed+load) <= r.limit {
		return nil
	}
	if load == 0 {
		return r.tooLow(fixed)
	}
	room := max(0, int(r.limit)-fixed) / most
	return fmt.Errorf("the limit of %d open files allows about %d load streams in all: lower the batch pressure, or raise the limit with ulimit -n %d", r.limit, room, fixed+load)
}

func (r Room) tooLow(need int) error {
	return fmt.Errorf("the limit of %d open files is too low: raise it with ulimit -n %d", r.limit, need)
}

// Cap lowers the batch pressure, of every target to the same at most, to what
// has room, and says so in the sentence of Check; nil where all has.
func (r Room) Cap(targets []probe.Target, s probe.Settings, inFlight int) (probe.Settings, error) {
	err := r.Check(targets, s, inFlight)
	if err == nil {
		return s, nil
	}
	s = s.Clone()
	for most := highest(s); r.Check(targets, s, inFlight) != nil && most > 0; most-- {
		for i := range s.Knobs {
			s.Knobs[i].Pressure = min(s.Knobs[i].Pressure, most-1)
		}
	}
	return s, err
}

func highest(s probe.Settings) (most int) {
	for _, k := range s.Knobs {
		most = max(most, k.Pressure)
	}
	return most
}

// Explain says what to do about an error of the limit of open files; another is
// returned as it is. need is how many files are wanted beside those in use.
func (r Room) Explain(err error, need int) error {
	if !r.known || !errors.Is(err, syscall.EMFILE) {
		return err
	}
	return r.tooLow(r.used + need)
}

// inUse is the number of files that are open now, 0 where it can't be known.
func inUse() int {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return 0
	}
	return len(open)
}
