package prober

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/chat"
	"ttftop/probe/endpoint"
	"ttftop/probe/load"
	"ttftop/probe/prompt"
	"ttftop/probe/reported"
	"ttftop/probe/schedule"
	"ttftop/probe/scrape"
	"ttftop/probe/transport"
)

// lane probes one target. All but the marked fields belong to the goroutine of
// run.
type lane struct {
	prober  *Prober
	index   int
	target  probe.Target
	pool    *transport.Pool
	builder *prompt.Builder
	secrets []string // of the endpoint, never to be shown

	shape      atomic.Pointer[chat.Shape]      // read by load streams too
	streamTime atomic.Int64                    // how long the last load stream took, 0 before one has ended; set by load streams
	trivial    atomic.Pointer[trivial]         // of the path as it is; replaced when levers are turned
	byList     atomic.Pointer[reported.Server] // that the list of models points to, nil for none; set beside the first probes
	overran    atomic.Bool                     // a load stream went on beyond what was asked for; set by load streams
	wake       chan struct{}                   // a knob was turned

	schedule schedule.Schedule
	late     bool // the schedule stood still on purpose: that is no lag
	hold     hold
	holdTold probe.Held
	ladder   *ladder // of the present model
	ladders  map[string]*ladder
	asked    *trivial  // that trivial requests were last sent for, nil before the first
	rungAt   time.Time // when a rung was last sent, or the model chosen
	rungs    int       // in flight
	cutter   cutter
	ackShape *chat.Shape // that the fast model of a handoff takes, nil before it was asked
	load     *load.Generator
	loadFor  probe.Knobs // what the load streams were last set to
	loadTold probe.Load
	loadDue  time.Time // when the load streams may be told of again
	surplus  time.Time // when there were last more load streams, whose connections may be idle
	ended    chan shot
	flying   sync.WaitGroup
	begins   []time.Time // of the last requests
	body     []byte      // of the last request, without its prompt
	aloft    map[int]int // probes in flight by the epoch they began in
	started  int         // ordinary probes that count
	due      int         // ordinary probes that were due
	missed   int         // of these, skipped or swallowed by a stall of this program
	paceDue  time.Time   // when that is told again
	closes   bool        // told that the server closes its connections
	spent    bool        // the budget is reached: told once
	gone     bool        // a run that is to end by itself can't go on

	sentinels sentinels
	listed    listing

	persistence persistence
	metrics     metrics

	countsUncached bool // the server counts no cached prompt tokens at all
}

// shot is one request on its way through an attempt.
type shot struct {
	seq     int
	kind    probe.Kind
	knobs   probe.Knobs
	epoch   int
	due     time.Time
	pair    int // number of its pair, 0 for none
	side    int // of it
	text    prompt.Text
	request chat.Request
	trivial *trivial    // of the path that it began on
	shape   *chat.Shape // that it was last sent in
	outcome attempt.Outcome
	begun   time.Time

	ack      *ack             // the request to the fast model of a handoff, nil for none
	read     *reading         // of the metrics page after it, nil before one was read
	scraped  reported.Figures // what that page says of it
	reserved int              // tokens of the budget
	alone    bool             // nothing else of this lane was in flight when it began
}

func newLane(p *Prober, index int, t probe.Target) (*lane, error) {
	var dial transport.DialFunc
	if p.config.Dial != nil {
		dial = p.config.Dial(t)
	}
	pool, err := transport.New(transport.Options{Endpoint: t.Endpoint, Dial: dial, Resolve: p.config.Resolve, HTTP2: p.config.HTTP2})
	if err != nil {
		return nil, err
	}
	l := &lane{
		aloft:  map[int]int{},
		prober: p, index: index, target: t, pool: pool, secrets: endpoint.Secrets(t.Endpoint),
		builder: prompt.New(p.config.Seed + uint64(index)*0x9e3779b97f4a7c15),
		wake:    make(chan struct{}, 1), ended: make(chan shot, MaxInFlight),
		cutter: newCutter(p.config.IgnoreReported),
		ladder: &ladder{}, ladders: map[string]*ladder{}, holdTold: probe.Held{Target: index},
	}
	l.shape.Store(&chat.Shape{})
	l.trivial.Store(new(trivial))
	l.metrics = metrics{lane: index, reader: scrape.NewReader(pool.Plain(), t.Endpoint), ends: p.endsAt(t.Endpoint.Base)}
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
	defer l.drainFlying(ctx)
	defer cancel()
	defer l.prober.pairing.leave(l.index)
	l.flying.Go(func() {
		defer l.prober.guard()
		l.pool.Tend(ctx)
	})
	if !l.findModels(ctx) {
		return
	}
	l.findNative(ctx)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil && !l.done() {
		now := time.Now()
		if !now.Before(l.paceDue) {
			l.tellPace(now)
		}
		timer.Reset(min(l.step(ctx, now), l.tellLoad(ctx, now)))
		select {
		case <-ctx.Done():
		case <-l.wake:
		case <-timer.C:
		case s := <-l.ended:
			l.land(ctx, s)
		}
	}
	l.tellPace(time.Now())
}

