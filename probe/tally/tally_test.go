package tally

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
	"unsafe"

	"ttftop/probe"
)

const ms = time.Millisecond

var start = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// limit is the time-out of the sessions here.
const limit = 30 * time.Second

func knobs(promptTokens int) probe.Settings {
	return probe.Settings{Knobs: []probe.Knobs{{Model: "m", PromptTokens: promptTokens, Rate: 1}}}
}

func session() *Tally {
	return New([]probe.Target{{Name: "a"}}, knobs(256), start, limit)
}

// success is an ordinary probe with five tokens, 10 ms apart.
func success(seq int, ttft time.Duration) probe.Result {
	r := probe.Result{
		Seq: seq, At: start.Add(time.Duration(seq) * time.Second), Kind: probe.Ordinary, PromptTokens: 500, PromptExact: true, CachedTokens: 100,
		OutputTokens: 5, OutputExact: true, FirstTokens: 1,
	}
	for i := range 5 {
		r.Timeline.Tokens = append(r.Timeline.Tokens, probe.Arrival{At: ttft + time.Duration(i)*10*ms, Read: i})
	}
	r.Timeline.FirstToken, r.Timeline.FirstAnswer = probe.At(ttft), probe.At(ttft)
	r.Timeline.LastToken, r.Timeline.Done = probe.At(ttft+40*ms), probe.At(ttft+45*ms)
	r.Waterfall = probe.Waterfall{{Name: probe.RTT, Duration: 10 * ms, Source: probe.Measured}, {Name: probe.Server, Duration: ttft - 10*ms, Source: probe.Measured}}
	return r
}

func failure(seq int, f probe.Failure) probe.Result {
	return probe.Result{Seq: seq, At: start.Add(time.Duration(seq) * time.Second), Kind: probe.Ordinary, Failure: &f}
}

func finish(t *Tally, r probe.Result) { t.Fold(probe.Finished{Result: r}) }

// 17 successes of 100, 110 … 260 ms, three censored probes and two counted
// beside: twenty are ranked. p50 is the tenth, 190 ms; p95 is the nineteenth, a
// failure: beyond the limit.
func TestFigures(t *testing.T) {
	s := session()
	seq := 0
	next := func() int { seq++; return seq }
	for i := range 17 {
		finish(s, success(next(), time.Duration(100+10*(i*5%17))*ms)) // in any order
	}
	for _, f := range []probe.Failure{
		{Kind: probe.FailTimeout}, {Kind: probe.FailStatus, Status: 503}, {Kind: probe.FailSkipped},
		{Kind: probe.FailRateLimit, Status: 429}, {Kind: probe.FailStatus, Status: 400},
	} {
		finish(s, failure(next(), f))
	}
	f := s.Target(0).Figures()
	if f.Probes != 22 || f.Failed != 3 || f.Beside != 2 {
		t.Errorf("%d probes, %d failed, %d beside", f.Probes, f.Failed, f.Beside)
	}
	if !f.P50.OK || f.P50.At != 190*ms || f.P50.Censored || f.P50.Max || f.P50.N != 20 {
		t.Errorf("p50 %+v", f.P50)
	}
	if !f.P95.Censored || f.P95.At != limit || f.P95.Max {
		t.Errorf("p95 %+v", f.P95)
	}
	if !f.P99.Censored || !f.P99.Max {
		t.Errorf("p99 %+v", f.P99)
	}
	for name, c := range map[string]struct{ got, want probe.Mark }{
		"max":   {f.Max, probe.At(260 * ms)},
		"per1k": {f.Per1k, probe.At(180 * ms * 1000 / 400)}, // the ninth of 17 over the uncached tokens
		"ITL":   {f.ITL, probe.At(10 * ms)},
		"TPOT":  {f.TPOT, probe.At(10 * ms)},
		"total": {f.Total, probe.At(225 * ms)},
		"fixed": {f.Fixed, probe.Mark{}},
	} {
		if c.got != c.want {
			t.Errorf("%s %+v, want %+v", name, c.got, c.want)
		}
	}
	if f.TokensPerSec != 100 || f.Limit != limit || f.PromptTokens != 500 || !f.PromptExact || !f.TokensExact || f.Answer.OK {
		t.Errorf("%+v", f)
	}
	w, n := s.Target(0).P50()
	if w.Total() != 190*ms || n != 17 {
		t.Errorf("the p50 waterfall adds up to %v, of %d probes", w.Total(), n)
	}
	if probes, failed := s.Counts(); probes != 22 || failed != 4 { // one was skipped
		t.Errorf("%d probes, %d failed", probes, failed)
	}
}

