package prober

import (
	"time"

	"ttftop/probe"
)

const (
	overlapped = 24               // so many probes in a row, none of them undisturbed…
	overlapFor = 20 * time.Second // …for so long, and a slower server would go unnoticed; sentinels come oftener where they fit
)

// overlap counts the probes of a model and cache mode since the last that was
// undisturbed, where neither load streams nor handoffs keep it from that: each
// meets others of ours. What they cost
// can't raise the baseline, so whether the server is still as fast is not known.
type overlap struct {
	count int
	since time.Time // when the first of them began
}

// add takes a probe that says something of the baseline.
func (o *overlap) add(r *probe.Result, alone bool) {
	switch {
	case alone || r.Knobs.Pressure > 0 || r.Ack != nil:
		*o = overlap{}
		return
	case o.count == 0:
		o.since = r.At
	}
	o.count++
}

// unseen reports whether, by the time of a probe, the server could have become
// slower without having been noticed.
func (o *overlap) unseen(at time.Time) bool {
	return o.count >= overlapped && at.Sub(o.since) >= overlapFor
}
