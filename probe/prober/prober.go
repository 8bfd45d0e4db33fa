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
	"ttftop/probe/spend"
	"ttftop/probe/transport"
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
	Template       *chat.Template                        // a person's own request, nil for none
	Timeout        time.Duration                         // of each wait
	Count          int                                   // ordinary probes per target, 0 for no end
	Budget         int64                                 // tokens sent and received, 0 for none
	IgnoreReported bool                                  // cut without what the server reports
	LadderFirst    bool                                  // finish the calibration before the first ordinary probe
	Seed           uint64                                // of the prompts; 0 for one that no other session has
	Panic          func(any)                             // told of a panic in a goroutine of the prober; nil to let it crash
}

// Prober probes a session.
type Prober struct {
	config Config
	events chan probe.Event
	meter  *spend.Meter
	seq    atomic.Int64
	lanes  []*lane

	mu       sync.Mutex
	settings probe.Settings
	epoch    int
	began    bool           // a probe was started in this epoch
	before   probe.Settings // what this epoch began from
}

// New makes a prober. The error names a certificate file that can't be used.
func New(c Config) (*Prober, error) {
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	p := &Prober{config: c, events: make(chan probe.Event, eventBuffer), meter: spend.NewMeter(c.Budget), settings: c.Settings.Clone(), before: c.Settings.Clone()}
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
	defer close(p.events)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wait sync.WaitGroup
	for _, l := range p.lanes {
		wait.Go(func() {
			defer p.guard()
			l.run(ctx)
		})
	}
	wait.Wait()
}

// guard hands a panic over, where somebody wants it.
func (p *Prober) guard() {
	if p.config.Panic == nil {
		return
	}
	if r := recover(); r != nil {
		p.config.Panic(r)
	}
}

// Apply turns the knobs to s: a new epoch begins, unless no probe has begun in
// the present one, which then goes on with the new knobs. A change of Paused
// alone begins no epoch.
func (p *Prober) Apply(ctx context.Context, s probe.Settings) {
	s = s.Clone()
	p.mu.Lock()
	turned := !sameKnobs(p.settings, s)
	if turned && p.began {
		p.epoch++
		p.began = false
		p.before = p.settings
	}
	p.settings = s
	changed := probe.Changed{Epoch: p.epoch, At: time.Now(), Before: p.before.Clone(), Settings: s.Clone()}
	p.mu.Unlock()
	p.emit(ctx, changed)
	for _, l := range p.lanes {
		l.poke()
	}
}

func sameKnobs(a, b probe.Settings) bool {
	for i := range a.Knobs {
		if a.Knobs[i] != b.Knobs[i] {
			return false
		}
	}
	return true
}

// Settings are the present knobs.
func (p *Prober) Settings() probe.Settings {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.Clone()
}

// knobs are those of one target, with the epoch.
func (p *Prober) knobs(target int) (k probe.Knobs, epoch int, paused bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.Knobs[target], p.epoch, p.settings.Paused
}

// begin is knobs for a probe that begins now: the epoch is used from here on.
func (p *Prober) begin(target int) (probe.Knobs, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began = true
	return p.settings.Knobs[target], p.epoch
}

// choose sets the model of a target that had none.
func (p *Prober) choose(target int, model string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settings.Knobs[target].Model == "" {
		p.settings.Knobs[target].Model = model
	}
}

// emit tells an event, waiting for room.
func (p *Prober) emit(ctx context.Context, e probe.Event) {
	select {
	case p.events <- e:
	case <-ctx.Done():
		// The last results still count, if there is room for them.
		select {
		case p.events <- e:
		default:
		}
	}
}

// hint tells an event that may be lost when the reader is behind.
func (p *Prober) hint(e probe.Event) {
	select {
	case p.events <- e:
	default:
	}
}
