package prober

import (
	"context"
	"time"

	"ttftop/probe"
	"ttftop/probe/schedule"
)

const (
	sentinelTokens = 16               // of a sentinel's prompt: the shortest rung
	sentinelEvery  = 20               // one for so many ordinary probes at most…
	sentinelPause  = 10 * time.Second // …and no oftener than that
)

// sentinels says when a tiny probe is mixed in: it keeps the fixed part of the
// baseline fresh while ordinary probes show one length only, so that the
// baseline follows a server that warms up or is moved.
type sentinels struct {
	ordinary int       // probes since the last one
	last     time.Time // when that was
}

// due reports whether a sentinel may be sent between ordinary probes at the
// knobs, the next of which is due at next.
func (s *sentinels) due(k probe.Knobs, next, now time.Time) bool {
	return s.ordinary >= sentinelEvery && now.Sub(s.last) >= sentinelPause &&
		k.PromptTokens > 2*sentinelTokens && next.Sub(now) >= schedule.Interval(k.Rate)/2
}

// watchBaseline sends a sentinel where one is due and nothing is in flight: it
// must not delay what is measured.
func (l *lane) watchBaseline(ctx context.Context, k probe.Knobs, now time.Time) {
	if l.ladder.none || l.inFlight() > 0 || !l.more() || !l.sentinels.due(k, l.schedule.Next(), now) {
		return
	}
	k, epoch, ok := l.begin(false)
	if !ok {
		return
	}
	k.PromptTokens, k.MaxTokens, k.Cache = sentinelTokens, ladderOutput, probe.Bust
	l.sentinels = sentinels{last: now}
	l.send(ctx, shot{kind: probe.Sentinel, knobs: k, epoch: epoch, due: now})
}
