package prober

import (
	"context"
	"time"

	"ttftop/probe"
	"ttftop/probe/schedule"
)

// probePair sends this lane's half of the pair that is due and returns how long
// nothing else will be.
func (l *lane) probePair(ctx context.Context, k probe.Knobs, now time.Time) time.Duration {
	if !l.more() {
		return idle
	}
	half, wait := l.prober.pairing.take(l.index, k.Rate, l.full(), now)
	if half.pair == 0 {
		return min(idle, wait)
	}
	k, epoch, ok := l.begin(true)
	if !ok {
		l.prober.pairing.lost(half.side, half.pair)
		return 0
	}
	s := shot{kind: probe.Ordinary, knobs: k, epoch: epoch, due: half.due, pair: half.pair, side: half.side}
	l.started++
	l.due += 1 + half.missed
	l.missed += half.missed
	l.unsent(ctx, s, schedule.Interval(k.Rate), half.missed, now)
	switch full := l.aloft[epoch] >= MaxInFlight; {
	case full:
		l.skip(ctx, s, now)
	case !half.skip:
		l.send(ctx, s)
		return 0
	}
	l.missed++
	l.prober.pairing.lost(half.side, half.pair)
	return 0
}

// full reports whether too many probes are in flight for another one.
func (l *lane) full() bool {
	_, epoch, _ := l.prober.begin(l.index, false)
	return l.aloft[epoch] >= MaxInFlight
}