// drainFlying waits for the requests in flight and tells how they ended. ctx
// has ended: nothing is sent again.
func (l *lane) drainFlying(ctx context.Context) {
	down := make(chan struct{})
	go func() {
		l.flying.Wait()
		close(down)
	}()
	for {
		select {
		case s := <-l.ended: // now, since ended may not have room for all of them
			l.land(ctx, s)
		case <-down:
			l.landRest(ctx)
			return
		}
	}
}

// landRest lands what has ended.
func (l *lane) landRest(ctx context.Context) {
	for len(l.ended) > 0 {
		l.land(ctx, <-l.ended)
	}
}

// done reports whether the lane has nothing more to do. One with a screen waits
// for its person.
func (l *lane) done() bool {
	return l.prober.headless() && (l.gone || l.spent || !l.more() || l.prober.pairing.over(l.index)) && l.inFlight() == 0
}

// idle is how long a lane with nothing due waits at most before it looks again.
const idle = time.Second

// step starts what is due and returns how long nothing else will be.
func (l *lane) step(ctx context.Context, now time.Time) time.Duration {
	k, rate, paused := l.prober.knobs(l.index)
	l.choose(k.Model, now)
	l.doubtNames(ctx, k.Model)
	l.ladder.turn(k.PromptTokens, now)
	l.setLoad(ctx, k, paused, now)
	l.readyConnections(k, rate, paused)
	switch {
	case paused, l.gone, l.checkBudget(ctx):
		l.late = true
		l.prober.pairing.unready(l.index)
		return idle
	case l.hold.active(now):
		l.prober.pairing.unready(l.index)
		return min(idle, l.hold.until.Sub(now))
	}
	l.tellHold(ctx, now)
	l.askTrivialAgain(ctx)
	l.recalibrate(k, now)
	if l.calibrate(ctx, k, now) {
		l.late = true
		l.prober.pairing.unready(l.index)
		return idle
	}
	if l.prober.pairing.paired(l.index) {
		l.late = true
		return l.probePair(ctx, k, now)
	}
	if l.watchBaseline(ctx, k, now) {
		l.late = true
		return idle
	}
	return l.probe(ctx, k, now)
}

// readyConnections has idle connections kept ready for warm probes, so many a
// second.
func (l *lane) readyConnections(k probe.Knobs, rate float64, paused bool) {
	switch {
	case k.Conn == probe.ColdConn:
		l.pool.Aim(transport.Aim{})
		l.pool.Cool()
	case paused, l.gone, l.spent:
		l.pool.Aim(transport.Aim{})
	default:
		n := l.target.Requests()
		l.pool.Aim(transport.Aim{Rate: rate * float64(n), Most: MaxInFlight * n})
	}
}

// choose takes up the ladder of the model that is probed from now on.
func (l *lane) choose(model string, now time.Time) {
	if l.ladder.model == model && !l.ladder.since.IsZero() {
		return
	}
	l.ladder = l.ladderOf(model)
	l.ladder.warm, l.ladder.tried, l.ladder.since = false, false, now
	l.rungAt = now
}

// ladderOf is the ladder of a model: each is climbed once.
func (l *lane) ladderOf(model string) *ladder {
	if l.ladders[model] == nil {
		l.ladders[model] = newLadder(model, l.prober.config.Template != nil)
	}
	return l.ladders[model]
}

// begin gives the knobs and the epoch to a probe that begins now. It returns
// false where it must not: the knobs were turned a moment ago.
func (l *lane) begin(ordinary bool) (k probe.Knobs, epoch int, ok bool) {
	k, epoch, ok = l.prober.begin(l.index, ordinary)
	return k, epoch, ok && k.Model == l.ladder.model
}

// probe sends the ordinary probe that is due and returns when the next one is.
func (l *lane) probe(ctx context.Context, k probe.Knobs, now time.Time) time.Duration {
	if l.schedule.Next().IsZero() {
		l.schedule.Set(k.Rate, now.Add(l.offset(k.Rate)))
	}
	l.schedule.Set(k.Rate, now)
	if l.late {
		l.schedule.Hold(now)
		l.late = false
	}
	for !l.schedule.Next().After(now) && l.more() {
		k, epoch, ok := l.begin(true)
		if !ok {
			return 0
		}
		due, missed := l.schedule.Take(now)
		s := shot{kind: probe.Ordinary, knobs: k, epoch: epoch, due: due}
		l.started++
		l.due += 1 + missed
		l.missed += missed
		l.sentinels.ordinary++
		l.unsent(ctx, s, schedule.Interval(k.Rate), missed, now)
		if l.aloft[epoch] >= MaxInFlight {
			l.missed++
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

// offset spreads the probes of the targets over the time between two of one
// target, so that they don't all go out at once.
func (l *lane) offset(rate float64) time.Duration {
	return schedule.Interval(rate) * time.Duration(l.index) / time.Duration(len(l.prober.config.Targets))
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
