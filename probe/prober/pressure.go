package prober

import (
	"context"
	"time"

	"ttftop/probe"
)

// loadEvery is how often a lane tells of its load streams at most.
const loadEvery = 250 * time.Millisecond

// setLoad asks for the load streams of the knobs. The ladder comes before them,
// on the screen for as long as it has the endpoint to itself; and a rate limit
// holds for them too.
func (l *lane) setLoad(ctx context.Context, k probe.Knobs, paused bool, now time.Time) {
	n := k.Pressure
	first := l.prober.config.LadderFirst
	calibrating := first && !l.ladder.warm || l.climbing() && (first || now.Before(l.ladder.alone()))
	limited := l.hold.limited && l.hold.active(now)
	if paused || l.gone || calibrating || limited || l.prober.meter.Exhausted() {
		n = 0
	}
	k.Pressure = n
	fresh := k.Model != l.loadFor.Model || k.PromptTokens != l.loadFor.PromptTokens
	if n == l.loadFor.Pressure && (!fresh || n == 0) {
		return
	}
	l.surplus = l.surplus || n < l.loadFor.Pressure
	l.loadFor = k
	l.load.Set(n, l.loadStream(k), fresh)
	l.loadDue = now
	l.tellLoad(ctx, now)
}

// tellLoad tells of the load streams when they have changed, and returns how
// long it need not be called: for good where there are none.
func (l *lane) tellLoad(ctx context.Context, now time.Time) time.Duration {
	if wait := l.loadDue.Sub(now); wait > 0 {
		return wait
	}
	s := l.load.State()
	if l.surplus && s.InFlight <= s.Asked { // what is idle now is needed no more
		l.surplus = false
		l.pool.Release()
	}
	e := probe.Load{Target: l.index, Asked: s.Asked, InFlight: s.InFlight, Failed: s.Failed, StreamTime: time.Duration(l.streamTime.Load())}
	if s.Err != nil {
		e.LastErr = s.Err.Error()
	}
	if e != l.loadTold {
		l.loadTold = e
		l.loadDue = now.Add(loadEvery)
		l.prober.emit(ctx, e)
		l.prober.emit(ctx, l.prober.meter.Spent())
	}
	if e.Asked+e.InFlight == 0 {
		return idle
	}
	return loadEvery
}

// paceEvery is how often a lane tells what it achieves of what it was asked for.
const paceEvery = 2 * time.Second

// tellPace tells what was achieved so far of the rate and the pressure asked
// for. It is summed up, so that one that is lost is no loss.
func (l *lane) tellPace(now time.Time) {
	l.paceDue = now.Add(paceEvery)
	s := l.load.State()
	l.prober.hint(probe.Pace{Target: l.index, At: now, Due: l.due, Sent: l.due - l.missed, Asked: s.AskedTime, InFlight: s.FlightTime, Loaded: s.Loaded})
}
