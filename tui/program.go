package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/probe/prober"
	"ttftop/probe/session"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// While a probe waits for its first token the picture moves, else it changes
// when something has happened, and once a second for the axis. What a person
// does is seen at once, at fps frames a second at most.
const (
	fps       = 30
	moveEvery = time.Second / 10
	restEvery = time.Second
)

// Options says how the screen looks and what it is shown on.
type Options struct {
	Theme   themes.Theme
	Fixed   bool    // the theme was asked for; else it follows the terminal's background
	Colours Colours // as ColoursOf found them; 0 where nobody has looked
	Record  string  // path of the record file, "" for none
	// Truth is what simulated endpoints say of a request, by target and by the
	// identifier in the response headers: the cut of its server time. It is nil
	// where any endpoint is real.
	Truth func(target int, requestID string) (probe.Waterfall, bool)
	// Levers are what simulated servers let a person turn, by target, and Settle is
	// what those of a target would be with one at a value as it was typed. Behind
	// says that this machine can't keep up with what it simulates; "" where it can.
	// They are nil where any endpoint is real.
	Levers  [][]probe.Lever
	Settle  func(target int, now probe.Levers, name, text string) (probe.Levers, error)
	Behind  func() string
	Terms   ab.Config   // margin and confidence of a comparison, and whether two models are compared; the names are not looked at
	Compare bool        // begin with the view of a comparison
	Order   probe.Order // in which pairs are sent, "" for the one that disturbs least
	Tour    bool        // begin with the guided tour; simulated endpoints alone have one
	Input   io.Reader
	Output  io.Writer
	Environ []string
}

// ErrPanic is returned when the program has panicked. The terminal is restored
// and the panic printed by then.
var ErrPanic = errors.New("ttftop has crashed: this is a fault in ttftop")

// Run shows a session until the person quits, ctx ends, or the session panics.
// Where the knobs that it starts with cost much the screen asks first. When
// Run returns, the session has ended and the terminal is as it was.
func Run(ctx context.Context, c session.Config, o Options) (*session.Session, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var program *tea.Program
	ready := make(chan struct{})
	handOver := func(cause any) {
		<-ready
		program.Send(panicked{fmt.Sprintf("%v\n\n%s", cause, debug.Stack())})
	}
	if o.Tour && !tourable(c.Prober) {
		return nil, ErrTour
	}
	targets := c.Prober.Targets
	m, wanted := begin(&c, o)
	c.Prober.Panic = handOver
	books := newBooks(o.Truth)
	versus := newContest(targets, c.Prober.Settings, o.Terms)
	before := c.On
	c.On = func(e probe.Event, t *tally.Tally) {
		if before != nil {
			before(e, t)
		}
		books.note(e, t)
		versus.note(e, t)
	}
	s, err := session.New(c)
	if err != nil {
		return nil, err
	}
	m.engine = applier{ctx, s}
	look := func() *state {
		st := gather(s, targets, o.Record, time.Now())
		books.lay(st)
		versus.lay(st)
		st.told(o.Behind)
		return st
	}
	m.books, m.ignoring = books != nil, c.Prober.IgnoreReported
	m.state = look()
	m.greet(wanted, c.Prober.Settings)
	m.tour.asked = o.Tour
	environ := o.Environ
	if environ == nil {
		environ = os.Environ()
	}
	m.remote = lookup(environ, "SSH_TTY") != ""
	terminal := newDrain(os.Stdout)
	defer terminal.out.close()
	var stopped stops
	opts := append(options(ctx, o), tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		msg = terminal.filter(ctx, msg)
		stopped.filter(msg)
		return msg
	}))
	if o.Output == nil {
		opts = append(opts, tea.WithOutput(terminal))
		if m.remote {
			terminal.echo = &echo{}
		}
	}
	program = tea.NewProgram(m, opts...)
	close(ready)

	var wait sync.WaitGroup
	wait.Go(func() {
		defer guard(handOver)
		s.Run(ctx)
	})
	wait.Go(func() {
		defer guard(handOver)
		forward(ctx, s, look, program, terminal)
	})
	wait.Go(func() {
		defer guard(handOver)
		stopped.watch(ctx, program.Send)
	})
	_, err = program.Run()
	cancel()
	err = ended(err)
	await(&wait, errors.Is(err, ErrPanic))
	return s, err
}

