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
	witnessPause   = time.Second      // between those that decide a doubt…
	witnesses      = 4                // …of which there are so many at most; then they come no oftener than others
	longestGap     = 2 * time.Second  // ordinary probes wait so long at most for a gap that one of these fits into
)

// sentinels says when a tiny probe is mixed in: it keeps the fixed part of the
// baseline fresh while ordinary probes show one length only, so that the
// baseline follows a server that warms up or is moved.
type sentinels struct {
	ordinary int           // probes since the last one
	last     time.Time     // when that was
	took     time.Duration // by the last prompt of its length, 0 before one has ended
	doubts   int           // sent since the baseline is in doubt
	inFlight int
	held     time.Time // since when ordinary probes wait for those in flight to end, for the sake of a sentinel
}

// due reports whether a sentinel may be sent between ordinary probes at the
// knobs, the next of which is due at next.
func (s *sentinels) due(k probe.Knobs, next, now time.Time) bool {
	return s.ordinary >= sentinelEvery && now.Sub(s.last) >= sentinelPause && tellsApart(k) && next.Sub(now) >= s.room(k)
}

// room is the gap between ordinary probes that a sentinel fits into.
func (s *sentinels) room(k probe.Knobs) time.Duration {
	half := schedule.Interval(k.Rate) / 2
	if s.took > 0 {
		return min(half, 3*s.took/2)
	}
	return half
}

// needed reports whether a sentinel has to decide whether probes wait or the
// server has become slower.
func (s *sentinels) needed(k probe.Knobs, now time.Time) bool {
	return s.rested(now) && tellsApart(k) && k.Cache == probe.Bust && k.Pressure == 0
}

// rested reports whether the last sentinel is long enough ago for one that
// decides a doubt.
func (s *sentinels) rested(now time.Time) bool {
	pause := witnessPause
	if s.doubts >= witnesses {
		pause = sentinelPause
	}
	return now.Sub(s.last) >= pause
}

// waiting reports whether ordinary probes are to wait for those in flight to
// end, since they leave no gap for a sentinel that is needed. They don't for
// longer than that is worth.
func (s *sentinels) waiting(now time.Time) bool {
	if s.held.IsZero() {
		s.held = now
	}
	if now.Sub(s.held) < longestGap {
		return true
	}
	s.held, s.last, s.doubts = time.Time{}, now, witnesses
	return false
}

// tellsApart reports whether a sentinel has clearly another length than the
// ordinary probes.
func tellsApart(k probe.Knobs) bool { return k.PromptTokens > 2*sentinelTokens }

// watchBaseline sends a sentinel where one is due and nothing is in flight: it
// must not delay what is measured. One that decides a doubt has ordinary probes
// wait for it, which it reports; where probes overlap, and their steps raise the
// doubt, they also make the gap that it needs.
func (l *lane) watchBaseline(ctx context.Context, k probe.Knobs, now time.Time) (wait bool) {
	steps := l.cutter.stepsInDoubt(k) && k.Pressure == 0
	doubt := l.cutter.inDoubt(l.cutter.now(k)) || steps
	if !doubt {
		l.sentinels.doubts, l.sentinels.held = 0, time.Time{}
	}
	needed := doubt && l.sentinels.needed(k, now) || steps && l.sentinels.rested(now)
	switch {
	case doubt && l.sentinels.inFlight > 0:
		return true
	case l.ladder.none || !l.more():
		return false
	case l.inFlight() > 0:
		return steps && needed && l.sentinels.waiting(now)
	case needed:
		l.sentinels.doubts++
		l.sentinels.held = time.Time{}
		return l.sendSentinel(ctx, now)
	case l.sentinels.due(k, l.schedule.Next(), now):
		l.sendSentinel(ctx, now)
	}
	return false
}

// sendSentinel reports whether it has sent one: not where the knobs were turned
// a moment ago.
func (l *lane) sendSentinel(ctx context.Context, now time.Time) bool {
	k, epoch, ok := l.begin(false)
	if !ok {
		return false
	}
	k.PromptTokens, k.MaxTokens, k.Cache = sentinelTokens, ladderOutput, probe.Bust
	l.sentinels.ordinary, l.sentinels.last = 0, now
	l.send(ctx, shot{kind: probe.Sentinel, knobs: k, epoch: epoch, due: now})
	return true
}

// landed takes note of how long the short prompts of this program's own take.
func (s *sentinels) landed(kind probe.Kind, r *probe.Result) {
	if kind != probe.Ordinary && r.Knobs.PromptTokens == sentinelTokens && r.Failure == nil {
		s.took = r.TotalTime().At
	}
}
