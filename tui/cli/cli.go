// Package cli is the command line: its flags and commands, what they print where
// there is no screen, and how each ends. Main runs it; the commands are kong's
// structs, one file each for the longer ones.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/probe/config"
	"ttftop/probe/session"
	"ttftop/probe/setup"
	"ttftop/probe/sim/scenario"
	"ttftop/probe/tally"
	"ttftop/themes"
	"ttftop/tui"
	"ttftop/views"
)

// Exit status, beside 0.
const (
	exitSlower      = 1 // B is, with --fail-if-slower
	exitBroken      = 1 // an SLO is
	exitUsage       = 2
	exitNoSuccess   = 3
	exitUndecided   = 4
	exitCrash       = 70 // a fault in ttftop itself
	exitLost        = 74 // records could not be written
	exitInterrupted = 130
)

type cli struct {
	Explore exploreCmd       `cmd:"" default:"withargs" help:"Show probes on a screen: of the URLs given, else of the configuration file, else of the demo."`
	Demo    demoCmd          `cmd:"" help:"Show probes of simulated endpoints: needs no key and no network."`
	Env     envCmd           `cmd:"" help:"Show probes of the endpoint of OPENAI_BASE_URL."`
	Run     runCmd           `cmd:"" help:"Probe without a screen: a table, or records with --json, on stdout; a summary on stderr."`
	Compare compareCmd       `cmd:"" help:"Say which of two recordings is faster, by how much, and whether that is certain."`
	Sim     simCmd           `cmd:"" help:"Serve a simulated endpoint alone, for any OpenAI client."`
	Config  configCmd        `cmd:"" help:"Print a commented configuration file."`
	Version kong.VersionFlag `help:"Print the version."`
}

type screenFlags struct {
	Theme string `placeholder:"NAME" help:"Colours: auto, ${themes}."`
	ASCII bool   `name:"ascii" help:"Draw with ASCII alone."`
	Plain bool   `help:"No screen: a line for each probe, and the knobs as typed commands; for screen readers too."`
	AB    bool   `name:"ab" help:"Begin with the comparison of the first two targets."`
	pairFlags
	termFlags
	Tour bool `help:"Begin with a guided tour of the simulated endpoints: a minute and a half that turns the knobs by itself."`
}

type exploreCmd struct {
	setup.EndpointFlags
	setup.ProbeFlags
	ABModels twoModels `name:"ab-models" placeholder:"M1 M2" help:"Compare two models of one URL."`
	screenFlags
}

type envCmd exploreCmd

type demoCmd struct {
	setup.ProbeFlags
	setup.HandoffFlags
	screenFlags
}

type runCmd struct {
	setup.EndpointFlags
	setup.ProbeFlags
	Simulated bool          `name:"demo" help:"Probe the simulated endpoints of the demo."`
	N         int           `short:"n" placeholder:"N" help:"Probes for each target; calibration is not counted."`
	For       time.Duration `placeholder:"TIME" help:"Stop after a time, such as 30s or 5m."`
	JSON      bool          `name:"json" help:"Print records as JSON Lines in place of a table."`
	contestFlags
}

type configCmd struct{}

// Main runs the program with the arguments of the process, and ends it with the
// status that README.md lists where that is not 0.
func Main() {
	log.SetOutput(io.Discard) // what net/http remarks on idle connections would spoil the screen
	var c cli
	parser := kong.Must(&c, count, kong.Name("ttftop"), kong.Description("top for time to first token: why is the first token slow?"), kong.Vars{
		"version": version(), "scenarios": strings.Join(scenario.Names(), ", "), "themes": strings.Join(themes.Names(), ", "),
	})
	parsed, err := parser.Parse(negatives(os.Args[1:]))
	if err != nil {
		err = fmt.Errorf("%w: see ttftop --help", err)
	} else {
		err = parsed.Run()
	}
	if err == nil {
		return
	}
	code := exitUsage
	if s, ok := errors.AsType[status](err); ok {
		code = s.code
	} else if errors.Is(err, tui.ErrPanic) {
		code = exitCrash
	}
	last := parting(os.Stderr)
	fmt.Fprintln(last, "ttftop:", err)
	last.Close() // nowhere to tell an error
	os.Exit(code)
}

// parting is an outlet for what is said at the end, which keeps the program for a
// moment at most.
func parting(out io.Writer) *outlet {
	ended, end := context.WithCancel(context.Background())
	end()
	return newOutlet(ended, out)
}

// negatives ties a negative number to the flag before it, so that it is refused by
// whom it is for and not taken for another flag.
func negatives(args []string) (all []string) {
	for _, arg := range args {
		_, err := strconv.ParseFloat(arg, 64)
		if n := len(all); n > 0 && err == nil && strings.HasPrefix(arg, "-") && strings.HasPrefix(all[n-1], "--") && !strings.Contains(all[n-1], "=") {
			all[n-1] += "=" + arg
			continue
		}
		all = append(all, arg)
	}
	return all
}

// status is an error with an exit status of its own.
type status struct {
	code int
	text string
}

func (s status) Error() string { return s.text }

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func (*configCmd) Run() error {
	_, err := fmt.Print(config.Example())
	return err
}

func (c *exploreCmd) Run() error {
	if err := c.ABModels.lay(&c.EndpointFlags, "ttftop"); err != nil {
		return err
	}
	o := tui.Options{Compare: len(c.ABModels) > 0, Terms: ab.Config{TwoModels: len(c.ABModels) > 0}}
	return show(c.screenFlags, o, func() (*setup.Plan, error) { return setup.Usual(c.EndpointFlags, c.ProbeFlags) })
}

