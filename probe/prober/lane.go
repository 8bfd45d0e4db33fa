package prober

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/chat"
	"ttftop/probe/load"
	"ttftop/probe/prompt"
	"ttftop/probe/schedule"
	"ttftop/probe/transport"
)

// How often a lane looks at its load streams and tells of them.
const loadEvery = 250 * time.Millisecond

// giveUpAfter is the number of refusals in a row (a wrong key, an unknown
// model) after which a counted run stops waiting for a target.
const giveUpAfter = 3

// patience is the longest wait that a counted run takes on itself.
const patience = 10 * time.Minute

// lane probes one target. All but the marked fields belong to the goroutine of
// run.
type lane struct {
	prober  *Prober
	index   int
	target  probe.Target
	pool    *transport.Pool
	builder *prompt.Builder

	shape      atomic.Pointer[chat.Shape] // read by load streams too
	streamTime streamTime                 // set by load streams
	wake       chan struct{}              // a knob was turned

	schedule schedule.Schedule
	hold     hold
	ladder   ladder
	cutter   cutter
	load     *load.Generator
	loadFor  probe.Knobs // what the load streams were last set to
	loadTold probe.Load
	ended    chan shot
	flying   sync.WaitGroup
	inFlight int
	warm     bool // the first request has been answered
	started  int  // ordinary probes
	refused  int  // refusals in a row
	spent    bool // the budget is reached: told once
	gone     bool // a counted run can't go on
}

// shot is one request on its way through an attempt.
type shot struct {
	seq     int
	kind    probe.Kind
	knobs   probe.Knobs
	epoch   int
	due     time.Time
	text    prompt.Text
	request chat.Request
	outcome attempt.Outcome
	begun   time.Time
	alone   bool // nothing else of this lane was in flight when it began
}

func newLane(p *Prober, index int, t probe.Target) (*lane, error) {
	var dial transport.DialFunc
	if p.config.Dial != nil {
		dial = p.config.Dial(t)
	}
	pool, err := transport.New(transport.Options{Endpoint: t.Endpoint, Dial: dial})
	if err != nil {
		return nil, err
	}
	l := &lane{
		prober: p, index: index, target: t, pool: pool,
		builder: prompt.New(p.config.Seed + uint64(index)*0x9e3779b97f4a7c15),
		wake:    make(chan struct{}, 1), ended: make(chan shot, MaxInFlight),
		cutter: newCutter(p.config.IgnoreReported),
		ladder: ladder{off: p.config.Template != nil},
	}
	l.shape.Store(&chat.Shape{})
	return l, nil
}

// poke makes the lane look at its knobs.
func (l *lane) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run probes until ctx ends or the lane is done.
func (l *lane) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	l.load = load.New(ctx, func(load.State) {})
	defer l.pool.Close()
	defer l.load.Close()
	defer l.drainFlying()
	defer cancel()
	if !l.findModels(ctx) {
		return
	}
	look := time.NewTicker(loadEvery)
	defer look.Stop()
	for ctx.Err() == nil && !l.done() {
		timer := time.NewTimer(l.step(ctx, time.Now()))
		select {
		case <-ctx.Done():
		case <-l.wake:
		case <-timer.C:
		case <-look.C:
			l.tellLoad(ctx)
		case s := <-l.ended:
			l.land(ctx, s)
		}
		timer.Stop()
	}
}

// drainFlying waits for the requests in flight and tells how they ended.
func (l *lane) drainFlying() {
	l.flying.Wait()
	for {
		select {
		case s := <-l.ended:
			l.land(context.Background(), s)
		default:
			return
		}
	}
}

// done reports whether the lane has nothing more to do.
func (l *lane) done() bool {
	if l.prober.config.Count == 0 {
		return l.gone
	}
	over := l.gone || l.started >= l.prober.config.Count || l.spent
	return over && l.inFlight == 0
}

// idle is how long a lane with nothing due waits at most before it looks again.
const idle = time.Second

