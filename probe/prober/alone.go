package prober

import (
	"slices"
	"time"
)

// recentBegins is how many beginnings of requests are remembered, enough for
// all that can be in flight.
const recentBegins = 4 * MaxInFlight

// beginning notes that a request begins now, and reports whether nothing else
// of this lane is in flight.
func (l *lane) beginning(now time.Time) bool {
	l.begins = latest(append(l.begins, now), recentBegins)
	return l.inFlight() == l.metrics.busy() && l.load.State().InFlight == 0
}

// inFlight is the number of probes in flight, of all epochs.
func (l *lane) inFlight() int {
	n := 0
	for _, in := range l.aloft {
		n += in
	}
	return n
}

// undisturbed reports whether nothing else of this lane was in flight from the
// beginning of a shot to its first token.
func (l *lane) undisturbed(s shot) bool {
	first := s.outcome.Start.Add(s.outcome.Result.TTFT().At)
	joined := func(begin time.Time) bool { return begin.After(s.begun) && begin.Before(first) }
	return s.alone && l.loadFor.Pressure == 0 && !slices.ContainsFunc(l.begins, joined)
}
