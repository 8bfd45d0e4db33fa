package tally

import (
	"time"

	"ttftop/probe"
)

// Target is what is known of a target, by its index.
func (t *Tally) Target(i int) *Target { return t.targets[i] }

// Settings are the knobs as the prober last told them.
func (t *Tally) Settings() probe.Settings { return t.settings }

// Epoch is the number of the session's present epoch: a target that the last
// change did not turn is still in an older one.
func (t *Tally) Epoch() int { return t.epoch }

// Changes are the turned knobs, oldest first.
func (t *Tally) Changes() []probe.Changed { return t.changes }

// Markers are those that a person has dropped, oldest first.
func (t *Tally) Markers() []probe.Marked { return t.markers }

// Spent is the running count of tokens.
func (t *Tally) Spent() probe.Spent { return t.spent }

// Notices are the sentences for the person, oldest first.
func (t *Tally) Notices() []probe.Notice { return t.notices }

// Counts are all probes that ended, and how many of them the endpoint failed.
func (t *Tally) Counts() (probes, failed int) { return t.probes, t.failed }

// Lag is how late this program is: in waking up, or in starting its last probe,
// whichever is worse.
func (t *Tally) Lag() time.Duration { return max(t.lag, t.startLag) }

// Start is the start of the session.
func (t *Tally) Start() time.Time { return t.start }

// Busy reports whether a probe is in flight.
func (t *Tally) Busy() bool {
	for _, target := range t.targets {
		if len(target.InFlight) > 0 {
			return true
		}
	}
	return false
}

// Figures are the numbers of the present epoch.
func (t *Target) Figures() Figures {
	f := t.current.figures()
	if t.calibrated() && t.Fit.Says() {
		fixed, per1k := t.Fit.Firm()
		f.Fixed, f.Slope = t.Fit.Fixed, t.Fit.Per1k
		f.FixedLoose, f.SlopeLoose = !fixed, !per1k
	}
	return f
}

// calibrated reports whether the model's first calibration is over, as far as
// there is one: until then a fit rests on its first few lengths.
func (t *Target) calibrated() bool { return t.Ladder.Total == 0 || t.Ladder.Left == 0 || t.climbed }

// Epoch is the number of the target's present epoch: that of the session when
// its knobs were last turned.
func (t *Target) Epoch() int { return t.current.number }

// Points are the ordinary probes on the time axis, oldest first. Nobody changes
// the list.
func (t *Target) Points() []Point { return t.points.all() }

// Ranked are the TTFT of the successes that the figures of the present epoch
// are taken from, ascending, and the number of probes that rank after them.
// Nobody changes the list.
func (t *Target) Ranked() (ttfts []time.Duration, censored int) {
	t.current.refresh()
	return t.current.ranked, t.current.censored
}

// P50 is the p50 waterfall of the present epoch and the number of probes that
// it is taken from.
func (t *Target) P50() (probe.Waterfall, int) { return t.current.p50() }

// Nearest are the probes that P50 is the mean of: their number, TTFT,
// waterfall, flags and failure alone.
func (t *Target) Nearest() []*probe.Result {
	t.current.refresh()
	return t.current.nearest
}

// P95 is the p95 waterfall of the present epoch; empty as long as the p95 isn't
// known.
func (t *Target) P95() probe.Waterfall { return t.current.p95() }

// LastFailure is the newest failure of the endpoint in the present epoch; nil
// where there was none.
func (t *Target) LastFailure() *probe.Failure { return t.current.failure }

// Within counts the probes of the present epoch that had their first token
// within a limit, out of those that rank: a failure that ranks had not.
func (t *Target) Within(limit time.Duration) (n, of int) { return t.current.within(limit) }

// Before are the figures of the epoch that the present one is compared with:
// false where it has no probe.
func (t *Target) Before() (Figures, bool) {
	if t.compared == nil || t.compared.probes == 0 {
		return Figures{}, false
	}
	return t.compared.figures(), true
}
