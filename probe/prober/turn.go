package prober

import (
	"context"
	"slices"
	"time"

	"ttftop/probe"
)

// Apply turns the knobs to s: a new epoch begins, unless no ordinary probe has
// begun in the present one, which then goes on with the new knobs. A change of
// Paused, Pairs or the SLO alone begins no epoch. What can't be is moved to the nearest that
// can, and a target keeps its model where s names none.
//
// Levers are turned here too, before any probe begins in the new epoch.
// Batch pressure that the system has no room for is lowered to what it has, and
// a notice says so.
//
// It returns once the change is told; the reader of Events must not call it.
// After the end of Run it does nothing.
func (p *Prober) Apply(ctx context.Context, s probe.Settings) {
	p.turning.Lock()
	defer p.turning.Unlock()
	if p.over {
		return
	}
	s, why := p.Allowed(s)
	if why != nil {
		p.emit(ctx, probe.Notice{Text: why.Error()})
	}
	s = s.Clone()
	p.turnLevers(ctx, &s)
	if e, ok := p.turn(s); ok {
		p.emit(ctx, e)
		p.pokeAll()
	}
}

// Mark drops a marker on the time axis: it is told as an event, in order with
// all others. After the end of Run it does nothing.
func (p *Prober) Mark(ctx context.Context, note string) {
	p.turning.Lock()
	defer p.turning.Unlock()
	if !p.over {
		p.emit(ctx, probe.Marked{At: time.Now(), Note: note})
	}
}

// Fence puts a fence behind everything that was told so far, and reports whether
// anybody still hears events.
func (p *Prober) Fence(ctx context.Context, passed func()) bool {
	p.turning.Lock()
	defer p.turning.Unlock()
	if !p.over {
		p.emit(ctx, probe.Fence{Passed: passed})
	}
	return !p.over
}

// Clear begins a new epoch at the same knobs, so that what was found so far
// counts no more: also probes in flight do not. After the end of Run it does
// nothing.
func (p *Prober) Clear(ctx context.Context) {
	p.turning.Lock()
	defer p.turning.Unlock()
	if p.over {
		return
	}
	p.mu.Lock()
	p.epoch++
	p.began, p.before = false, p.settings.Clone()
	e := probe.Cleared{Epoch: p.epoch, At: time.Now(), Settings: p.settings.Clone()}
	p.mu.Unlock()
	p.emit(ctx, e)
	p.pokeAll()
}

// Allowed are settings with as much batch pressure as the system has room for,
// of all targets together, and why it is less than was asked for; nil where it
// is not.
func (p *Prober) Allowed(s probe.Settings) (probe.Settings, error) {
	if len(s.Knobs) != len(p.config.Targets) {
		return s, nil
	}
	return p.room.Cap(p.config.Targets, s, MaxInFlight)
}

// turn takes over settings and returns what is to be told of it; false where
// nothing differs.
func (p *Prober) turn(s probe.Settings) (e probe.Changed, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(s.Knobs) != len(p.settings.Knobs) {
		return e, false
	}
	for i := range s.Knobs {
		s.Knobs[i] = sane(s.Knobs[i], p.settings.Knobs[i])
	}
	s.Pairs = sanePairs(s.Pairs, len(s.Knobs))
	turned := !s.Alike(p.settings)
	if !turned && s.Paused == p.settings.Paused && s.Pairs == p.settings.Pairs && slices.Equal(s.SLO, p.settings.SLO) {
		return e, false
	}
	e.Before = p.settings.Clone()
	if turned {
		if p.began {
			p.epoch++
			p.began = false
			p.before = p.settings
		}
		e.Before.Knobs, e.Before.Levers = slices.Clone(p.before.Knobs), slices.Clone(p.before.Levers)
	}
	p.settings = s
	p.pairing.set(s.Pairs)
	e.Epoch, e.At, e.Settings = p.epoch, time.Now(), s.Clone()
	return e, true
}

// leastRate is one probe in about a quarter of an hour.
const leastRate = 0.001

// sane moves knobs into their bounds. What is no value at all stays as it was.
func sane(k, was probe.Knobs) probe.Knobs {
	if k.Model == "" {
		k.Model = was.Model
	}
	if !(k.Rate > 0) {
		k.Rate = was.Rate
	}
	if !(k.CacheShare >= 0) {
		k.CacheShare = was.CacheShare
	}
	k.Rate = min(max(k.Rate, leastRate), probe.MaxRate)
	k.CacheShare = min(k.CacheShare, 1)
	k.PromptTokens = min(max(k.PromptTokens, probe.MinPromptTokens), probe.MaxPromptTokens)
	k.Pressure = min(max(k.Pressure, 0), probe.MaxPressure)
	k.MaxTokens = min(max(k.MaxTokens, 1), probe.MaxOutputTokens)
	return k
}

// choose sets the model of a target that had none, and tells so. That is no
// turn of a knob.
func (p *Prober) choose(ctx context.Context, target int, model string) {
	p.turning.Lock()
	defer p.turning.Unlock()
	p.mu.Lock()
	if p.settings.Knobs[target].Model != "" {
		p.mu.Unlock()
		return
	}
	e := probe.Changed{Epoch: p.epoch, At: time.Now(), Before: p.before.Clone()}
	p.settings = p.settings.Clone()
	p.settings.Knobs[target].Model = model
	p.before = p.before.Clone()
	p.before.Knobs[target].Model = model
	e.Before.Paused = p.settings.Paused
	e.Settings = p.settings.Clone()
	p.mu.Unlock()
	p.emit(ctx, e)
}

// Settings are the present knobs.
func (p *Prober) Settings() probe.Settings {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.Clone()
}

// knobs are those of one target, and how many probes a second it is sent.
func (p *Prober) knobs(target int) (k probe.Knobs, rate float64, paused bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.Of(target), p.settings.RateOf(target), p.settings.Paused
}

// begin is knobs for a probe that begins now, after everything that was turned
// has been told. An ordinary one uses the epoch from here on. It returns false
// while probing is paused.
func (p *Prober) begin(target int, ordinary bool) (k probe.Knobs, epoch int, ok bool) {
	p.turning.RLock()
	defer p.turning.RUnlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settings.Paused {
		return k, 0, false
	}
	p.began = p.began || ordinary
	return p.settings.Of(target), p.epoch, true
}

// sanePairs are pairs of targets that there are, or none.
func sanePairs(s probe.Pairs, targets int) probe.Pairs {
	there := func(i int) bool { return i >= 0 && i < targets }
	if !s.On || !there(s.A) || !there(s.B) {
		return probe.Pairs{}
	}
	if s.Order != probe.BackToBack {
		s.Order = probe.Together
	}
	return s
}
