package tui

import (
	"fmt"
	"time"

	"ttftop/probe"
	"ttftop/probe/spend"
	"ttftop/views"
)

// consent remembers what spending a person has agreed to.
type consent struct {
	perMinute int64 // the most agreed to
	pressure  bool  // load streams agreed to
}

// cost is what settings cost, as far as anybody pays for it.
type cost struct {
	perMinute int64 // at endpoints that cost money
	all       int64 // at every endpoint
	pressure  bool  // load streams at an endpoint that costs money
}

// costOf adds up the targets. stream is how long a load stream of each takes,
// calibration the tokens of calibration that each is still to send.
func costOf(targets []probe.Target, s probe.Settings, stream func(int) time.Duration, calibration func(int) int) cost {
	var c cost
	if s.Paused {
		return c
	}
	for i, t := range targets {
		n := spend.PerMinute(s.Knobs[i], stream(i), calibration(i))
		c.all += n
		if spend.Free(t.Endpoint) {
			continue
		}
		c.perMinute += n
		c.pressure = c.pressure || s.Knobs[i].Pressure > 0
	}
	return c
}

// asks reports whether a change to this cost needs to be agreed to.
func (c consent) asks(next cost) bool {
	return next.pressure && !c.pressure || next.perMinute > max(spend.Consent, c.perMinute)
}

// give agrees to a cost.
func (c *consent) give(to cost) {
	c.perMinute = max(c.perMinute, to.perMinute)
	c.pressure = c.pressure || to.pressure
}

// question is the dialog that asks.
func question(change string, next cost) *views.Dialog {
	d := &views.Dialog{Title: "This costs tokens", Chosen: -1, Keys: []views.KeyHelp{{Key: "y", Does: "go on"}, {Key: "n", Does: "leave it"}}}
	if change != "" {
		d.Lines = append(d.Lines, change)
	}
	d.Lines = append(d.Lines, fmt.Sprintf("About %s tokens a minute, calibration included.", views.Count(next.perMinute)))
	if next.pressure {
		d.Lines = append(d.Lines, "Load streams keep a real endpoint busy: others who use it will wait too.")
	}
	return d
}
