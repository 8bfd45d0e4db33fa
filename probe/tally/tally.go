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

// New makes the tally of a session. limit is the time-out of a probe's waits:
// what a censored probe is known to exceed.
func New(targets []probe.Target, settings probe.Settings, start time.Time, limit time.Duration) *Tally {
	t := &Tally{start: start, settings: settings.Clone()}
	for _, target := range targets {
		t.targets = append(t.targets, &Target{
			Models: target.Models, InFlight: map[int]*Flight{}, limit: limit, current: newEpoch(0, limit),
		})
	}
	t.stand()
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
		target := t.targets[e.Target]
		target.Ladder = e
		target.climbed = target.climbed || e.Total > 0 && e.Left == 0
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
	t.changes, t.markers = nil, nil
	t.probes, t.failed = 0, 0
	for _, target := range t.targets {
		target.current = newEpoch(e.Epoch, target.limit)
		target.previous, target.earlier, target.older, target.compared = nil, nil, nil, nil
		target.points = log[Point]{}
		target.Last, target.Failure, target.Flags = nil, nil, nil
	}
	t.stand()
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
	if r.Failure.ByEndpoint() && !r.KeptOut() {
		t.failed++
	}
	t.keep(r)
	epoch := target.epochOf(r.Epoch)
	number := r.Epoch
	if epoch != nil {
		number = epoch.number
	}
	if !r.KeptOut() {
		target.addCost(r, number)
	}
	if r.Kind != probe.Ordinary {
		return
	}
	target.Beside.take(r)
	t.startLag, t.readDelay = r.Lag, r.ReadDelay
	if r.KeptOut() {
		return
	}
	if r.Failure == nil || r.Failure.ByEndpoint() || r.Failure.Censored() {
		target.points.add(Point{At: r.At.Sub(t.start), TTFT: r.TTFT().At, Failed: r.Failure != nil, Epoch: number}, maxPoints)
	}
	if epoch != nil {
		epoch.add(r)
		t.choose()
	}
}

func (t *Tally) models(e probe.Models) {
	target := t.targets[e.Target]
	if k := t.settings.Knobs; e.Target < len(k) && k[e.Target].Model == "" {
		target.Failure = e.Failure // nothing can be probed without a model
	}
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