// begin makes the model of a session, and leaves in it the knobs that it may
// start with before anybody was asked about those that were wanted.
func begin(c *session.Config, o Options) (m model, wanted probe.Settings) {
	wanted = c.Prober.Settings.Clone()
	usualSides(&wanted)
	m = model{cache: &cache{}, targets: c.Prober.Targets, theme: o.Theme, fixed: o.Fixed, plain: o.Colours != 0 && !o.Colours.Any()}
	m.order, m.twoModels = o.Order, o.Terms.TwoModels
	if o.Compare {
		m.mode, m.begun = compare, true
		if len(m.targets) > 1 {
			wanted.Pairs.On, wanted.Pairs.Order = true, m.orderOf(wanted.Pairs)
		}
	}
	m.settings = wanted
	m.sim = simLevers{all: o.Levers, settle: o.Settle}
	if c.Prober.Template == nil { // a person's own request has no length to turn
		m.ladder = prober.CalibrationTokens()
	}
	c.Prober.Settings = m.safe(wanted)
	return m, wanted
}

// told puts into a state whether the machine keeps up with what it simulates.
func (st *state) told(behind func() string) {
	if behind != nil {
		st.status.Behind = behind()
	}
}

// crashGrace is how long the rest of a session may take to end after a panic.
const crashGrace = 2 * time.Second

// await waits for the goroutines of a session; not for ever after a panic,
// which may have left a lock behind that they wait for.
func await(wait *sync.WaitGroup, crashed bool) {
	if !crashed {
		wait.Wait()
		return
	}
	done := make(chan struct{})
	go func() {
		wait.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(crashGrace):
	}
}

func options(ctx context.Context, o Options) []tea.ProgramOption {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(fps)}
	if o.Colours != 0 {
		opts = append(opts, tea.WithColorProfile(colorprofile.Profile(o.Colours)))
	}
	if o.Input != nil {
		opts = append(opts, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		opts = append(opts, tea.WithOutput(o.Output))
	}
	if o.Environ != nil {
		opts = append(opts, tea.WithEnvironment(o.Environ))
	}
	return opts
}

// ended is what the end of the program means: quitting by key or signal is no
// error.
func ended(err error) error {
	switch {
	case err == nil, errors.Is(err, tea.ErrInterrupted), errors.Is(err, context.Canceled):
		return nil
	case errors.Is(err, tea.ErrProgramPanic):
		return ErrPanic
	}
	return fmt.Errorf("the screen can't be shown: %w", err)
}

// guard hands a panic of this goroutine over.
func guard(handOver func(any)) {
	if r := recover(); r != nil {
		handOver(r)
	}
}

// applier sends turned knobs to the session.
type applier struct {
	ctx     context.Context
	session *session.Session
}

func (a applier) allowed(s probe.Settings) (probe.Settings, error) { return a.session.Allowed(s) }

func (a applier) apply(s probe.Settings) { a.session.Apply(a.ctx, s) }

func (a applier) mark(note string) { a.session.Mark(a.ctx, note) }

func (a applier) clear() { a.session.Clear(a.ctx) }

// safe is what may be probed before the person has agreed to the cost of what
// was wanted: nothing, where that needs a question.
func (m *model) safe(wanted probe.Settings) probe.Settings {
	safe := wanted.Clone()
	if m.consent.asks(cost{}, m.cost(wanted)) {
		safe.Paused = true
	}
	return safe
}

// greet asks about the cost of the knobs that the person started with.
func (m *model) greet(wanted, safe probe.Settings) {
	if safe.Paused == wanted.Paused {
		return
	}
	m.settings = safe
	m.ask(proposal{settings: wanted})
}

// forward brings the state of the session to the program, once in moveEvery at
// most: each frame costs bytes. A slow terminal is waited for.
func forward(ctx context.Context, s *session.Session, look func() *state, program *tea.Program, terminal *drain) {
	timer := time.NewTimer(restEvery)
	defer timer.Stop()
	var dropped drops
	for first := true; ctx.Err() == nil; first = false {
		select {
		case <-ctx.Done():
			return
		case <-s.Changed():
		case <-timer.C:
		}
		offered := time.Now()
		st := look()
		st.status.Dropped = dropped.recent(offered)
		program.Send(frame{st})
		if taken := time.Now(); !first { // the first waits for the program to begin
			dropped.took(taken, taken.Sub(offered))
		}
		every := restEvery
		if st.busy {
			every = moveEvery
		}
		timer.Reset(every)
		terminal.settle(ctx, program.Send)
		if stuck := terminal.relieve(ctx, program.Send); stuck > 0 {
			dropped.took(time.Now(), stuck)
		}
	}
}
