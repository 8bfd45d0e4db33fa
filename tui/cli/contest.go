package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/alecthomas/kong"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/probe/session"
	"ttftop/probe/setup"
	"ttftop/probe/tally"
	"ttftop/themes"
	"ttftop/views"
)

// contestFlags are those of run that compare two targets.
type contestFlags struct {
	AB       bool      `name:"ab" help:"Compare two targets in pairs of probes, and stop when it is settled which is faster."`
	ABModels twoModels `name:"ab-models" placeholder:"M1 M2" help:"Compare two models of one URL."`
	MaxPairs int       `default:"1000" placeholder:"N" help:"Stop after so many pairs (1000)."`
	pairFlags
	verdictFlags
}

// pairFlags say how pairs are sent.
type pairFlags struct {
	Pairs string `placeholder:"together|back-to-back" help:"Send both probes of a pair together, or one after the other in random order (together; back to back to one host)."`
}

// order is that asked for, "" for the one that disturbs least.
func (f pairFlags) order() (probe.Order, error) {
	switch o := probe.Order(f.Pairs); o {
	case "", probe.Together, probe.BackToBack:
		return o, nil
	}
	return "", fmt.Errorf("--pairs %q is not known: write %s or %s", f.Pairs, probe.Together, probe.BackToBack)
}

// twoModels is a flag with two values.
type twoModels []string

// Decode implements kong.MapperValue.
func (m *twoModels) Decode(ctx *kong.DecodeContext) error {
	for range 2 {
		t := ctx.Scan.Pop()
		name, ok := t.Value.(string)
		if t.IsEOL() || !ok {
			return errors.New("takes two models: write --ab-models M1 M2")
		}
		*m = append(*m, name)
	}
	return nil
}

// on reports whether two targets are compared.
func (f *contestFlags) on() bool { return f.AB || len(f.ABModels) > 0 }

// lay looks at the flags, and turns two models of one URL into two targets.
func (c *runCmd) lay() error {
	if !c.on() {
		if c.Markdown || c.FailIfSlower || c.Pairs != "" {
			return errors.New("--markdown, --fail-if-slower and --pairs go with a comparison: write --ab URL_A URL_B, or --ab-models M1 M2 URL")
		}
		return c.check()
	}
	switch {
	case c.N > 0:
		return errors.New("-n counts probes: write --max-pairs with --ab")
	case c.MaxPairs < 1:
		return errors.New("--max-pairs counts from 1: write --max-pairs 200")
	case c.JSON && c.Markdown:
		return errors.New("--json and --markdown both take stdout: leave one away")
	}
	if c.Simulated && len(c.ABModels) > 0 {
		return errors.New("--ab-models takes a URL: leave --demo away")
	}
	_, err := c.order()
	return cmp.Or(c.ABModels.lay(&c.EndpointFlags, "ttftop run"), err, c.check())
}

// lay makes two targets of one URL, where two models are given.
func (m twoModels) lay(e *setup.EndpointFlags, command string) error {
	if len(m) == 0 {
		return nil
	}
	if len(e.URL) != 1 || len(e.Model) > 0 {
		return fmt.Errorf("--ab-models compares two models of one URL: write %s --ab-models M1 M2 https://host/v1, without -m", command)
	}
	e.URL, e.Model = append(e.URL, e.URL[0]), m
	if len(e.Name) == 0 && m[0] != m[1] {
		e.Name = m
	}
	return nil
}

// contest is a comparison that goes on while a session runs.
type contest struct {
	flags   *contestFlags
	slos    judges
	rate    float64 // in pairs per second
	order   probe.Order
	found   *ab.Comparison
	json    bool        // stdout is for records
	reached *ab.Verdict // the first that was none of undecided
	over    bool        // what comes later is not looked at: the verdict is the one that ended it
}

// contest sets a session up to probe its two targets in pairs; nil where none are
// compared. stop ends it when nothing more is needed: the verdict is there, and what
// the SLOs want to know.
func (c *runCmd) contest(s *session.Config, slos judges, stop context.CancelFunc) *contest {
	if !c.on() {
		return nil
	}
	targets := s.Prober.Targets
	config := c.config(targets[0].Name, targets[1].Name)
	config.TwoModels = len(c.ABModels) > 0
	x := &contest{slos: slos, flags: &c.contestFlags, found: ab.New(config), json: c.JSON}
	order, _ := c.order() // looked at before
	order = cmp.Or(order, probe.OrderFor(targets[0].Endpoint, targets[1].Endpoint))
	s.Prober.Settings.Pairs = probe.Pairs{On: true, A: 0, B: 1, Order: order}
	x.rate, x.order = s.Prober.Settings.Of(0).Rate, order
	before := s.On
	s.On = func(e probe.Event, t *tally.Tally) {
		before(e, t)
		if _, ended := e.(probe.Finished); !x.over && (x.note(e) || ended) && x.settled() {
			x.over = true
			stop()
		}
	}
	return x
}

// two refuses to compare other than two targets.
func two(targets []probe.Target) error {
	if len(targets) != 2 {
		return fmt.Errorf("--ab compares two targets, and there are %d: write ttftop run --ab URL_A URL_B", len(targets))
	}
	return nil
}

// note takes an event of the session, and reports whether another pair counts.
func (x *contest) note(e probe.Event) bool {
	switch e := e.(type) {
	case probe.Started:
		x.found.Began(e, 0, 1)
	case probe.Finished:
		x.found.Tried(e.Result.Target, &e.Result)
		return x.found.Take(&e.Result, 0, 1)
	}
	return false
}

// settled reports whether nothing more is needed. A verdict that was reached stands,
// although more pairs may say less: it was valid when it was.
func (x *contest) settled() bool {
	if x.reached == nil && x.found.Outcome() != ab.Undecided {
		v := x.found.Verdict()
		x.reached = &v
	}
	return x.reached != nil && x.slos.settled() || x.found.Pairs() >= x.flags.MaxPairs
}

// verdict is what is said in the end.
func (x *contest) verdict() ab.Verdict {
	v := x.found.Verdict()
	if v.Outcome == ab.Undecided && x.reached != nil {
		v = *x.reached
	}
	if text := x.found.Slow(x.rate, x.order); text != "" {
		v.Warnings = append(v.Warnings, text)
	}
	if n := x.found.UnderWay(); n > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%s left out: still under way at the end, or sent after one that was", ab.Count(n, "pair")))
	}
	return v
}

// end records the verdict and prints it, and says with which status to end where
// nothing else went wrong. Without a comparison it does nothing.
func (x *contest) end(s *session.Config, out, said io.Writer, theme themes.Theme) error {
	if x == nil {
		return nil
	}
	v := x.verdict()
	line := v.Record(time.Now())
	for _, w := range s.Records {
		if err := w.Write(line); err != nil {
			return status{exitLost, "the verdict could not be written: " + err.Error()}
		}
	}
	switch {
	case x.json:
		fmt.Fprintln(said, views.Clean(v.Sentence(), theme.Symbols.ASCII))
	case x.flags.Markdown:
		fmt.Fprint(out, v.Markdown())
	default:
		fmt.Fprintln(out, "\n"+views.PlainVerdict(v, theme))
	}
	return x.flags.status(v)
}
