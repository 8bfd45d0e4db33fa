package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/diagnose"
	"ttftop/probe/endpoint"
	"ttftop/probe/session"
	"ttftop/probe/tally"
	"ttftop/views"
)

// state is what the engine knows at one instant: the part of a snapshot that
// does not depend on the person at the keys. Nobody changes it once made.
type state struct {
	now      time.Duration
	start    time.Time
	recent   []*probe.Result // the newest, oldest first
	settings probe.Settings
	epoch    int
	targets  []views.Target
	models   [][]string // to choose from, by target
	changes  []views.Change
	effect   *views.Effect
	shares   map[probe.SLO][]views.Share // of the probes within each SLO of the TTFT, by target
	status   views.Status
	streams  []time.Duration   // how long a load stream takes, by target
	ladders  []float64         // share of the calibration still to come, by target
	nearest  [][]*probe.Result // the probes of the p50 waterfall, by target
	refusal  int               // the target that refuses the present prompt length, −1 for none
	busy     bool              // a probe waits for its first token: the picture moves
	over     bool              // the token budget is reached
	versus   *views.Versus     // the comparison, nil before its first pair was asked for
}

// gather takes the state out of a session.
func gather(s *session.Session, targets []probe.Target, record string, now time.Time) *state {
	st := &state{refusal: -1}
	s.View(func(t *tally.Tally, writeErr error) {
		st.now = now.Sub(t.Start())
		st.settings, st.epoch = t.Settings(), t.Epoch()
		st.start, st.recent = t.Start(), t.Recent()
		for i := range targets {
			st.addTarget(t, i, targets[i], now)
		}
		st.changes = timeMarks(t)
		st.effect = effect(t, targets)
		st.shares = shares(t, len(targets))
		st.status = status(t, record, writeErr, now)
		st.over = t.Spent().Exhausted
	})
	return st
}

func (st *state) addTarget(t *tally.Tally, i int, target probe.Target, now time.Time) {
	k, of := st.settings.Knobs[i], t.Target(i)
	v := views.Target{
		Name: target.Name, Region: target.Endpoint.Region, Model: k.Model, URL: endpoint.Display(target.Endpoint),
		Handoff: target.Handoff, Insecure: target.Endpoint.Insecure, Figures: of.Figures(),
		LoadAsked: of.Load.Asked, Load: of.Load.InFlight, LoadError: of.Load.LastErr,
		Ladder: views.Progress{Done: of.Ladder.Total - of.Ladder.Left, Total: of.Ladder.Total},
		Flags:  of.Flags, FlagText: flagTexts(of.Flags, flagSentences), FlagBrief: flagTexts(of.Flags, flagBriefs),
	}
	v.P50, v.P50Probes = of.P50()
	v.P95 = of.P95()
	v.Fit, v.Epoch = of.Fit, of.Epoch()
	v.P50Least, v.P50Most = anyHas(of.Nearest(), probe.FlagAtLeast), anyHas(of.Nearest(), probe.FlagAtMost)
	st.nearest = append(st.nearest, of.Nearest())
	v.Diagnosis = diagnose.Target(of, k)
	if f := of.Failure; f != nil {
		v.Failure = f.Error()
		if f.Code == probe.CodeTooLong && refused(of) {
			st.refusal = i
		}
	}
	if of.Held.Until.After(now) {
		v.Held, v.HeldFor = of.Held.Reason, of.Held.Until.Sub(now)
	}
	if r := of.Last; r != nil {
		v.Address, v.Clock = connection(r), r.Clock
		if of.Failure == nil || r.Knobs.Model == "" || r.Knobs.Model == k.Model { // else it says nothing of the model that fails
			v.Last = settled(r)
		}
		v.Engine = r.Engine
		if reportCuts(r.Waterfall) {
			v.Dialect = r.Dialect
		}
		v.FlagText = append(v.FlagText, ackTexts(r.Ack)...)
	}
	if f := of.Newest(); f != nil {
		v.Live = live(f, of.Last, now)
		st.busy = st.busy || !v.Live.TTFT.OK
	}
	v.Points, v.Costs = of.Points(), of.Costs()
	v.Ranked, v.Censored = of.Ranked()
	st.targets = append(st.targets, v)
	st.models = append(st.models, of.Models)
	st.streams = append(st.streams, of.Load.StreamTime)
	left := 1.0 // nothing is told before the first step
	if of.Ladder.Total > 0 {
		left = float64(of.Ladder.Left) / float64(of.Ladder.Total)
	}
	st.ladders = append(st.ladders, left)
}