func TestAllFailed(t *testing.T) {
	s := session()
	for i := range 3 {
		finish(s, failure(i, probe.Failure{Kind: probe.FailTimeout}))
	}
	f := s.Target(0).Figures()
	if !f.P50.Censored || f.P50.At != limit || f.Max.OK || f.ITL.OK || f.TPOT.OK || f.TokensPerSec != 0 {
		t.Errorf("%+v", f)
	}
	if w, _ := s.Target(0).P50(); len(w) != 0 {
		t.Errorf("a waterfall of failures: %v", w)
	}
	if target := s.Target(0); target.Failure == nil || target.Last != nil {
		t.Error("the failure is not told")
	}
}

func TestNothingYet(t *testing.T) {
	f := session().Target(0).Figures()
	if f.P50.OK || f.Probes != 0 || f.Max.OK || f.TokensPerSec != 0 {
		t.Errorf("%+v", f)
	}
}

// What does not enter the figures: other kinds of probe, cancellations, and
// probes whose clock was set or whose first token this program read late. They
// are counted, and so are those that were never sent.
func TestKeptOut(t *testing.T) {
	s := session()
	finish(s, success(1, 100*ms))
	for i, kind := range []probe.Kind{probe.Warmup, probe.Calibration, probe.Sentinel} {
		r := success(2+i, 900*ms)
		r.Kind = kind
		finish(s, r)
	}
	finish(s, failure(5, probe.Failure{Kind: probe.FailCanceled}))
	stepped := success(6, -40*time.Hour)
	stepped.Flags = []probe.Flag{probe.FlagClockStep}
	finish(s, stepped)
	for seq := 7; seq < 9; seq++ {
		late := success(seq, 700*ms)
		late.Flags = []probe.Flag{probe.FlagLateRead}
		finish(s, late)
	}
	if got, want := s.Target(0).Beside, (Beside{LateReads: 2, Steps: 1}); got != want {
		t.Errorf("beside: %+v", got)
	}
	f := s.Target(0).Figures()
	if f.Probes != 1 || f.P50.At != 100*ms || len(s.Target(0).Points()) != 1 {
		t.Errorf("%+v", f)
	}
	if last := s.Target(0).Last; last == nil || last.Seq != 4 {
		t.Errorf("the last that is shown: %+v", last)
	}
	finish(s, failure(9, probe.Failure{Kind: probe.FailClient, Code: probe.CodeNotSent}))
	if f := s.Target(0).Figures(); s.Target(0).Beside.Unsent != 1 || f.Failed != 0 || f.Beside != 1 || f.P95.Censored {
		t.Errorf("one that was never sent: %+v", f)
	}
	f = s.Target(0).Figures()
	if n, of := f.Failures(); n != 0 || of != 1 || f.Succeeded() != 1 || f.Ours != 1 {
		t.Errorf("this program's own fault is a failure of the endpoint's: %d of %d", n, of)
	}
	if _, failed := s.Counts(); failed != 0 || s.Target(0).LastFailure() != nil || len(s.Target(0).Points()) != 1 {
		t.Error("nor is it told as one, or marked on the time axis")
	}
	finish(s, failure(10, probe.Failure{Kind: probe.FailSkipped}))
	finish(s, failure(11, probe.Failure{Kind: probe.FailRateLimit}))
	f = s.Target(0).Figures()
	if n, of := f.Failures(); n != 1 || of != 2 || f.Failed != 1 || f.Skipped != 1 || f.Beside != 2 {
		t.Errorf("%d of %d fail, %+v", n, of, f)
	}
}

// A probe that reasons aloud has another answer TTFT; figures of one that is
// unknown stay unknown.
func TestAnswer(t *testing.T) {
	s := session()
	finish(s, success(1, 100*ms))
	r := success(2, 100*ms)
	r.Timeline.FirstAnswer = probe.At(700 * ms)
	finish(s, r)
	if f := s.Target(0).Figures(); f.Answer != probe.At(700*ms) {
		t.Errorf("answer TTFT %+v", f.Answer)
	}
	r = success(3, 100*ms)
	r.PromptTokens, r.CachedTokens = 100, 100
	finish(s, r)
	if f := s.Target(0).Figures(); f.Per1k != probe.At(250*ms) {
		t.Errorf("a prompt that was wholly cached enters: %+v", f.Per1k)
	}
}

