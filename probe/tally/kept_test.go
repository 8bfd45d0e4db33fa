package tally

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"ttftop/probe"
)

func TestPacked(t *testing.T) {
	cut := probe.Waterfall{
		{Name: probe.RTT, Duration: 10 * ms, Source: probe.Measured}, {Name: probe.Queue, Duration: 3, Source: probe.Estimated, Lo: 1, Hi: 9},
		{Name: probe.Prefill, Duration: 80 * ms, Source: probe.Reported}, {Name: probe.FirstDecode, Duration: 9 * ms, Source: probe.Estimated, Lo: 8 * ms, Hi: 10 * ms},
	}
	whole := probe.Waterfall{{Name: probe.Server, Duration: 90 * ms, Source: probe.Measured}}
	first := pack(cut, nil)
	longer := slices.Clone(cut)
	longer[1].Duration, longer[1].Hi = 5*ms, 7*ms
	for _, c := range []struct {
		name   string
		w      probe.Waterfall
		before *form
		shared bool
	}{
		{"the first", cut, nil, false}, {"of the same form", longer, first.form, true}, {"of another form", whole, first.form, false}, {"none", nil, first.form, false},
	} {
		p := pack(c.w, c.before)
		if got := p.waterfall(); !slices.Equal(got, c.w) {
			t.Errorf("%s: %+v, was %+v", c.name, got, c.w)
		}
		if shared := p.form != nil && p.form == c.before; shared != c.shared {
			t.Errorf("%s: shares its form %v", c.name, shared)
		}
	}
}

// What was given out never changes, however many results follow.
func TestRecent(t *testing.T) {
	s := session()
	long := success(1, 100*ms)
	for i := range 3000 {
		long.Timeline.Tokens = append(long.Timeline.Tokens, probe.Arrival{At: 200*ms + time.Duration(i)*ms, Read: 10 + i})
	}
	finish(s, long)
	early := s.Recent()
	if len(early) != 1 || len(early[0].Timeline.Tokens) != maxArrivals || early[0].Timeline.LastToken != long.Timeline.LastToken {
		t.Errorf("%d results, %d arrivals", len(early), len(early[0].Timeline.Tokens))
	}
	finish(s, probe.Result{Seq: 2, Failure: &probe.Failure{Kind: probe.FailCanceled}})
	calibration := success(3, 50*ms)
	calibration.Kind = probe.Calibration
	finish(s, calibration)
	finish(s, failure(4, probe.Failure{Kind: probe.FailTimeout}))
	if r := s.Recent(); len(r) != 3 || r[1].Seq != 3 || r[2].Failure == nil {
		t.Errorf("kept %d", len(r))
	}
	held := s.Recent()
	for i := range 5 * maxRecent {
		finish(s, success(10+i, 100*ms))
	}
	r := s.Recent()
	if len(r) != maxRecent || r[len(r)-1].Seq != 9+5*maxRecent || r[0].Seq != 10+4*maxRecent {
		t.Errorf("%d results from %d to %d", len(r), r[0].Seq, r[len(r)-1].Seq)
	}
	if held[0].Seq != 1 || held[2].Seq != 4 {
		t.Error("a list that a frame may hold was changed")
	}
}

