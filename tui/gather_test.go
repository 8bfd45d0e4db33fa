package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/views"
)

func TestGatherSettles(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"), targetAt(t, "far", atLoopback, "a"))
	w.ended(func(r *probe.Result) { r.CachedTokens, r.Timeline.FirstAnswer = 64, probe.At(150*ms) })
	st := w.at(5 * time.Second)
	v := st.targets[0]
	if v.Live != nil || st.busy {
		t.Error("a probe that has ended is live")
	}
	want := views.Settled{
		Seq: 1, Kind: probe.Ordinary, Waterfall: v.Last.Waterfall, TTFT: 100 * ms, AnswerTTFT: probe.At(150 * ms),
		PromptTokens: 256, CachedTokens: 64, PromptExact: true,
	}
	if v.Last.Waterfall.Total() != 100*ms || !equalSettled(*v.Last, want) {
		t.Errorf("%+v, want %+v", *v.Last, want)
	}
	if v.P50.Total() != 100*ms || v.P50Probes != 1 || v.Figures.Probes != 1 {
		t.Errorf("p50 %v of %d", v.P50, v.P50Probes)
	}
	if v.Name != "near" || v.Model != "a" || v.Address != "made to 192.0.2.1:443" || v.Clock != probe.KernelClock || v.URL != "https://llm.example.com/v1" {
		t.Errorf("%+v", v)
	}
	if len(v.Points) != 1 || v.Points[0] != (views.Point{At: time.Second, TTFT: 100 * ms}) {
		t.Errorf("points %+v", v.Points)
	}
	if far := st.targets[1]; far.Last != nil || far.Figures.Probes != 0 || far.P50 != nil {
		t.Errorf("the other target has it too: %+v", far)
	}
	if st.now != 5*time.Second || st.status.Probes != 1 || st.status.Failed != 0 {
		t.Errorf("now %v, %+v", st.now, st.status)
	}
}

func equalSettled(a, b views.Settled) bool {
	return a.Seq == b.Seq && a.Kind == b.Kind && slices.Equal(a.Waterfall, b.Waterfall) && a.TTFT == b.TTFT && a.AnswerTTFT == b.AnswerTTFT &&
		a.PromptTokens == b.PromptTokens && a.CachedTokens == b.CachedTokens && a.PromptExact == b.PromptExact
}

// The waterfall of another model isn't shown as the last of one that fails.
func TestLastIsOfTheModelThatFails(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a", "b"))
	w.ended(func(r *probe.Result) { r.Knobs.Model = "a" })
	before := settingsFor(w.targets)
	before.Knobs[0].Model = "a"
	after := before.Clone()
	after.Knobs[0].Model = "b"
	w.tell(probe.Changed{Epoch: 1, At: w.start.Add(2 * time.Second), Before: before, Settings: after})
	if v := w.at(2 * time.Second).targets[0]; v.Last == nil {
		t.Error("the waterfall goes before the other model has answered")
	}
	w.ended(func(r *probe.Result) {
		r.Epoch, r.Knobs.Model = 1, "b"
		fails(probe.Failure{Kind: probe.FailStatus, Status: 404, Message: "no such model"})(r)
	})
	if v := w.at(3 * time.Second).targets[0]; v.Last != nil || v.Failure == "" {
		t.Errorf("last %+v, failure %q", v.Last, v.Failure)
	}
}

