// Package tally folds the events of a session into figures: what the screen
// and the headless commands show is taken from here.
//
// Start with New, give every event to Fold, and read the accessors. A Tally is
// not safe for concurrent use.
package tally

import (
	"slices"
	"time"

	"ttftop/probe"
)

// maxPoints bounds the time axis kept per target; maxChanges the marks on it.
const (
	maxPoints  = 4096
	maxChanges = 64
	maxNotices = 64
)

// Tally is the state of a session.
type Tally struct {
	targets  []*Target
	start    time.Time
	settings probe.Settings
	before   probe.Settings // of the epoch before
	older    probe.Settings // of the last one before it that was not too short
	base     probe.Settings // of the one that is compared with
	epoch    int
	cleared  int // the first epoch that counts
	changes  []probe.Changed
	markers  []probe.Marked
	spent    probe.Spent
	lag      time.Duration // of waking up
	startLag time.Duration // of the last ordinary probe
	lateness lateness

	readDelay time.Duration // of the last ordinary probe
	recent    log[*probe.Result]
	notices   []probe.Notice
	probes    int
	failed    int
}

// Target is what is known of one target.
type Target struct {
	Models   []string
	InFlight map[int]*Flight // by sequence number
	Last     *probe.Result   // the last with a first token, of any kind
	Failure  *probe.Failure  // of the last probe, nil after a success
	Flags    []probe.Flag    // of the last probe
	Held     probe.Held
	Load     probe.Load
	Ladder   probe.Calibrating
	Fit      probe.Fit

	Beside Beside

	points                   log[Point]
	costs                    []Cost
	current, previous, older *epoch
	compared                 *epoch // the present one is compared with it
	shifted                  shifted
	pace                     pace
	limit                    time.Duration
}

// Beside counts the ordinary probes of a session that say nothing of the
// endpoint.
type Beside struct {
	Unsent    int // due, and never sent since this program was late
	LateReads int // their first token was read late by this program
	Steps     int // the clock was set, or this program stood still
}

func (b *Beside) take(r *probe.Result) {
	switch {
	case r.Failure != nil && r.Failure.Code == probe.CodeNotSent:
		b.Unsent++
	case r.Has(probe.FlagClockStep):
		b.Steps++
	case r.Has(probe.FlagLateRead):
		b.LateReads++
	}
}

// Flight is a probe in flight.
type Flight struct {
	probe.Started
	Steps map[probe.Step]time.Duration
}

// Point is one ordinary probe on the time axis.
type Point struct {
	At     time.Duration // start of the probe, from the start of the session
	TTFT   time.Duration // 0 where Failed
	Failed bool
	Epoch  int
}

// New makes the tally of a session. limit is the time-out of a probe's waits:
// what a censored probe is known to exceed.
func New(targets []probe.Target, settings probe.Settings, start time.Time, limit time.Duration) *Tally {
	t := &Tally{start: start, settings: settings.Clone()}
	for _, target := range targets {
		t.targets = append(t.targets, &Target{
			Models: target.Models, InFlight: map[int]*Flight{}, limit: limit, current: newEpoch(0, limit),
		})
	}
	return t
}

// Fold takes the next event.
func (t *Tally) Fold(e probe.Event) {
	switch e := e.(type) {
	case probe.Started:
		t.settle(e.Target)
		t.targets[e.Target].InFlight[e.Seq] = &Flight{Started: e, Steps: map[probe.Step]time.Duration{}}
	case probe.Reached:
		if f := t.targets[e.Target].InFlight[e.Seq]; f != nil {
			f.Steps[e.Step] = e.At
		}
	case probe.Finished:
		t.finish(e)
	case probe.Changed:
		t.change(e)
	case probe.Marked:
		t.markers = newest(append(t.markers, e), maxChanges)
	case probe.Cleared:
		t.clear(e)
	case probe.Models:
		t.models(e)
	case probe.Held:
		t.targets[e.Target].Held = e
	case probe.Load:
		t.targets[e.Target].Load = e
	case probe.Calibrating:
		t.targets[e.Target].Ladder = e
	case probe.Spent:
		t.spent = e
	case probe.Late:
		t.lag = e.Lag
		t.lateness.take(e.Lag)
	case probe.Pace:
		t.targets[e.Target].pace.take(e)
	case probe.Notice:
		t.notices = newest(append(t.notices, e), maxNotices)
	}
}

// settle drops the notices that hold until a target is probed.
func (t *Tally) settle(target int) {
	lasts := func(n probe.Notice) bool { return n.Lasts && n.Target == target }
	if slices.ContainsFunc(t.notices, lasts) {
		t.notices = slices.DeleteFunc(t.notices, lasts)
	}
}

