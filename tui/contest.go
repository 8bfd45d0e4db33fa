package tui

import (
	"strings"
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/probe/tally"
	"ttftop/views"
)

// mostPairs bounds what a comparison remembers: after so many pairs more would
// tell nothing new.
const mostPairs = 20_000

// contest compares the targets that are probed in pairs. It begins anew with
// each epoch and with other sides or another order; while no pairs are sent it
// stays as it was. Its methods are safe for concurrent use.
type contest struct {
	targets []probe.Target
	terms   ab.Config

	mu    sync.Mutex
	rate  float64 // asked for, in pairs per second
	on    bool    // pairs are being sent
	epoch int
	pairs probe.Pairs    // that are compared
	begun time.Time      // of the comparison: what began before is of the one before
	why   string         // it began anew
	stale string         // why it must begin anew with the next pairs, "" for no need
	found *ab.Comparison // nil before the first pairs
	shown *views.Versus  // as found stands; nil where it must be made anew
}

// newContest is for a session that begins with settings. Without a confidence
// the usual terms hold.
func newContest(targets []probe.Target, s probe.Settings, terms ab.Config) *contest {
	if terms.Confidence == 0 {
		terms.Margin, terms.Confidence = ab.DefaultMargin, ab.DefaultConfidence
	}
	c := &contest{targets: targets, terms: terms, on: s.Pairs.On}
	c.rate = rateOf(s)
	if s.Pairs.On {
		c.begin(s.Pairs, time.Time{}, "")
	}
	return c
}

// begin starts a comparison.
func (c *contest) begin(p probe.Pairs, at time.Time, why string) {
	terms := c.terms
	terms.A, terms.B = sideNames(c.targets, p)
	c.found, c.pairs, c.begun, c.why, c.stale = ab.New(terms), p, at, why, ""
}

// note takes an event of the session.
func (c *contest) note(e probe.Event, _ *tally.Tally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := e.(type) {
	case probe.Started:
		if c.found != nil && !e.At.Before(c.begun) {
			c.found.Began(e, c.pairs.A, c.pairs.B)
		}
	case probe.Finished:
		c.take(&e.Result)
	case probe.Changed:
		c.change(e)
	case probe.Cleared:
		c.clear(e)
	}
}

// take adds a result that belongs to a pair.
func (c *contest) take(r *probe.Result) {
	if c.found == nil || c.full() || r.At.Before(c.begun) {
		return
	}
	if c.found.Take(r, c.pairs.A, c.pairs.B) {
		c.shown = nil
	}
}

func (c *contest) full() bool { return c.found.Pairs() >= mostPairs }

// change follows the settings.
func (c *contest) change(e probe.Changed) {
	c.on, c.shown = e.Settings.Pairs.On, nil
	if text := described(e.Before, e.Settings); c.found != nil && text != "" && (e.Epoch != c.epoch || c.why != "" && c.found.Pairs() == 0) {
		c.stale = text
	}
	c.epoch, c.rate = e.Epoch, rateOf(e.Settings)
	p := e.Settings.Pairs
	switch {
	case !p.On:
	case c.found == nil:
		c.begin(p, e.At, "")
	case !p.Alike(c.pairs):
		c.begin(p, e.At, c.anew(p))
	case c.stale != "":
		c.begin(p, e.At, c.stale)
	}
}

// rateOf is how many pairs a second are asked for.
func rateOf(s probe.Settings) float64 {
	if s.Pairs.A >= len(s.Knobs) {
		return 0
	}
	return s.Of(s.Pairs.A).Rate
}

// beside names the targets that are probed beside the pairs and share a host with
// them, where pairs are sent back to back so as not to burden it: "" for none.
func (c *contest) beside() string {
	if !c.on || c.pairs.Order != probe.BackToBack {
		return ""
	}
	shares := func(i, side int) bool {
		return probe.OrderFor(c.targets[i].Endpoint, c.targets[side].Endpoint) == probe.BackToBack
	}
	var names []string
	for i, t := range c.targets {
		if i != c.pairs.A && i != c.pairs.B && (shares(i, c.pairs.A) || shares(i, c.pairs.B)) {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, " and ") + " on the same host is probed beside the pairs, and may slow them"
}

// clear begins anew with the figures.
func (c *contest) clear(e probe.Cleared) {
	c.epoch, c.shown = e.Epoch, nil
	if c.found != nil {
		c.begin(c.pairs, e.At, "the figures were cleared")
	}
}

// anew says what other pairs are sent.
func (c *contest) anew(p probe.Pairs) string {
	if p.A == c.pairs.A && p.B == c.pairs.B {
		return "pairs " + orderText(p.Order)
	}
	a, b := sideNames(c.targets, p)
	return a + " against " + b
}

// lay puts the comparison into a new state.
func (c *contest) lay(st *state) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found == nil {
		return
	}
	if c.shown == nil {
		p := c.pairs
		p.On = c.on
		v := c.found.Verdict()
		for _, text := range []string{c.found.Slow(c.rate, p.Order), c.beside()} {
			if text != "" {
				v.Warnings = append(v.Warnings, text)
			}
		}
		c.shown = &views.Versus{
			Verdict: v, Pairs: p, Sides: [2]int{p.A, p.B}, Since: c.why, Full: c.full(),
			TTFT: [2][]time.Duration{c.found.TTFTs(0), c.found.TTFTs(1)}, History: c.found.History(),
		}
	}
	st.versus = c.shown
}
