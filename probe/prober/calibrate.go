package prober

import (
	"context"
	"time"

	"ttftop/probe"
)

// starving is how long a rung waits for ordinary probes to leave a gap before
// they are made to.
const starving = time.Second

// ladderAlone is how long the ladder keeps ordinary probes and load streams
// waiting on the screen.
const ladderAlone = 5 * time.Second

// calibrate sends the warm-up or the next rung of the ladder when nothing is
// in flight, and reports whether ordinary probes have to wait for it.
func (l *lane) calibrate(ctx context.Context, k probe.Knobs, now time.Time) bool {
	first := l.prober.config.LadderFirst
	switch {
	case !l.ladder.warm && l.ladder.tried && !l.prober.headless():
		return false // the ordinary probes tell that nothing answers
	case !l.ladder.warm:
		if l.inFlight() == 0 {
			l.warmUp(ctx, now)
		}
		return true
	case !l.climbing():
		return false
	case k.Pressure > 0 && !first && now.After(l.ladder.alone()): // it needs an idle endpoint
		return false
	case l.ladder.left() == 0: // the last rung is in flight
		return first || now.Before(l.ladder.alone())
	case l.inFlight() > 0:
		return first || now.Sub(l.rungAt) > starving || now.Before(l.ladder.alone())
	}
	if k, epoch, ok := l.begin(false); ok {
		l.rungAt = now
		l.send(ctx, shot{kind: probe.Calibration, knobs: l.ladder.next(k), epoch: epoch, due: now})
	}
	return first || now.Before(l.ladder.alone())
}

// climbing reports whether the calibration is not over: rungs are still to be
// sent, or to be answered.
func (l *lane) climbing() bool { return l.ladder.left() > 0 || l.rungs > 0 }

// warmUp sends the first request to a model.
func (l *lane) warmUp(ctx context.Context, now time.Time) {
	k, epoch, ok := l.begin(false)
	if !ok {
		return
	}
	k.MaxTokens, k.Pressure = ladderOutput, 0
	if !l.ladder.none {
		k.PromptTokens = rungs[0]
	}
	l.send(ctx, shot{kind: probe.Warmup, knobs: k, epoch: epoch, due: now})
}