// newest is the last n of a list.
func newest[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// clear begins anew; what was spent, and what is known of the endpoints, stays.
func (t *Tally) clear(e probe.Cleared) {
	t.epoch, t.cleared, t.settings = e.Epoch, e.Epoch, e.Settings
	t.before, t.older, t.base = probe.Settings{}, probe.Settings{}, probe.Settings{}
	t.changes, t.markers = nil, nil
	t.probes, t.failed = 0, 0
	for _, target := range t.targets {
		target.current = newEpoch(e.Epoch, target.limit)
		target.previous, target.older, target.compared = nil, nil, nil
		target.points = log[Point]{}
		target.Last, target.Failure, target.Flags = nil, nil, nil
	}
}

func (t *Tally) finish(e probe.Finished) {
	r := &e.Result
	target := t.targets[r.Target]
	delete(target.InFlight, r.Seq)
	if r.Epoch < t.cleared {
		return
	}
	if r.Failure != nil && r.Failure.Kind == probe.FailCanceled {
		return
	}
	target.Fit = e.Fit
	target.Failure, target.Flags = r.Failure, r.Flags
	if r.TTFT().OK && !r.KeptOut() {
		target.Last = r
	}
	t.probes++
	if r.Failure != nil && !r.KeptOut() {
		t.failed++
	}
	t.keep(r)
	if !r.KeptOut() {
		target.addCost(r)
	}
	if r.Kind != probe.Ordinary {
		return
	}
	target.Beside.take(r)
	t.startLag, t.readDelay = r.Lag, r.ReadDelay
	if r.KeptOut() {
		return
	}
	target.points.add(Point{At: r.At.Sub(t.start), TTFT: r.TTFT().At, Failed: r.Failure != nil, Epoch: r.Epoch}, maxPoints)
	if e := target.epochOf(r.Epoch); e != nil {
		e.add(r)
		t.choose()
	}
}

// epochOf is the epoch a result belongs to: a probe that began before the last
// change counts to the one before. It is nil for one that is not kept any more.
func (t *Target) epochOf(number int) *epoch {
	switch {
	case number == t.current.number:
		return t.current
	case t.previous != nil && number == t.previous.number:
		return t.previous
	}
	return nil
}

func (t *Tally) change(e probe.Changed) {
	paused := t.settings.Alike(e.Settings) // or the contrary: no knob was turned
	t.settings = e.Settings
	if e.Epoch == t.epoch {
		if !paused {
			t.retouch(e)
		}
		return
	}
	t.epoch = e.Epoch
	t.changes = newest(append(t.changes, e), maxChanges)
	if !t.short() {
		t.older = t.before
		for _, target := range t.targets {
			target.older = target.previous
		}
	}
	t.before = e.Before.Clone()
	for _, target := range t.targets {
		target.previous = target.current
		target.current = newEpoch(e.Epoch, target.limit)
	}
	t.choose()
}

// short reports whether the epoch before has too few probes to be compared
// with: a person only turned a knob through it.
func (t *Tally) short() bool {
	for _, target := range t.targets {
		if target.previous != nil && target.previous.probes >= Enough {
			return false
		}
	}
	return true
}

// choose takes the epoch that the present one is compared with: the one before,
// or the last one before it that was not too short.
func (t *Tally) choose() {
	back := t.short() && len(t.older.Knobs) > 0
	t.base = t.before
	if back {
		t.base = t.older
	}
	for _, target := range t.targets {
		target.compared = target.previous
		if back {
			target.compared = target.older
		}
	}
}

// Compared are the settings of the epoch that the present one is compared
// with, and its own; false where there is none.
func (t *Tally) Compared() (before, after probe.Settings, ok bool) {
	return t.base, t.settings, len(t.base.Knobs) > 0
}

// retouch is a change before the epoch had a probe: its mark tells the whole
// way from what was before.
func (t *Tally) retouch(e probe.Changed) {
	if n := len(t.changes); n > 0 && t.changes[n-1].Epoch == e.Epoch {
		t.changes[n-1] = e
	}
}

func (t *Tally) models(e probe.Models) {
	target := t.targets[e.Target]
	known := map[string]bool{}
	target.Models = slices.Clip(target.Models) // a frame may hold the old list
	for _, name := range target.Models {
		known[name] = true
	}
	for _, name := range e.Names {
		if !known[name] {
			known[name] = true
			target.Models = append(target.Models, name)
		}
	}
}

// Target is what is known of a target, by its index.
func (t *Tally) Target(i int) *Target { return t.targets[i] }

// Settings are the knobs as the prober last told them.
func (t *Tally) Settings() probe.Settings { return t.settings }

// Epoch is the present epoch.
func (t *Tally) Epoch() int { return t.epoch }

// Changes are the turned knobs, oldest first.
func (t *Tally) Changes() []probe.Changed { return t.changes }

// Markers are those that a person has dropped, oldest first.
func (t *Tally) Markers() []probe.Marked { return t.markers }

// Spent is the running count of tokens.
func (t *Tally) Spent() probe.Spent { return t.spent }

// Notices are the sentences for the person, oldest first.
func (t *Tally) Notices() []probe.Notice { return t.notices }

// Counts are all probes that ended, and how many of them failed.
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
	f.Fixed, f.Slope = t.Fit.Fixed, t.Fit.Per1k
	return f
}

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

// LastFailure is the newest failure of the present epoch; nil where there was
// none.
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

// Newest is the probe in flight that was started last, preferring ordinary
// ones; nil where none is.
func (t *Target) Newest() *Flight {
	var best *Flight
	for _, f := range t.InFlight {
		if best == nil || f.newer(best) {
			best = f
		}
	}
	return best
}

func (f *Flight) newer(than *Flight) bool {
	if ordinary := f.Kind == probe.Ordinary; ordinary != (than.Kind == probe.Ordinary) {
		return ordinary
	}
	return f.Seq > than.Seq
}
