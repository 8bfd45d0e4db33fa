package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
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
	v.Fit = of.Fit
	v.P50Least, v.P50Most = anyHas(of.Nearest(), probe.FlagAtLeast), anyHas(of.Nearest(), probe.FlagAtMost)
	st.nearest = append(st.nearest, of.Nearest())
	v.Diagnosis = diagnose.Target(of, k)
	if f := of.Failure; f != nil {
		v.Failure = f.Error()
		if f.Code == probe.CodeTooLong && refused(of, st.epoch) {
			st.refusal = i
		}
	}
	if of.Held.Until.After(now) {
		v.Held, v.HeldFor = of.Held.Reason, of.Held.Until.Sub(now)
	}
	if r := of.Last; r != nil {
		v.Address, v.Clock = connection(r), r.Clock
		v.Last = settled(r)
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

// anyHas reports whether any of the results carries a flag.
func anyHas(list []*probe.Result, flag probe.Flag) bool {
	return slices.ContainsFunc(list, func(r *probe.Result) bool { return r.Has(flag) })
}

// refused reports whether the last ordinary probe failed at the present knobs:
// the failure is not that of a calibration, nor of a length turned since.
func refused(t *tally.Target, epoch int) bool {
	points := t.Points()
	n := len(points)
	return n > 0 && points[n-1].Failed && points[n-1].Epoch == epoch
}

// connection is how the connection of a probe came about, and where it went:
// "kept to 127.0.0.1:8000".
func connection(r *probe.Result) string {
	if r.Address == "" {
		return ""
	}
	how := "made"
	switch {
	case r.Fresh:
		how = "made ahead"
	case r.Reused:
		how = "kept"
	}
	parts := []string{how + " to " + r.Address}
	if n := len(r.Names); n > 1 {
		parts[0] += fmt.Sprintf(" (1 of %d)", n)
	}
	if r.Proxy != "" {
		parts = append(parts, "through proxy "+r.Proxy)
	}
	if r.Protocol != "" && r.Protocol != "HTTP/1.1" {
		parts = append(parts, r.Protocol)
	}
	if r.TLS != "" {
		parts = append(parts, r.TLS)
	}
	if r.Resumed {
		parts = append(parts, "session resumed")
	}
	return strings.Join(parts, ", ")
}

// reportCuts reports whether anything in a waterfall is what the server said.
func reportCuts(w probe.Waterfall) bool {
	return slices.ContainsFunc(w, func(s probe.Segment) bool { return s.Source == probe.Reported })
}

func settled(r *probe.Result) *views.Settled {
	return &views.Settled{
		Seq: r.Seq, Kind: r.Kind, Waterfall: r.Waterfall, TTFT: r.TTFT().At, AnswerTTFT: r.AnswerTTFT(),
		PromptTokens: r.PromptTokens, CachedTokens: r.CachedTokens, PromptExact: r.PromptExact,
		Marks: marks(r), Contention: r.Contention, Known: known(r), Ack: r.Ack,
	}
}

// live is the waterfall of a probe in flight, so far. Until its own round trip
// is known, that of the probe before it stands in.
func live(f *tally.Flight, last *probe.Result, now time.Time) *views.Live {
	var rtt probe.Mark
	if last != nil {
		rtt = last.RTT
	}
	l := &views.Live{Seq: f.Seq, Kind: f.Kind, Elapsed: max(0, now.Sub(f.At))}
	if at, ok := f.Steps[probe.StepToken]; ok {
		l.TTFT = probe.At(at)
	}
	if at, ok := f.Steps[probe.StepAck]; ok {
		l.Ack = probe.At(at)
	}
	upTo := l.Elapsed
	if l.TTFT.OK {
		upTo = l.TTFT.At
	}
	l.Waterfall = cut.Live(timelineOf(f), upTo, rtt)
	return l
}

// timelineOf is the timeline of a probe in flight as far as it was told.
func timelineOf(f *tally.Flight) probe.Timeline {
	mark := func(s probe.Step) probe.Mark {
		at, ok := f.Steps[s]
		return probe.Mark{At: at, OK: ok}
	}
	t := probe.Timeline{
		DNSDone: mark(probe.StepDNS), ConnectDone: mark(probe.StepConnect), TLSDone: mark(probe.StepTLS),
		Sent: mark(probe.StepSent), Written: mark(probe.StepSent), Headers: mark(probe.StepHeaders), FirstToken: mark(probe.StepToken),
	}
	t.DNSStart.OK, t.ConnectStart.OK, t.TLSStart.OK = t.DNSDone.OK, t.ConnectDone.OK, t.TLSDone.OK
	t.ConnectStart.At, t.TLSStart.At = t.DNSDone.At, t.ConnectDone.At
	t.GotConn = probe.Mark{At: max(t.ConnectDone.At, t.TLSDone.At), OK: t.Sent.OK}
	return t
}

// timeMarks are the turned knobs and the markers, oldest first.
func timeMarks(t *tally.Tally) []views.Change {
	var list []views.Change
	for _, c := range t.Changes() {
		list = append(list, views.Change{At: c.At.Sub(t.Start()), Epoch: c.Epoch, Text: described(c.Before, c.Settings)})
	}
	for _, m := range t.Markers() {
		list = append(list, views.Change{At: m.At.Sub(t.Start()), Text: m.Note, Note: true})
	}
	slices.SortStableFunc(list, func(a, b views.Change) int { return cmp.Compare(a.At, b.At) })
	return list
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
		s.Rate, s.Pressure = worse(s.Rate, t.Target(i).Rate(t.Settings().RateOf(i))), worse(s.Pressure, t.Target(i).Pressure())
	}
	if writeErr != nil {
		s.RecordError = writeErr.Error()
	}
	for _, n := range t.Notices() {
		if n.Lasts || now.Sub(n.At) < noticeFor {
			s.Notices = append(s.Notices, n.Text)
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

// flagTexts says what a person must know of a probe's answer, in sentences or in
// a few words each; those that are short already have none.
func flagTexts(flags []probe.Flag, said map[probe.Flag]string) []string {
	var texts []string
	for _, f := range flags {
		if _, ok := flagSentences[f]; ok {
			texts = append(texts, said[f])
		}
	}
	return texts
}

// everyFlagText says each flag in a sentence, those too that a lane leaves out.
func everyFlagText(flags []probe.Flag) []string {
	var texts []string
	for _, f := range flags {
		text, ok := flagSentences[f]
		if !ok {
			text = quietSentences[f]
		}
		texts = append(texts, string(f)+": "+text)
	}
	return texts
}

// quietSentences are those of flags that are told of a single probe alone.
var quietSentences = map[probe.Flag]string{
	probe.FlagApproximate: "the endpoint counts no tokens: the lengths are the client's guess",
	probe.FlagTruncated:   "the stream ended without a finish_reason or [DONE]",
}

var flagSentences = map[probe.Flag]string{
	probe.FlagOtherModel:      "another model answered than the one asked for",
	probe.FlagPromptCut:       "the server cut the prompt: the length asked for was not run",
	probe.FlagFromCache:       "the reply came from a cache, not from the model",
	probe.FlagCached:          "part of the prompt was cached, though it was unique",
	probe.FlagSilentCache:     "part of the prompt was cached, as its time shows; the server does not say so",
	probe.FlagBuffered:        "all tokens came in one read: something on the way holds them back",
	probe.FlagReportMismatch:  "the server's own times don't fit into the time it took",
	probe.FlagAbsurdReport:    "the server reports a time that can't be",
	probe.FlagHiddenReasoning: "reasoning was counted but not streamed",
	probe.FlagModelLoad:       "the model was loaded first",
	probe.FlagClockStep:       "the clock was set, or this program stood still: the probe is kept out of the figures",
	probe.FlagLateRead:        "this program read the first token late: the time is an upper bound, kept out of the figures",
	probe.FlagAtLeast:         "no clear idle level was seen: the queue is at least this",
	probe.FlagAtMost:          "waits or a slower server, not told apart yet: the queue is at most this",
	probe.FlagProxyOnly:       "network: to proxy only, the endpoint is farther away",
	probe.FlagConnClosed:      "the server had closed the connection: a new one was made",
}

// flagBriefs are the same for a lane with little room: at most 40 characters.
var flagBriefs = map[probe.Flag]string{
	probe.FlagOtherModel:      "another model answered",
	probe.FlagPromptCut:       "the server cut the prompt",
	probe.FlagFromCache:       "the reply came from a cache",
	probe.FlagCached:          "the unique prompt was partly cached",
	probe.FlagSilentCache:     "part of the prompt was cached, unsaid",
	probe.FlagBuffered:        "all tokens came in one read",
	probe.FlagReportMismatch:  "the server's own times don't fit",
	probe.FlagAbsurdReport:    "an absurd time was reported",
	probe.FlagHiddenReasoning: "reasoning not streamed",
	probe.FlagModelLoad:       "model loaded first",
	probe.FlagClockStep:       "clock set or stood still: probe kept out",
	probe.FlagLateRead:        "read late here: probe kept out",
	probe.FlagAtLeast:         "never seen idle: queue at least this",
	probe.FlagAtMost:          "waits or a slower server: not told apart",
	probe.FlagProxyOnly:       "network: to the proxy only",
	probe.FlagConnClosed:      "closed by the server: new connection",
}

// modelNames are the models that hold the typed text, in any case, and last
// the text itself where none is called so.
func modelNames(all []string, typed string) []string {
	typed = strings.TrimSpace(typed)
	var found []string
	for _, name := range all {
		if strings.Contains(strings.ToLower(name), strings.ToLower(typed)) {
			found = append(found, name)
		}
	}
	if typed != "" && !slices.Contains(all, typed) {
		found = append(found, typed)
	}
	return found
}
