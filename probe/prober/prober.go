// Package prober sends the probes of a session: each target on a schedule of
// its own, with its load streams beside it, and tells what it finds as events.
//
// Start with New; Run probes until the context ends or the count is reached,
// while Events is read and Apply turns the knobs.
package prober

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"ttftop/probe"
	"ttftop/probe/chat"
	"ttftop/probe/limits"
	"ttftop/probe/spend"
	"ttftop/probe/transport"
	"ttftop/probe/watch"
)

// eventBuffer is how many events may wait to be read; a reader that folds
// them into memory never comes near it.
const eventBuffer = 4096

// MaxInFlight is the number of probes that one target may have in flight; a
// probe that is due beyond it is skipped, and counts as such.
const MaxInFlight = 16

// Config is a session to probe.
type Config struct {
	Targets        []probe.Target
	Settings       probe.Settings                        // one Knobs per target
	Dial           func(probe.Target) transport.DialFunc // nil, or nil for a target, for the real network
	Resolve        map[string]string                     // addresses to dial in place of "host:port"
	HTTP2          bool                                  // offer HTTP/2 as well
	Template       *chat.Template                        // a person's own request, nil for none
	Timeout        time.Duration                         // of each wait
	Count          int                                   // ordinary probes per target, 0 for no end
	Budget         int64                                 // tokens sent and received, 0 for none
	IgnoreReported bool                                  // cut without what the server reports
	LadderFirst    bool                                  // finish the calibration before the first ordinary probe
	Seed           uint64                                // of the prompts; 0 for one that no other session has
	Turn           func(int, probe.Levers) error         // turns levers of a target, those alone that it is given; nil where there are none
	Panic          func(any)                             // told of a panic in a goroutine of the prober; nil to let it crash
}

// Prober probes a session.
type Prober struct {
	config  Config
	events  chan probe.Event
	meter   *spend.Meter
	self    watch.Watch
	seq     atomic.Int64
	lanes   []*lane
	ends    map[string]*ends // by server
	pairing *pairing
	room    limits.Room

	turning sync.RWMutex // held while a turned knob is told: no probe begins meanwhile
	over    bool         // nobody hears events any more
	ending  chan struct{}
	end     func() // closes ending, once

	mu       sync.Mutex
	settings probe.Settings
	epoch    int
	began    bool           // an ordinary probe has begun in this epoch
	before   probe.Settings // what this epoch began from

	templateTokens int // a guess at the tokens of a person's own request
}

// New makes a prober. The error names a certificate file that can't be used.
func New(c Config) (*Prober, error) {
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	p := &Prober{
		config: c, events: make(chan probe.Event, eventBuffer), ending: make(chan struct{}), meter: spend.NewMeter(c.Budget), ends: map[string]*ends{},
		room: limits.Look(), settings: c.Settings.Clone(), before: c.Settings.Clone(), templateTokens: guessTokens(c.Template),
	}
	p.end = sync.OnceFunc(func() { close(p.ending) })
	p.pairing = newPairing(c.Seed, func(target int) { p.lanes[target].poke() })
	p.settings.Pairs = sanePairs(p.settings.Pairs, len(c.Targets))
	p.pairing.set(p.settings.Pairs)
	for i, k := range p.settings.Knobs {
		p.settings.Knobs[i] = sane(k, probe.DefaultKnobs)
		p.before.Knobs[i] = p.settings.Knobs[i]
	}
	for i, t := range c.Targets {
		l, err := newLane(p, i, t)
		if err != nil {
			return nil, err
		}
		p.lanes = append(p.lanes, l)
	}
	return p, nil
}

// Events is what happens, in order. It is closed when Run returns.
func (p *Prober) Events() <-chan probe.Event { return p.events }

// Run probes until ctx ends or every target has had its count of probes or
// can't go on. When it returns, nothing of it runs any more.
func (p *Prober) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	context.AfterFunc(ctx, p.end)
	var wait sync.WaitGroup
	for _, l := range p.lanes {
		wait.Go(func() {
			defer p.guard()
			l.run(ctx)
		})
	}
	var watcher sync.WaitGroup
	watching, blind := context.WithCancel(ctx)
	watcher.Go(func() {
		p.self.Run(watching, func(lag time.Duration) { p.hint(probe.Late{Lag: lag}) })
	})
	wait.Wait()
	blind()
	watcher.Wait()
	p.end()
	p.turning.Lock()
	defer p.turning.Unlock()
	p.over = true
	close(p.events)
}

// headless reports whether the run is to end by itself once it can't go on.
func (p *Prober) headless() bool { return p.config.Count > 0 || p.config.LadderFirst }

// guard hands a panic over, where somebody wants it.
func (p *Prober) guard() {
	if p.config.Panic == nil {
		return
	}
	if r := recover(); r != nil {
		p.config.Panic(r)
	}
}

// spend counts tokens. Every lane is told when the budget is reached.
func (p *Prober) spend(reserved, sent, received int) {
	p.meter.Settle(reserved, sent, received)
	if p.meter.Exhausted() {
		p.pokeAll()
	}
}

func (p *Prober) pokeAll() {
	for _, l := range p.lanes {
		l.poke()
	}
}

// emit tells an event, waiting for room while the run goes on.
func (p *Prober) emit(ctx context.Context, e probe.Event) {
	select {
	case p.events <- e:
		return
	case <-ctx.Done():
	case <-p.ending:
	}
	p.hint(e) // the last results still count, if there is room for them
}

// hint tells an event that may be lost when the reader is behind.
func (p *Prober) hint(e probe.Event) {
	select {
	case p.events <- e:
	default:
	}
}