func TestFlights(t *testing.T) {
	s := session()
	if s.Busy() || s.Target(0).Newest() != nil {
		t.Error("busy with nothing")
	}
	s.Fold(probe.Started{Seq: 1, Kind: probe.Ordinary})
	s.Fold(probe.Started{Seq: 2, Kind: probe.Ordinary})
	s.Fold(probe.Started{Seq: 3, Kind: probe.Calibration})
	s.Fold(probe.Reached{Seq: 2, Step: probe.StepSent, At: 3 * ms})
	s.Fold(probe.Reached{Seq: 99, Step: probe.StepSent, At: 3 * ms})
	if f := s.Target(0).Newest(); f.Seq != 2 || f.Steps[probe.StepSent] != 3*ms || !s.Busy() {
		t.Errorf("newest %+v", f)
	}
	for _, seq := range []int{1, 2} {
		finish(s, success(seq, 100*ms))
	}
	if f := s.Target(0).Newest(); f.Seq != 3 {
		t.Errorf("newest %+v", f)
	}
	finish(s, success(3, 100*ms))
	if s.Busy() {
		t.Error("busy after the end")
	}
}

func TestOtherEvents(t *testing.T) {
	s := New([]probe.Target{{Name: "a", Models: []string{"x"}}, {Name: "b"}}, probe.Settings{Knobs: make([]probe.Knobs, 2)}, start, limit)
	s.Fold(probe.Models{Target: 0, Names: []string{"y", "x", "z"}})
	s.Fold(probe.Held{Target: 1, Reason: "rate limit"})
	s.Fold(probe.Load{Target: 1, Asked: 4})
	s.Fold(probe.Calibrating{Target: 0, Left: 2, Total: 8})
	s.Fold(probe.Spent{Sent: 7})
	if got := s.Target(0).Models; !slices.Equal(got, []string{"x", "y", "z"}) {
		t.Errorf("models %v", got)
	}
	if s.Target(1).Held.Reason != "rate limit" || s.Target(1).Load.Asked != 4 || s.Target(0).Ladder.Left != 2 || s.Spent().Sent != 7 || !s.Start().Equal(start) {
		t.Error("an event is lost")
	}
	for i := range 1000 {
		s.Fold(probe.Notice{Text: fmt.Sprint(i)})
	}
	if n := s.Notices(); len(n) != maxNotices || n[len(n)-1].Text != "999" {
		t.Errorf("%d notices", len(n))
	}
}

// The baseline that is shown is the newest told, also when it is lost again.
func TestFit(t *testing.T) {
	s := session()
	fit := probe.Fit{Fixed: probe.At(20 * ms), Per1k: probe.At(80 * ms)}
	s.Fold(probe.Finished{Result: success(1, 100*ms), Fit: fit})
	if f := s.Target(0).Figures(); f.Fixed != fit.Fixed || f.Slope != fit.Per1k {
		t.Errorf("%+v", f)
	}
	s.Fold(probe.Finished{Result: success(2, 100*ms)})
	if f := s.Target(0).Figures(); f.Fixed.OK {
		t.Errorf("%+v", f)
	}
}

// However many probes there were, a bounded number is kept; the counts are of
// all of them, the percentiles of the newest.
func TestMemoryIsBounded(t *testing.T) {
	s := session()
	const n = 100_000
	for i := range n {
		switch {
		case i%10 == 9:
			finish(s, failure(i, probe.Failure{Kind: probe.FailTimeout}))
		case i < n-maxSamples:
			finish(s, success(i, time.Second))
		default:
			finish(s, success(i, 100*ms))
		}
	}
	target := s.Target(0)
	f := target.Figures()
	if f.Probes != n || f.Failed != n/10 || f.Max.At != 100*ms || f.P50.At != 100*ms || f.P50.N != maxSamples || !f.P95.Censored {
		t.Errorf("%+v", f)
	}
	if _, of := target.P50(); of != maxSamples*9/10 {
		t.Errorf("the waterfall is of %d probes", of)
	}
	e := target.current
	if len(e.samples) > maxSamples+moreKept || cap(e.samples) > 2*(maxSamples+moreKept) {
		t.Errorf("%d samples of %d", len(e.samples), cap(e.samples))
	}
	if len(target.Points()) > maxPoints || len(target.Costs()) > maxCosts || len(s.Recent()) != maxRecent || len(target.InFlight) != 0 {
		t.Errorf("%d points, %d costs, %d whole results", len(target.Points()), len(target.Costs()), len(s.Recent()))
	}
	if mib := float64(unsafe.Sizeof(sample{})) * float64(cap(e.samples)) / math.Exp2(20); mib > 8 {
		t.Errorf("an epoch may take %.0f MiB", mib)
	}
}

