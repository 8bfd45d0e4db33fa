package prober

import (
	"context"
	"time"

	"ttftop/probe"
	"ttftop/probe/load"
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
	if n < l.loadFor.Pressure {
		l.surplus = now
	}
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
	more := l.shed(s, now)
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
	if e.Asked+e.InFlight == 0 && !more {
		return idle
	}
	return loadEvery
}

// shedding is for how long connections that were needed for more load streams are
// released once these have ended: net/http lays a connection down a moment after
// its answer.
const shedding = time.Second

// shed releases idle connections after the pressure went down, and reports
// whether there may be more to come.
func (l *lane) shed(s load.State, now time.Time) bool {
	switch {
	case l.surplus.IsZero():
		return false
	case s.InFlight > s.Asked:
		l.surplus = now
	case now.Sub(l.surplus) > shedding:
		l.surplus = time.Time{}
	}
	l.pool.Release()
	return !l.surplus.IsZero()
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
