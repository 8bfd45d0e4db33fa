package prober

import (
	"time"

	"ttftop/probe"
)

// recalibrations are how long after its last rung a calibration that met other
// people's traffic is done again; one that still did then is left at that.
var recalibrations = []time.Duration{15 * time.Second, time.Minute}

// repeatDue reports whether the ladder is to be climbed again, by when its last
// rung was sent: calmer rungs may come then.
func (l *ladder) repeatDue(rungAt, now time.Time) bool {
	return !l.none && l.left() == 0 && l.repeats < len(recalibrations) && now.Sub(rungAt) >= recalibrations[l.repeats]
}

// repeat begins again; what has been learnt stays.
func (l *ladder) repeat(now time.Time) {
	l.repeats++
	l.renew(now)
}

// recalibrate has the ladder climbed again where its rungs contradict each
// other.
func (l *lane) recalibrate(k probe.Knobs, now time.Time) {
	if k.Pressure > 0 || l.climbing() || !l.ladder.repeatDue(l.rungAt, now) {
		return
	}
	if curve := l.cutter.curve(l.cutter.baselines, unique(l.cutter.now(k)), true); curve != nil && curve.Contradicted() {
		l.ladder.repeat(now)
	}
}
