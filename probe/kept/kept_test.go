package kept

import (
	"math/rand/v2"
	"testing"
	"time"

	"ttftop/probe"
)

const ms = time.Millisecond

func ok(ttft time.Duration) *probe.Result {
	return &probe.Result{
		Kind: probe.Ordinary, PromptTokens: 500, OutputTokens: 3, FirstTokens: 1,
		Timeline: probe.Timeline{
			FirstToken: probe.At(ttft), LastToken: probe.At(ttft + 60*ms),
			Tokens: []probe.Arrival{{At: ttft, Read: 1}, {At: ttft + 30*ms, Read: 2}, {At: ttft + 60*ms, Read: 3}},
		},
	}
}

func fails(kind probe.FailureKind) *probe.Result {
	return &probe.Result{Kind: probe.Ordinary, Failure: &probe.Failure{Kind: kind}}
}

// What is found can be recorded: bounds that there are not are null.
func TestRecord(t *testing.T) {
	j := New(probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 600 * ms}, 0.95)
	for _, r := range times(12, ok(100*ms)) {
		j.Take(r)
	}
	if line := j.Record("a", time.Unix(0, 0)); line.State != "undecided" || line.SLO != "p95=600ms" || line.Probes != 12 || *line.Value.Estimate != 100 || line.Value.Lo == nil || line.Value.Hi != nil {
		t.Errorf("%+v", line)
	}
	j = New(probe.SLO{Metric: probe.FailuresMetric}, 0.95)
	j.Take(fails(probe.FailTimeout))
	if line := j.Record("a", time.Unix(0, 0)); line.State != "broken" || line.Value.Estimate != nil {
		t.Errorf("%+v", line)
	}
}

func times(n int, r *probe.Result) (all []*probe.Result) {
	for range n {
		all = append(all, r)
	}
	return all
}

func join(all ...[]*probe.Result) (joined []*probe.Result) {
	for _, a := range all {
		joined = append(joined, a...)
	}
	return joined
}

func TestState(t *testing.T) {
	p := func(q float64, limit time.Duration) probe.SLO {
		return probe.SLO{Metric: probe.TTFTMetric, Quantile: q, Limit: limit}
	}
	failures := func(share float64) probe.SLO { return probe.SLO{Metric: probe.FailuresMetric, Share: share} }
	per1k := probe.SLO{Metric: probe.Per1kMetric, Quantile: 0.5, Limit: 400 * ms}
	tpot := probe.SLO{Metric: probe.TPOTMetric, Quantile: 0.5, Limit: 30 * ms}
	for _, c := range []struct {
		name    string
		slo     probe.SLO
		results []*probe.Result
		want    State
	}{
		{"none", p(0.5, 300*ms), nil, Undecided},
		{"ten", p(0.5, 300*ms), times(10, ok(200*ms)), Undecided},
		{"eleven within", p(0.5, 300*ms), times(11, ok(200*ms)), Kept},
		{"eleven on the limit", p(0.5, 300*ms), times(11, ok(300*ms)), Kept},
		{"eleven above", p(0.5, 300*ms), times(11, ok(301*ms)), Broken},
		{"p95 needs 64", p(0.95, 300*ms), times(63, ok(200*ms)), Undecided},
		{"p95 of 64", p(0.95, 300*ms), times(64, ok(200*ms)), Kept},
		{"p95 is soon broken", p(0.95, 300*ms), times(3, ok(400*ms)), Broken},
		{"p99 of 305", p(0.99, 300*ms), times(305, ok(200*ms)), Kept},
		{"failures are slower than any limit", p(0.5, time.Hour), times(11, fails(probe.FailTimeout)), Broken},
		{"what isn't ranked says nothing", p(0.5, 300*ms), times(500, fails(probe.FailRateLimit)), Undecided},
		{"per 1k: 200 ms for 500 tokens", per1k, times(11, ok(200*ms)), Kept},
		{"per 1k: 201 ms", per1k, times(11, ok(201*ms)), Broken},
		{"tpot", tpot, times(11, ok(200*ms)), Kept},
		{"tpot of failures is none", tpot, join(times(10, ok(200*ms)), times(50, fails(probe.FailStream))), Undecided},
		{"1 % of failures, none in 304", failures(0.01), times(304, ok(200*ms)), Undecided},
		{"none in 305", failures(0.01), times(305, ok(200*ms)), Kept},
		{"1 %, two of two", failures(0.01), times(2, fails(probe.FailStatus)), Broken},
		{"1 %, two of three", failures(0.01), join(times(1, ok(200*ms)), times(2, fails(probe.FailStatus))), Undecided},
		{"a refusal is a failure", failures(0.01), times(3, fails(probe.FailRateLimit)), Broken},
		{"none at all is never proved", failures(0), times(5000, ok(200*ms)), Undecided},
		{"and broken at once", failures(0), join(times(20, ok(200*ms)), times(1, fails(probe.FailDNS))), Broken},
		{"nor is what this program did not send", failures(0), times(5, fails(probe.FailClient)), Undecided},
		{"cancelled ones are no failures", failures(0), times(5, fails(probe.FailCanceled)), Undecided},
	} {
		j := New(c.slo, 0.95)
		for _, r := range c.results {
			j.Take(r)
		}
		if got := j.State(); got != c.want {
			t.Errorf("%s: %v of %d, want %v", c.name, got, j.N(), c.want)
		}
	}
	other := ok(200 * ms)
	other.Kind = probe.Calibration
	step := ok(200 * ms)
	step.Flagged(probe.FlagClockStep)
	late := ok(200 * ms)
	late.Flagged(probe.FlagLateRead)
	j := New(p(0.5, 300*ms), 0.95)
	for _, r := range []*probe.Result{other, step, late, fails(probe.FailCanceled)} {
		if j.Take(r); j.N() != 0 {
			t.Errorf("%+v counts", r)
		}
	}
	for want, s := range map[int]probe.SLO{11: per1k, 64: p(0.95, ms), 305: failures(0.01), 0: failures(0)} {
		if got := New(s, 0.95).Needs(); got != want {
			t.Errorf("%v needs %d probes, want %d", s, got, want)
		}
	}
}