func TestCosts(t *testing.T) {
	s := session()
	cut := success(1, 100*ms) // 400 tokens of 500 are not cached
	cut.Waterfall = probe.Waterfall{{Name: probe.RTT, Duration: 10 * ms}, {Name: probe.Prefill, Duration: 80 * ms}, {Name: probe.FirstDecode, Duration: 10 * ms}}
	finish(s, cut)
	change(s, 1, knobs(256), knobs(512))
	finish(s, in(1, success(2, 120*ms))) // not cut
	for i, change := range []func(*probe.Result){
		func(r *probe.Result) { r.Kind = probe.Warmup },
		func(r *probe.Result) { r.Failure = &probe.Failure{Kind: probe.FailStream} },
		func(r *probe.Result) { r.Flagged(probe.FlagClockStep) },
		func(r *probe.Result) { r.CachedTokens = r.PromptTokens },
		func(r *probe.Result) { r.Knobs.Cache = probe.Warm }, // and the server speaks of no cache
		func(r *probe.Result) { r.Flagged(probe.FlagSilentCache) },
	} {
		r := success(3+i, 100*ms)
		change(&r)
		finish(s, r)
	}
	want := []Cost{{Tokens: 400, TTFT: 100 * ms, Outside: 20 * ms}, {Tokens: 400, TTFT: 120 * ms, Outside: -1, Epoch: 1}}
	if got := s.Target(0).Costs(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	held := s.Target(0).Costs()
	for i := range 4 * maxCosts {
		r := success(10+i, 200*ms)
		r.PromptTokens, r.CachedTokens = 1000+i, 0
		finish(s, r)
	}
	got := s.Target(0).Costs()
	if len(got) > maxCosts || got[len(got)-1].Tokens != 1000+4*maxCosts-1 {
		t.Errorf("%d costs, the last of %d tokens", len(got), got[len(got)-1].Tokens)
	}
	if got[0].Tokens > 2000 {
		t.Errorf("the first lengths are forgotten: %d is the first", got[0].Tokens)
	}
	if !slices.Equal(held, want) {
		t.Error("a list that a frame may hold was changed")
	}
}

// The successes behind the percentiles, and how many rank after them.
func TestRanked(t *testing.T) {
	s := session()
	for i, d := range []time.Duration{300 * ms, 100 * ms, 200 * ms} {
		finish(s, success(i, d))
	}
	finish(s, failure(4, probe.Failure{Kind: probe.FailTimeout}))
	finish(s, failure(5, probe.Failure{Kind: probe.FailRateLimit}))
	held, censored := s.Target(0).Ranked()
	if want := []time.Duration{100 * ms, 200 * ms, 300 * ms}; !slices.Equal(held, want) || censored != 1 {
		t.Errorf("%v, %d censored", held, censored)
	}
	finish(s, success(6, 50*ms))
	if again, _ := s.Target(0).Ranked(); len(again) != 4 || held[0] != 100*ms {
		t.Errorf("%v, and what was given out %v", again, held)
	}
}

// BenchmarkMemory measures what a session of 12 targets keeps of 100,000
// probes, each with its answer and what the server reported.
func BenchmarkMemory(b *testing.B) {
	const targets, probes = 12, 100_000
	for b.Loop() {
		var list []probe.Target
		settings := probe.Settings{}
		for range targets {
			list = append(list, probe.Target{Name: "t"})
			settings.Knobs = append(settings.Knobs, probe.DefaultKnobs)
		}
		before := heap()
		s := New(list, settings, start, limit)
		for i := range probes {
			s.Fold(probe.Finished{Result: fullResult(i, i%targets)})
			if i%1000 == 0 {
				for t := range targets {
					s.Target(t).Figures()
				}
			}
		}
		b.ReportMetric(float64(heap()-before)/(1<<20), "MiB")
		runtime.KeepAlive(s)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// fullResult is a probe as one with a reporting server ends.
func fullResult(seq, target int) probe.Result {
	r := success(seq, time.Duration(100+seq%977)*ms)
	r.Target = target
	r.Text = string(make([]byte, 100))
	r.Headers = map[string]string{"server": "uvicorn", "x-request-id": "req"}
	r.Reported = map[string]any{"queue_ms": 1.5, "prefill_ms": 80.0, "decode_ms": 120.0}
	r.Waterfall = nil
	for _, n := range []probe.SegmentName{probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT, probe.Handling, probe.Queue, probe.Prefill} {
		r.Waterfall = append(r.Waterfall, probe.Segment{Name: n, Duration: 10 * ms, Source: probe.Measured})
	}
	left := r.TTFT().At - r.Waterfall.Total()
	r.Waterfall = append(r.Waterfall, probe.Segment{Name: probe.FirstDecode, Duration: left, Source: probe.Estimated, Lo: left / 2, Hi: 2 * left})
	for len(r.Timeline.Tokens) < 16 {
		n := len(r.Timeline.Tokens)
		r.Timeline.Tokens = append(r.Timeline.Tokens, probe.Arrival{At: r.TTFT().At + time.Duration(n)*10*ms, Read: n})
	}
	return r
}