func TestGatherEffect(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.ended(nil)
	if st := w.at(time.Second); st.effect != nil || len(st.changes) != 0 || st.epoch != 0 {
		t.Errorf("an effect of nothing: %+v", st.effect)
	}
	before := settingsFor(w.targets)
	after := before.Clone()
	after.Knobs[0].PromptTokens = 512
	w.tell(probe.Changed{Epoch: 1, At: w.start.Add(2 * time.Second), Before: before, Settings: after})
	st := w.at(2 * time.Second)
	if len(st.changes) != 1 || st.changes[0] != (views.Change{At: 2 * time.Second, Epoch: 1, Text: "prompt 256 → 512"}) {
		t.Errorf("marks %+v", st.changes)
	}
	if st.epoch != 1 || described(st.settings, after) != "" {
		t.Errorf("epoch %d, settings %+v", st.epoch, st.settings)
	}
	w.ended(func(r *probe.Result) {
		r.Epoch, r.Timeline.FirstToken = 1, probe.At(180*ms)
		r.Waterfall = probe.Waterfall{{Name: probe.Server, Duration: 180 * ms, Source: probe.Measured}}
	})
	w.ended(nil) // began before the change
	e := w.at(4 * time.Second).effect
	if e == nil || e.Text != "prompt 256 → 512" || len(e.Targets) != 1 {
		t.Fatalf("effect %+v", e)
	}
	te := e.Targets[0]
	if te.Target != "near" || te.Before.Probes != 2 || te.After.Probes != 1 || te.Shift.P50.OK ||
		te.Before.P50.At != 100*ms || te.After.P50.At != 180*ms {
		t.Errorf("%+v", te)
	}
	for range 10 {
		w.ended(nil) // of before
		w.ended(func(r *probe.Result) {
			r.Epoch, r.Timeline.FirstToken = 1, probe.At(180*ms)
			r.Waterfall = probe.Waterfall{{Name: probe.RTT, Duration: 10 * ms, Source: probe.Measured}, {Name: probe.Server, Duration: 170 * ms, Source: probe.Measured}}
		})
	}
	if te := w.at(time.Minute).effect.Targets[0]; te.Shift.P50 != (tally.Change{At: 80 * ms, Lo: 80 * ms, Hi: 80 * ms, OK: true}) || len(te.Shift.Parts) != 2 {
		t.Errorf("%+v", te.Shift)
	}
}

func TestGatherTroubles(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.ended(nil)
	w.ended(fails(probe.Failure{Kind: probe.FailStatus, Status: 503, Message: "the server is overloaded"}))
	w.tell(
		probe.Held{Until: w.start.Add(12 * time.Second), Reason: "rate limit"},
		probe.Load{Asked: 4, InFlight: 3, LastErr: "refused", StreamTime: 2 * time.Second},
		probe.Calibrating{Left: 2, Total: 8},
		probe.Models{Names: []string{"a", "b"}},
		probe.Spent{Sent: 100, Received: 20, Budget: 1000},
	)
	for _, text := range []string{"one", "two", "three", "four"} {
		w.tell(probe.Notice{Text: text, At: w.start})
	}
	st := w.at(10 * time.Second)
	v := st.targets[0]
	if v.Failure != "HTTP 503: the server is overloaded" || v.Last == nil || v.Figures.Failed != 1 {
		t.Errorf("failure %q, last %+v, %d failed", v.Failure, v.Last, v.Figures.Failed)
	}
	if v.Held != "rate limit" || v.HeldFor != 2*time.Second {
		t.Errorf("held for %q, %v", v.Held, v.HeldFor)
	}
	if v.LoadAsked != 4 || v.Load != 3 || v.LoadError != "refused" || st.streams[0] != 2*time.Second {
		t.Errorf("load %+v, stream %v", v, st.streams[0])
	}
	if v.Ladder != (views.Progress{Done: 6, Total: 8}) || st.ladders[0] != 0.25 {
		t.Errorf("ladder %+v, %v left", v.Ladder, st.ladders[0])
	}
	if !slices.Equal(st.models[0], []string{"a", "b"}) {
		t.Errorf("models %v", st.models[0])
	}
	if s := st.status; s.Probes != 2 || s.Failed != 1 || s.Sent != 100 || s.Received != 20 || s.Budget != 1000 || !slices.Equal(s.Notices, []string{"two", "three", "four"}) {
		t.Errorf("%+v", s)
	}
	if v := w.at(13 * time.Second).targets[0]; v.Held != "" {
		t.Errorf("held for %q when that is over", v.Held)
	}
	w.ended(nil)
	if v := w.at(14 * time.Second).targets[0]; v.Failure != "" {
		t.Errorf("%q after a success", v.Failure)
	}
	w.tell(probe.Spent{Sent: 900, Received: 100, Budget: 1000, Exhausted: true})
	if st := w.at(15 * time.Second); !st.over || !strings.Contains(strings.Join(st.status.Notices, "\n"), "the token budget is reached") {
		t.Errorf("over %v, %q", st.over, st.status.Notices)
	}
}