func (c *envCmd) Run() error {
	if len(c.ABModels) > 0 {
		return errors.New("env probes one model: write ttftop --ab-models M1 M2 URL")
	}
	return show(c.screenFlags, tui.Options{}, func() (*setup.Plan, error) { return setup.FromEnv(c.EndpointFlags, c.ProbeFlags) })
}

func (c *demoCmd) Run() error {
	return show(c.screenFlags, tui.Options{}, func() (*setup.Plan, error) { return setup.Demo(c.ProbeFlags, c.HandoffFlags) })
}

// show runs a session on the screen, or without one where that is asked for or
// the terminal takes no control sequences, and leaves a summary line per target.
// o holds the options beside those of the flags.
func show(f screenFlags, o tui.Options, prepare func() (*setup.Plan, error)) error {
	typed, seen := term.IsTerminal(int(os.Stdin.Fd())), term.IsTerminal(int(os.Stdout.Fd()))
	plain := f.Plain || seen && tui.Dumb(os.Environ())
	if err := f.versus(&o); err != nil {
		return err
	}
	if plain && f.Tour {
		return errors.New("the tour is on the screen: leave away --plain, or set TERM to what your terminal is, such as xterm-256color")
	}
	if f.Tour && o.Compare {
		return errors.New("the tour turns the knobs for its own probes: leave away --tour, or --ab")
	}
	plan, err := prepare()
	if err != nil {
		return err
	}
	defer plan.Close()
	l, err := pick(f, plan)
	if err != nil {
		return err
	}
	if !plain && !(typed && seen) {
		return errors.New("the screen needs a terminal: write --plain for lines and typed commands, ttftop run … for a table, or ttftop run … --json for records")
	}
	plan.Session.Version = version()
	o.Theme, o.Fixed, o.Colours, o.Record, o.Truth = l.theme, l.fixed, l.colours, plan.Record, plan.Truth
	o.Levers, o.Settle, o.Behind = plan.Levers, plan.Settle, plan.Behind
	o.Tour = f.Tour
	if plain {
		return lines(plan, o, typed)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	s, err := tui.Run(ctx, plan.Session, o)
	if s != nil && err == nil {
		last := parting(os.Stdout)
		leave(last, s, plan, l.theme)
		last.Close() // the terminal has nowhere to tell an error
	}
	return err
}

// lines runs a session without a screen.
func lines(plan *setup.Plan, options tui.Options, typed bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	out := newOutlet(ctx, os.Stdout)
	options.Input, options.Output = os.Stdin, out
	heard := hears(&plan.Session)
	s, err := tui.Plain(ctx, plan.Session, options, typed)
	if s != nil && err == nil {
		leave(out, s, plan, options.Theme)
	}
	if lost := out.Close(); err == nil && lost != nil {
		err = status{exitLost, "standard output could not be written: " + lost.Error()}
	}
	if err == nil && heard.failedAll() {
		err = errNoSuccess
	}
	return err
}

// leave says a summary line per target.
func leave(out io.Writer, s *session.Session, plan *setup.Plan, theme themes.Theme) {
	summarize(s, plan.Session.Prober.Targets, func(name string, k probe.Knobs, t *tally.Target) {
		fmt.Fprintln(out, views.PlainLine(name, k.Model, t.Figures(), theme)+cause(t, theme))
	})
}

// versus takes what the flags say of a comparison into the options.
func (f screenFlags) versus(o *tui.Options) (err error) {
	two := o.Terms.TwoModels
	o.Compare, o.Terms = o.Compare || f.AB, f.config("", "")
	o.Terms.TwoModels = two
	o.Order, err = f.order()
	return cmp.Or(err, f.check())
}

// cause is why a target's last probe failed, to stand behind its figures.
func cause(t *tally.Target, theme themes.Theme) string {
	if t.Failure == nil {
		return ""
	}
	return "; the last one: " + views.Clean(t.Failure.Error(), theme.Symbols.ASCII)
}

// look is how the screen looks.
type look struct {
	theme   themes.Theme
	fixed   bool // it was asked for, and does not follow the background
	colours tui.Colours
}

// pick chooses the theme: by flag, by the configuration file, or later by the
// terminal's background. A terminal without colours has the one without.
func pick(f screenFlags, plan *setup.Plan) (look, error) {
	name, at := f.Theme, "--theme"
	if name == "" {
		name, at = plan.Theme, plan.ThemeAt
	}
	named := name != "" && name != "auto"
	l := look{fixed: named, colours: tui.ColoursOf(os.Stdout, os.Environ(), named)}
	var err error
	if l.theme, err = themes.Pick(name, true, !l.colours.Any()); err != nil {
		return l, fmt.Errorf("%s: %w", at, err)
	}
	if !l.colours.Any() {
		l.theme, l.fixed = themes.Mono(), true
	}
	if f.ASCII || tui.ASCIILocale(os.Environ()) {
		l.theme = l.theme.ASCII()
	}
	return l, nil
}

// plainTheme is that of what is printed without a screen.
func plainTheme() themes.Theme {
	if tui.ASCIILocale(os.Environ()) {
		return themes.Mono().ASCII()
	}
	return themes.Mono()
}

// summarize gives each target with its present knobs to f.
func summarize(s *session.Session, targets []probe.Target, f func(name string, k probe.Knobs, t *tally.Target)) {
	s.View(func(t *tally.Tally, _ error) {
		for i, target := range targets {
			f(target.Name, t.Settings().Knobs[i], t.Target(i))
		}
	})
}