// timeMarks are the turned knobs and the markers, oldest first.
func timeMarks(t *tally.Tally) []views.Change {
	var list []views.Change
	for _, c := range joined(t.Changes()) {
		list = append(list, views.Change{At: c.At.Sub(t.Start()), Epoch: c.Epoch, Text: described(c.Before, c.Settings)})
	}
	for _, m := range t.Markers() {
		list = append(list, views.Change{At: m.At.Sub(t.Start()), Text: m.Note, Note: true})
	}
	slices.SortStableFunc(list, func(a, b views.Change) int { return cmp.Compare(a.At, b.At) })
	return list
}

// joined are changes, oldest first, of which those of the same knobs at once are
// one, unless together they turn nothing.
func joined(changes []probe.Changed) []probe.Changed {
	var list []probe.Changed
	var begun time.Time // of the last one
	for _, c := range changes {
		if n := len(list); n > 0 && c.At.Sub(begun) <= atOnce && slices.Equal(turnedNames(list[n-1]), turnedNames(c)) && described(list[n-1].Before, c.Settings) != "" {
			c.Before = list[n-1].Before
			list[n-1] = c
			continue
		}
		list, begun = append(list, c), c.At
	}
	return list
}

// turnedNames are the names of the knobs and levers that a change has turned.
func turnedNames(c probe.Changed) []string {
	names := turns(c.Before, c.Settings)
	for i, text := range names {
		names[i], _, _ = strings.Cut(text, " ")
	}
	return names
}

// shares counts the probes within each SLO of the TTFT.
func shares(t *tally.Tally, targets int) map[probe.SLO][]views.Share {
	all := map[probe.SLO][]views.Share{}
	for _, s := range t.Settings().SLO {
		if s.Metric != probe.TTFTMetric {
			continue
		}
		for i := range targets {
			n, of := t.Target(i).Within(s.Limit)
			all[s] = append(all[s], views.Share{N: n, Of: of})
		}
	}
	return all
}

// effect compares the present epoch with the one before.
func effect(t *tally.Tally, targets []probe.Target) *views.Effect {
	changes := t.Changes()
	if len(changes) == 0 {
		return nil
	}
	last := changes[len(changes)-1]
	from, to := last.Before, last.Settings
	if before, after, ok := t.Compared(); ok {
		from, to = before, after
	}
	turned := turns(from, to)
	if len(turned) == 0 {
		return nil // the knobs are back at what they are compared with
	}
	e := &views.Effect{Text: strings.Join(turned, ", "), Turned: len(turned)}
	for i := range targets {
		of := t.Target(i)
		before, _ := of.Before()
		e.Targets = append(e.Targets, views.TargetEffect{
			Target: targets[i].Name, Still: still(from, to, i), Before: before, After: of.Figures(), Shift: of.Shift(),
		})
	}
	return e
}

// freshFor is how long a notice is told in place of the footer's keys, where it has
// no line of its own.
const freshFor = 6 * time.Second

// recentNotices is how many notices the status keeps, and noticeFor for how
// long those that don't last.
const (
	recentNotices = 3
	noticeFor     = 30 * time.Second
)

func status(t *tally.Tally, record string, writeErr error, now time.Time) views.Status {
	probes, failed := t.Counts()
	spent := t.Spent()
	s := views.Status{Probes: probes, Failed: failed, Sent: spent.Sent, Received: spent.Received, Budget: spent.Budget, Record: record, Lag: t.Lag(), ReadDelay: t.ReadDelay()}
	for i := range t.Settings().Knobs {
		s.Rate, s.Pressure = worse(s.Rate, t.Target(i).Rate(t.Settings().RateOf(i))), worse(s.Pressure, t.Target(i).Pressure(t.Settings().Knobs[i].Pressure))
	}
	if writeErr != nil {
		s.RecordError = writeErr.Error()
	}
	for _, n := range t.Notices() {
		if n.Lasts || now.Sub(n.At) < noticeFor {
			s.Notices = append(s.Notices, n.Text)
		}
		if now.Sub(n.At) < freshFor {
			s.Fresh = n.Text
		}
	}
	s.Notices = s.Notices[max(0, len(s.Notices)-recentNotices):]
	if spent.Exhausted {
		s.Notices = append(s.Notices, "the token budget is reached: probing has stopped")
	}
	return s
}

// worse is the one of which less was achieved.
func worse(a, b tally.Kept) tally.Kept {
	if b.Share() < a.Share() {
		return b
	}
	return a
}