func TestGatherFlags(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.ended(func(r *probe.Result) {
		r.Flags = []probe.Flag{probe.FlagOtherModel, probe.FlagApproximate, probe.FlagPromptCut, probe.FlagFromCache}
	})
	v := w.at(time.Second).targets[0]
	if len(v.Flags) != 4 || len(v.FlagText) != 3 {
		t.Errorf("flags %v, said as %q", v.Flags, v.FlagText)
	}
	for i, want := range []string{"another model", "cut the prompt", "came from a cache"} {
		if !strings.Contains(v.FlagText[i], want) {
			t.Errorf("%q does not say %q", v.FlagText[i], want)
		}
	}
	w.ended(nil)
	if v := w.at(time.Second).targets[0]; len(v.FlagText) != 0 {
		t.Errorf("%q of a probe that is fine", v.FlagText)
	}
}

// Before the first step of the calibration is told, all of it is to come.
func TestGatherCalibrationToCome(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	if got := w.at(0).ladders[0]; got != 1 {
		t.Errorf("%v of the calibration is to come", got)
	}
	w.tell(probe.Calibrating{Left: 0, Total: 8})
	if got := w.at(0).ladders[0]; got != 0 {
		t.Errorf("%v of the calibration is to come after its end", got)
	}
}

// Only an ordinary probe of the present epoch refuses the present prompt.
func TestGatherRefusal(t *testing.T) {
	tooLong := fails(probe.Failure{Kind: probe.FailStatus, Status: 400, Code: probe.CodeTooLong, Message: "too long"})
	in := func(target, epoch int, kind probe.Kind) func(*probe.Result) {
		return func(r *probe.Result) {
			tooLong(r)
			r.Target, r.Epoch, r.Kind = target, epoch, kind
		}
	}
	for _, c := range []struct {
		name string
		ends []func(*probe.Result)
		want int
	}{
		{"none", []func(*probe.Result){nil}, -1},
		{"refused", []func(*probe.Result){nil, in(0, 1, probe.Ordinary)}, 0},
		{"the other target", []func(*probe.Result){nil, in(1, 1, probe.Ordinary)}, 1},
		{"one of the epoch before", []func(*probe.Result){in(0, 0, probe.Ordinary)}, -1},
		{"a rung of the calibration", []func(*probe.Result){nil, in(0, 1, probe.Calibration)}, -1},
		{"another failure", []func(*probe.Result){fails(probe.Failure{Kind: probe.FailStatus, Status: 400, Message: "bad"})}, -1},
	} {
		w := tellOf(t, targetAt(t, "near", atReal, "a"), targetAt(t, "far", atReal, "a"))
		after := settingsFor(w.targets)
		for i := range after.Knobs {
			after.Knobs[i].PromptTokens *= 2
		}
		w.tell(probe.Changed{Epoch: 1, At: w.start, Before: settingsFor(w.targets), Settings: after})
		for _, end := range c.ends {
			w.ended(end)
		}
		if got := w.at(time.Minute).refusal; got != c.want {
			t.Errorf("%s: refused by %d, want %d", c.name, got, c.want)
		}
	}
}

// A notice is told for a while, and one about why a target is not probed until
// it is.
func TestNoticesGo(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.tell(probe.Notice{Text: "for a while", At: w.start}, probe.Notice{Text: "no model", At: w.start, Lasts: true})
	told := func(at time.Duration) []string { return w.at(at).status.Notices }
	if got := told(noticeFor - 1); !slices.Equal(got, []string{"for a while", "no model"}) {
		t.Errorf("at first: %q", got)
	}
	if got := told(time.Hour); !slices.Equal(got, []string{"no model"}) {
		t.Errorf("later: %q", got)
	}
	w.tell(probe.Started{Seq: 1})
	if got := told(time.Hour); len(got) != 0 {
		t.Errorf("while it is probed: %q", got)
	}
}

func TestGatherTellsOfTheRecord(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	var st *state
	w.session.View(func(t *tally.Tally, _ error) {
		st = &state{status: status(t, "probes.jsonl", errors.New("no space left"), time.Now())}
	})
	if st.status.Record != "probes.jsonl" || st.status.RecordError != "no space left" {
		t.Errorf("%+v", st.status)
	}
}
