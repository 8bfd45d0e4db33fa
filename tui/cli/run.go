package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"ttftop/probe"
	"ttftop/probe/diagnose"
	"ttftop/probe/record"
	"ttftop/probe/session"
	"ttftop/probe/setup"
	"ttftop/probe/tally"
	"ttftop/themes"
	"ttftop/views"
)

func (c *runCmd) Run() error {
	if c.N < 0 || c.For < 0 {
		return errors.New("-n and --for count up from 0: write -n 50, or --for 30s")
	}
	plan, err := c.plan()
	if err != nil {
		return err
	}
	defer plan.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	theme := plainTheme()
	plan.Session.Version = version()
	plan.Session.Prober.Count, plan.Session.Prober.LadderFirst = c.N, true
	out, said := newOutlet(ctx, os.Stdout), newOutlet(ctx, os.Stderr)
	defer said.Close() // nowhere to tell an error
	c.output(&plan.Session, out, said, theme)
	timed, cancel := c.timed(ctx)
	defer cancel()
	heard := hears(&plan.Session)
	slos := c.judges(&plan.Session)
	versus := c.contest(&plan.Session, slos, cancel)
	s, err := session.New(plan.Session)
	if err != nil {
		return err
	}
	s.Run(timed)
	found := slos.end(&plan.Session) // before the verdict, whose record is the last
	found = worse(found, versus.end(&plan.Session, out, said, theme))
	outErr := out.Close()
	err = c.end(s, plan, slos, ctx.Err() != nil, outErr, said, theme)
	if err == errNoSuccess && heard.prepared() {
		if versus == nil {
			return status{exitNoSuccess, "nothing was measured: the time went into calibration, so give a longer --for"}
		}
		err = nil
	}
	return cmp.Or(err, found)
}

// errNoSuccess is the end of a run without a success among the probes that count.
var errNoSuccess error = status{exitNoSuccess, "no probe succeeded"}

// heard is what came of a session's probes, whatever they were sent for.
type heard struct{ answered, failed, counted atomic.Bool }

// hears has it listen to a session.
func hears(s *session.Config) *heard {
	h := &heard{}
	before := s.On
	s.On = func(e probe.Event, t *tally.Tally) {
		if before != nil {
			before(e, t)
		}
		if f, ok := e.(probe.Finished); ok {
			why := f.Result.Failure
			h.answered.CompareAndSwap(false, why == nil)
			h.failed.CompareAndSwap(false, why != nil && why.Kind != probe.FailCanceled)
			h.counted.CompareAndSwap(false, f.Result.Kind == probe.Ordinary)
		}
	}
	return h
}

// prepared reports whether the endpoints answered, but none of the probes came that
// count.
func (h *heard) prepared() bool { return h.answered.Load() && !h.counted.Load() }

// failedAll reports whether probes failed and none had an answer.
func (h *heard) failedAll() bool { return h.failed.Load() && !h.answered.Load() }

// timed ends with ctx, when it is cancelled, or after the time asked for.
func (c *runCmd) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.For > 0 {
		return context.WithTimeout(ctx, c.For)
	}
	return context.WithCancel(ctx)
}

func (c *runCmd) plan() (plan *setup.Plan, err error) {
	if err := c.lay(); err != nil {
		return nil, err
	}
	if c.Simulated {
		plan, err = setup.DemoAlone(c.EndpointFlags, c.ProbeFlags)
	} else {
		plan, err = setup.Configured(c.EndpointFlags, c.ProbeFlags)
	}
	if err == nil && c.on() {
		if err = two(plan.Session.Prober.Targets); err != nil {
			plan.Close()
		}
	}
	return plan, err
}

// output prints each probe to out as it ends, and to said what else there is
// to know.
func (c *runCmd) output(s *session.Config, out, said io.Writer, theme themes.Theme) {
	var names []string
	for _, t := range s.Prober.Targets {
		names = append(names, t.Name)
	}
	table := views.NewPlainTable(names, theme)
	if c.JSON {
		s.Records = append(s.Records, record.NewWriter(out))
	} else if !c.Markdown {
		fmt.Fprintln(out, table.Head())
	}
	s.On = func(e probe.Event, _ *tally.Tally) {
		switch e := e.(type) {
		case probe.Finished:
			if !c.JSON && !c.Markdown {
				fmt.Fprintln(out, table.Row(&e.Result, s.Prober.Targets[e.Result.Target].Name))
			}
		case probe.Notice:
			fmt.Fprintln(said, "ttftop:", s.Prober.Targets[e.Target].Name+":", views.Clean(e.Text, theme.Symbols.ASCII))
		case probe.Held:
			if !e.Until.IsZero() {
				fmt.Fprintf(said, "ttftop: %s: %s, %v\n", s.Prober.Targets[e.Target].Name, e.Reason, time.Until(e.Until).Round(100*time.Millisecond))
			}
		}
	}
}

// end prints the summary to said and chooses the exit status. outErr is what
// went wrong with the table or the records on standard output.
func (c *runCmd) end(s *session.Session, plan *setup.Plan, slos judges, interrupted bool, outErr error, said io.Writer, theme themes.Theme) error {
	succeeded, lost, target := false, false, 0
	summarize(s, plan.Session.Prober.Targets, func(name string, k probe.Knobs, t *tally.Target) {
		f := t.Figures()
		w, _ := t.P50()
		succeeded = succeeded || f.Succeeded() > 0
		fmt.Fprintln(said, views.PlainSummary(name, k.Model, f, w, t.Nearest(), theme))
		for i, slo := range plan.Session.Prober.Settings.SLO {
			n, of := t.Within(slo.Limit)
			fmt.Fprintln(said, views.PlainLimit(slo, views.Share{N: n, Of: of}, f, theme)+slos.line(target, i, theme))
		}
		target++
		fmt.Fprintln(said, views.PlainDiagnosis(diagnose.Target(t, k), theme))
		if why := cause(t, theme); why != "" {
			fmt.Fprintln(said, " ", strings.TrimPrefix(why, "; "))
		}
		if line := views.PlainProxyOnly(t.Flags); line != "" {
			fmt.Fprintln(said, line)
		}
		for _, line := range append(views.PlainKept(t.Overall()), views.PlainBeside(t.Beside)...) {
			fmt.Fprintln(said, line)
		}
	})
	if plan.Behind != nil && plan.Behind() != "" {
		fmt.Fprintln(said, "ttftop:", plan.Behind())
	}
	s.View(func(t *tally.Tally, writeErr error) {
		spent := t.Spent()
		if busy, worst := t.Lateness(); busy > 0 {
			fmt.Fprintln(said, views.PlainBusy(busy, worst, theme))
		}
		fmt.Fprintf(said, "%s tokens sent, %s received\n", views.Count(spent.Sent), views.Count(spent.Received))
		if spent.Exhausted {
			fmt.Fprintln(said, "the token budget is reached: probing has stopped")
		}
		if writeErr != nil && !errors.Is(writeErr, outErr) {
			lost = true
			fmt.Fprintln(said, "ttftop: a record could not be written:", writeErr)
		}
	})
	if outErr != nil {
		lost = true
		fmt.Fprintln(said, "ttftop: standard output could not be written:", outErr)
	}
	switch {
	case interrupted:
		return status{exitInterrupted, "interrupted"}
	case lost:
		return status{exitLost, "part of the output is missing"}
	case !succeeded:
		return errNoSuccess
	}
	return nil
}