// A quantile that lies exactly at the limit, looked at after every probe: it is
// seldom ever called broken.
func TestLookedAtAlways(t *testing.T) {
	const sessions, probes = 400, 300
	wrong := 0
	for i := range sessions {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		j := New(probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.9, Limit: 900 * ms}, 0.95)
		for range probes {
			j.Take(ok(time.Duration(r.IntN(1000)+1) * ms)) // 900 of 1,000 are within
			if j.State() == Broken {
				wrong++
				break
			}
		}
	}
	if share := float64(wrong) / sessions; share > 0.05 {
		t.Errorf("%.1f %% of the sessions ever call it broken", 100*share)
	}
}

// numbered gives a result its place in the order of sending.
func numbered(seq int, r *probe.Result) *probe.Result {
	at := *r
	at.Seq = seq
	return &at
}

// Quick probes say nothing while one that was sent before them hangs; what is
// cancelled in the end says what its waiting tells.
func TestOrderOfSending(t *testing.T) {
	canceled := func(waited time.Duration, token bool) *probe.Result {
		r := fails(probe.FailCanceled)
		r.Timeline.Done = probe.At(waited)
		if token {
			r.Timeline.FirstToken = probe.At(waited)
		}
		return r
	}
	limit := probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.5, Limit: 300 * ms}
	for _, c := range []struct {
		name  string
		slo   probe.SLO
		first *probe.Result // the oldest of 30, the only one not quick; nil while it is in flight
		n     int
		state State
	}{
		{"in flight", limit, nil, 0, Undecided},
		{"timed out", limit, fails(probe.FailTimeout), 30, Kept},
		{"cancelled after longer than the limit", limit, canceled(301*ms, false), 30, Kept},
		{"cancelled sooner", limit, canceled(299*ms, false), 0, Undecided},
		{"cancelled after its first token", limit, canceled(299*ms, true), 30, Kept},
		{"cancelled, of failures", probe.SLO{Metric: probe.FailuresMetric, Share: 0.3}, canceled(9*time.Second, false), 0, Undecided},
		{"skipped, of failures", probe.SLO{Metric: probe.FailuresMetric, Share: 0.3}, fails(probe.FailSkipped), 29, Kept},
		{"skipped, of the TTFT", limit, fails(probe.FailSkipped), 30, Kept},
	} {
		j := New(c.slo, 0.95)
		for seq := 1; seq <= 30; seq++ {
			j.Began(probe.Started{Seq: seq, Kind: probe.Ordinary})
		}
		j.Began(probe.Started{Seq: 31, Kind: probe.Calibration})
		for seq := 30; seq > 1; seq-- {
			j.Take(numbered(seq, ok(100*ms)))
		}
		if c.first != nil {
			j.Take(numbered(1, c.first))
		}
		if j.N() != c.n || j.State() != c.state {
			t.Errorf("%s: %s after %d probes, want %s after %d", c.name, j.State(), j.N(), c.state, c.n)
		}
	}
}

// An endpoint that hangs in half of the probes is not said to keep its p50 when the
// session ends before they have run into their timeout.
func TestHangingIsNotKept(t *testing.T) {
	j := New(probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.5, Limit: 300 * ms}, 0.95)
	for seq := 1; seq <= 100; seq++ {
		j.Began(probe.Started{Seq: seq, Kind: probe.Ordinary})
		if seq%5 < 2 {
			j.Take(numbered(seq, ok(100*ms)))
		}
	}
	for seq := 1; seq <= 100; seq++ {
		if seq%5 >= 2 {
			r := fails(probe.FailCanceled)
			r.Timeline.Done = probe.At(time.Duration(100-seq) * time.Second)
			j.Take(numbered(seq, r))
		}
	}
	if j.State() == Kept || j.N() < 90 {
		t.Errorf("%s after %d probes", j.State(), j.N())
	}
}

// The record of failures holds their share.
func TestRecordOfFailures(t *testing.T) {
	j := New(probe.SLO{Metric: probe.FailuresMetric, Share: 0.05}, 0.95)
	for seq := 1; seq <= 40; seq++ {
		r := ok(100 * ms)
		if seq%10 == 0 {
			r = fails(probe.FailStatus)
		}
		j.Take(numbered(seq, r))
	}
	j.Take(numbered(41, fails(probe.FailSkipped)))
	line := j.Record("a", time.Unix(0, 0))
	if line.Failed == nil || *line.Failed != 10 || line.Probes != 40 || line.Skipped != 1 {
		t.Errorf("%+v", line)
	}
}

// What can't be proved is waited for by nobody.
func TestSettled(t *testing.T) {
	never := New(probe.SLO{Metric: probe.FailuresMetric}, 0.95)
	p50 := New(probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.5, Limit: 300 * ms}, 0.95)
	if !never.Settled() || p50.Settled() {
		t.Errorf("at first: %v, %v", never.Settled(), p50.Settled())
	}
	for seq := 1; seq <= 11; seq++ {
		p50.Take(numbered(seq, ok(100*ms)))
	}
	if !p50.Settled() {
		t.Error("kept, and not settled")
	}
}