func BenchmarkFold(b *testing.B) {
	s := session()
	r := success(1, 100*ms)
	b.ReportAllocs()
	for b.Loop() {
		finish(s, r)
	}
}

// A frame after each probe, with an epoch that is as long as can be.
func BenchmarkFigures(b *testing.B) {
	s := session()
	for i := range 2 * maxSamples {
		finish(s, success(i, time.Duration(100+i%977)*ms))
	}
	b.ReportAllocs()
	for b.Loop() {
		finish(s, success(1, 100*ms))
		s.Target(0).Figures()
		s.Target(0).P50()
	}
}

// Where no model is known, why the endpoint's list can't be had is the failure of
// the target; where one is, the list is no probe.
func TestNoModel(t *testing.T) {
	refused := &probe.Failure{Kind: probe.FailConnect, Message: "refused the connection"}
	s := New([]probe.Target{{Name: "a"}}, probe.Settings{Knobs: []probe.Knobs{{Rate: 1}}}, start, limit)
	s.Fold(probe.Models{Failure: refused})
	if got := s.Target(0).Failure; got != refused {
		t.Errorf("%+v", got)
	}
	s.Fold(probe.Models{Names: []string{"m"}})
	if got := s.Target(0).Failure; got != nil {
		t.Errorf("there is a list: %+v", got)
	}
	named := session()
	named.Fold(probe.Models{Failure: refused})
	if got := named.Target(0).Failure; got != nil {
		t.Errorf("a model is named: %+v", got)
	}
}

// A fit is told once the first calibration is over, as far as it is firm.
func TestFirmFits(t *testing.T) {
	firm := probe.Fit{Fixed: probe.At(20 * ms), FixedLo: 18 * ms, FixedHi: 22 * ms, Per1k: probe.At(80 * ms), Per1kLo: 75 * ms, Per1kHi: 85 * ms}
	for _, c := range []struct {
		name         string
		change       func(*probe.Fit)
		shown, loose bool // of the two figures, the fixed one
	}{
		{"firm", func(*probe.Fit) {}, true, false},
		{"a wide fixed part", func(f *probe.Fit) { f.FixedLo, f.FixedHi = 0, 40*ms }, true, true},
		{"none", func(f *probe.Fit) { *f = probe.Fit{} }, false, false},
		{"both wide", func(f *probe.Fit) { f.FixedHi, f.Per1kHi = 90*ms, 900*ms }, false, false},
		{"a slope of nothing, and a wide fixed part", func(f *probe.Fit) { f.FixedHi, f.Per1k.At, f.Per1kLo, f.Per1kHi = 90*ms, 0, 0, 0 }, false, false},
		{"never idle", func(f *probe.Fit) { f.Busy = true }, true, true},
		{"never idle, and wide", func(f *probe.Fit) { f.Busy, f.FixedHi, f.Per1kHi = true, 90*ms, 900*ms }, false, false},
	} {
		s := session()
		target := s.Target(0)
		target.Fit = firm
		c.change(&target.Fit)
		if f := target.Figures(); f.Fixed.OK != c.shown || f.Slope.OK != c.shown || f.FixedLoose != c.loose || f.SlopeLoose != (c.name == "never idle") {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
	s := session()
	target := s.Target(0)
	target.Fit = firm
	shown := func(want bool, when string) {
		t.Helper()
		if f := target.Figures(); f.Fixed.OK != want || f.Slope.OK != want {
			t.Errorf("%s: %+v and %+v", when, f.Fixed, f.Slope)
		}
	}
	s.Fold(probe.Calibrating{Left: 6, Total: 8})
	shown(false, "while it is calibrated")
	s.Fold(probe.Calibrating{Left: 0, Total: 8})
	shown(true, "once it is")
	s.Fold(probe.Calibrating{Left: 2, Total: 10})
	shown(true, "while another length is added")
	other := knobs(256)
	other.Knobs[0].Model = "other"
	change(s, 1, knobs(256), other)
	shown(false, "of another model")
}

// A limit is exceeded only where somebody waited for it.
func TestLimitIsWaitedFor(t *testing.T) {
	s := session()
	for i := range 5 {
		finish(s, failure(i, probe.Failure{Kind: probe.FailConnect}))
	}
	if f := s.Target(0).Figures(); !f.P50.OK || !f.P50.Censored || f.P50.At != 0 || f.Limit != 0 {
		t.Errorf("refused at once: %+v", f.P50)
	}
	finish(s, failure(9, probe.Failure{Kind: probe.FailTimeout}))
	if f := s.Target(0).Figures(); f.P50.At != limit || f.Limit != limit {
		t.Errorf("one was waited for: %+v", f.P50)
	}
}