// step starts what is due and returns how long nothing else will be.
func (l *lane) step(ctx context.Context, now time.Time) time.Duration {
	k, epoch, paused := l.prober.knobs(l.index)
	l.setLoad(ctx, k, paused)
	if k.Conn == probe.ColdConn {
		l.pool.Cool()
	}
	switch {
	case paused, l.gone, l.checkBudget(ctx):
		return idle
	case now.Before(l.hold.until):
		return min(idle, l.hold.until.Sub(now))
	}
	if !l.hold.until.IsZero() && l.hold.reason != "" {
		l.hold.reason = ""
		l.prober.emit(ctx, probe.Held{Target: l.index})
	}
	if k.Model != l.ladder.model {
		l.ladder.restart(k.Model)
		l.warm = false
	}
	if l.calibrate(ctx, k, epoch, now) && l.prober.config.LadderFirst {
		return idle
	}
	return l.probe(ctx, k, now)
}

// calibrate sends the warm-up or the next rung of the ladder when nothing is
// in flight, and reports whether there is any left.
func (l *lane) calibrate(ctx context.Context, k probe.Knobs, epoch int, now time.Time) bool {
	busy := l.inFlight > 0 || k.Pressure > 0 && l.warm && !l.prober.config.LadderFirst
	switch {
	case !l.warm && busy:
		return true
	case !l.warm:
		k.MaxTokens, k.Pressure = ladderOutput, 0
		if !l.ladder.off {
			k.PromptTokens = rungs[0]
		}
		l.send(ctx, shot{kind: probe.Warmup, knobs: k, epoch: epoch, due: now})
		return true
	case l.ladder.left() == 0:
		return false
	case !busy:
		l.send(ctx, shot{kind: probe.Calibration, knobs: l.ladder.knobs(k), epoch: epoch, due: now})
		l.ladder.next++
	}
	return true
}

// probe sends the ordinary probe that is due and returns when the next one is.
func (l *lane) probe(ctx context.Context, k probe.Knobs, now time.Time) time.Duration {
	if !l.warm {
		return idle
	}
	l.schedule.Set(k.Rate, now)
	for !l.schedule.Next().After(now) && l.more() {
		due := l.schedule.Take(now)
		k, epoch := l.prober.begin(l.index)
		s := shot{kind: probe.Ordinary, knobs: k, epoch: epoch, due: due}
		l.started++
		if l.inFlight >= MaxInFlight {
			l.skip(ctx, s, now)
			continue
		}
		l.send(ctx, s)
	}
	if !l.more() {
		return idle
	}
	return min(idle, l.schedule.Next().Sub(now))
}

// more reports whether an ordinary probe may still be started.
func (l *lane) more() bool {
	return l.prober.config.Count == 0 || l.started < l.prober.config.Count
}

// checkBudget reports whether the token budget is reached, and says so once.
func (l *lane) checkBudget(ctx context.Context) bool {
	if !l.prober.meter.Exhausted() {
		return false
	}
	if !l.spent {
		l.spent = true
		l.prober.emit(ctx, l.prober.meter.Spent())
	}
	return true
}

// setLoad asks for the load streams of the knobs. The ladder of a counted run
// comes before them.
func (l *lane) setLoad(ctx context.Context, k probe.Knobs, paused bool) {
	n := k.Pressure
	if paused || l.gone || l.prober.meter.Exhausted() || l.prober.config.LadderFirst && (!l.warm || l.ladder.left() > 0) {
		n = 0
	}
	k.Pressure = n
	fresh := k.Model != l.loadFor.Model || k.PromptTokens != l.loadFor.PromptTokens
	if n == l.loadFor.Pressure && (!fresh || n == 0) {
		return
	}
	l.loadFor = k
	l.load.Set(n, l.loadStream(k), fresh)
	l.tellLoad(ctx)
}

// tellLoad tells of the load streams when they have changed.
func (l *lane) tellLoad(ctx context.Context) {
	s := l.load.State()
	e := probe.Load{Target: l.index, Asked: s.Asked, InFlight: s.InFlight, Failed: s.Failed, StreamTime: time.Duration(l.streamTime.Load())}
	if s.Err != nil {
		e.LastErr = s.Err.Error()
	}
	if e == l.loadTold {
		return
	}
	l.loadTold = e
	l.prober.emit(ctx, e)
	l.prober.emit(ctx, l.prober.meter.Spent())
}
