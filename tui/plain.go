package tui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/muesli/cancelreader"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/probe/session"
	"ttftop/probe/tally"
	"ttftop/themes"
	"ttftop/views"
)

// plain is a session without a screen: a line for each probe, and the knobs as
// typed commands. It stands on the model of the screen, so that knobs, undo and
// consent are the same.
type plain struct {
	m       model // of the loop alone
	targets []probe.Target
	session *session.Session
	record  string
	voice   *voice
	pace    linePace
	told    int // the epoch whose effect was told last
	over    bool
	lag     func() string    // that this machine can't keep up with what it simulates; may be nil
	behind  bool             // it was told so
	holding <-chan time.Time // commands wait for it; nil for none
	until   int              // commands wait for so many probes of each target in this epoch; 0 for none
	versus  *contest
	outcome ab.Outcome // of the comparison, as it was told last
}

// voice says lines; those of probes and those of commands don't mix.
type voice struct {
	mu    sync.Mutex
	out   io.Writer
	theme themes.Theme
}

func (v *voice) say(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		fmt.Fprintln(v.out, views.Line(line, v.theme)) // a terminal that is gone ends the session by a signal
	}
}

// refreshEvery is how often a plain session looks at what there is to tell
// besides probes.
const refreshEvery = time.Second / 2

// Plain runs a session without a screen until a person quits or ctx ends: it
// prints a line for each probe to o.Output and takes commands from o.Input, one
// a line. Where the knobs that it starts with cost much it asks first. When the
// input ends it quits where a person types there, and goes on without commands
// otherwise.
func Plain(ctx context.Context, c session.Config, o Options, typed bool) (*session.Session, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m, wanted := begin(&c, o)
	p := &plain{m: m, targets: c.Prober.Targets, record: o.Record, voice: &voice{out: o.Output, theme: o.Theme}, lag: o.Behind}
	p.versus = newContest(p.targets, c.Prober.Settings, o.Terms)
	before := c.On
	c.On = func(e probe.Event, t *tally.Tally) {
		if before != nil {
			before(e, t)
		}
		p.hear(e, t)
		p.versus.note(e, t)
	}
	s, err := session.New(c)
	if err != nil {
		return nil, err
	}
	input, err := cancelreader.NewReader(o.Input)
	if err != nil { // what can't be polled, such as a file, needs not be: a read of it never waits
		input, err = cancelreader.NewReader(struct{ io.Reader }{o.Input})
	}
	if err != nil {
		return nil, fmt.Errorf("commands can't be read: %w", err)
	}
	p.session, p.m.engine = s, applier{ctx, s}
	p.refresh()
	p.welcome()
	p.m.greet(wanted, c.Prober.Settings)
	p.asks()

	lines := make(chan string)
	var running, reading sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	reading.Go(func() { readLines(ctx, input, lines) })
	p.loop(ctx, lines, typed)
	cancel()
	if input.Cancel() { // else a read that nothing can end may go on
		reading.Wait()
	}
	running.Wait()
	return s, nil
}

// readLines sends the lines of an input until it ends or ctx does.
func readLines(ctx context.Context, input io.Reader, lines chan<- string) {
	defer close(lines)
	scan := bufio.NewScanner(input)
	for scan.Scan() {
		select {
		case lines <- scan.Text():
		case <-ctx.Done():
			return
		}
	}
}

// loop obeys until a person quits or ctx ends.
func (p *plain) loop(ctx context.Context, lines <-chan string, typed bool) {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		next := lines
		if p.holding != nil || p.until > 0 {
			next = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.refresh()
			p.tellEffect()
			p.tellVerdict()
			if p.probes() >= p.until {
				p.until = 0
			}
		case <-p.holding:
			p.holding = nil
		case line, ok := <-next:
			if !ok && typed {
				return
			}
			if !ok {
				lines = nil
				p.refuse()
				p.voice.say("no more commands: this goes on until it is interrupted")
				continue
			}
			if p.take(ctx, line) {
				return
			}
		}
	}
}

// take obeys a line, once what the lines before it changed has arrived: commands
// from a file come at once after each other.
func (p *plain) take(ctx context.Context, line string) (quit bool) {
	p.session.Settle(ctx)
	p.refresh()
	return p.obey(line)
}

// refresh takes over what the engine knows, and says what it did to the knobs
// by itself.
func (p *plain) refresh() {
	p.m.state = gather(p.session, p.targets, p.record, time.Now())
	p.m.state.told(p.lag)
	if p.versus != nil {
		p.versus.lay(p.m.state)
	}
	p.m.adopt()
	if text := p.m.state.status.Behind; (text != "") != p.behind {
		p.behind = text != ""
		p.say(text, "this machine keeps up with what it simulates again")
	}
	p.m.hush()
	p.m.stepBack()
	if p.m.notice != "" {
		p.voice.say("%s", p.m.notice)
	}
	if p.m.state.over && !p.over {
		p.over = true
		p.voice.say("the token budget is reached: probing has stopped")
	}
}

// probes is how many have ended in this epoch, of the target with the fewest.
func (p *plain) probes() int {
	least := math.MaxInt
	for _, t := range p.m.state.targets {
		least = min(least, t.Figures.Probes)
	}
	return least
}

// welcome says what is probed.
func (p *plain) welcome() {
	if p.m.simulated() {
		p.voice.say("SIMULATED: no real endpoint is measured")
	}
	for i, t := range p.m.state.targets {
		p.voice.say("%s", views.PlainTarget(t, i))
	}
	p.voice.say("the parts of a probe are in ms: m measured, r reported by the server, e estimated")
	p.voice.say("type help for the commands, quit to end")
}

// hear tells what happens, as it happens.
func (p *plain) hear(e probe.Event, _ *tally.Tally) {
	switch e := e.(type) {
	case probe.Finished:
		if p.says(&e.Result) {
			p.voice.say("%s", views.PlainProbe(&e.Result, p.targets[e.Result.Target].Name, p.voice.theme))
		}
	case probe.Notice:
		name := ""
		if e.Target >= 0 {
			name = p.targets[e.Target].Name + ": "
		}
		p.voice.say("%s%s", name, e.Text)
	case probe.Held:
		if !e.Until.IsZero() {
			p.voice.say("%s: %s, %v", p.targets[e.Target].Name, e.Reason, time.Until(e.Until).Round(time.Second/10))
		}
	}
}

// says reports whether a probe has a line: one that failed always does.
func (p *plain) says(r *probe.Result) bool {
	if r.Failure != nil {
		return r.Failure.Kind != probe.FailCanceled
	}
	return p.pace.due(r.Target, time.Now())
}

// tellEffect says what the last change did, once that is known of every target
// of which it can be.
func (p *plain) tellEffect() {
	s := p.m.state
	if s.effect == nil || s.epoch == p.told {
		return
	}
	for _, t := range s.effect.Targets {
		if t.After.P50.N < tally.Enough {
			return
		}
	}
	p.told = s.epoch
	p.voice.say("%s", views.PlainEffect(p.m.snapshot(), p.voice.theme))
}

// asks says the question that waits for an answer, if there is one.
func (p *plain) asks() {
	if p.m.pending == nil {
		return
	}
	for _, line := range p.m.dialog.Lines {
		p.voice.say("%s", line)
	}
	p.voice.say("This costs tokens. Go on? Type yes or no.")
}

// refuse answers a question with no where nobody can answer it any more.
func (p *plain) refuse() {
	if p.m.pending != nil {
		p.voice.say("nobody can answer any more: that is a no")
		p.decide(false)
	}
}
