package prober

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/load"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/sim"
)

// simulated starts a simulated endpoint with round costs: each token of a pass
// takes 20 µs, and a pass never less than 2 ms.
func simulated(t *testing.T, change func(*sim.Config)) *sim.Server {
	t.Helper()
	c := sim.Config{
		Name: "sim", Levers: sim.Levers{MaxBatch: 16, CacheBlocks: 1000},
		Models: []sim.Model{
			{Name: "m", Params: 1e9, BytesPerWeight: 1, Layers: 1, AttentionWidth: 1, KVBytesPerToken: 1},
			{Name: "other", Params: 2e9, BytesPerWeight: 1, Layers: 1, AttentionWidth: 1, KVBytesPerToken: 1},
		},
		Hardware: sim.Hardware{Name: "h", FLOPS: 1e14, Bandwidth: 5e11, ComputeShare: 1, BandwidthShare: 1},
		Dialect:  sim.DialectVLLM,
	}
	if change != nil {
		change(&c)
	}
	s, err := sim.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func simTarget(s *sim.Server, name string) probe.Target {
	return probe.Target{Name: name, Endpoint: testserver.Endpoint(s.URL(), "")}
}

// A counted run: warm-up, ladder, then as many ordinary probes as asked for of
// each target; then it ends.
func TestCountedRun(t *testing.T) {
	t.Parallel()
	a, b := simulated(t, nil), simulated(t, func(c *sim.Config) { c.StepOverhead = 20 * time.Millisecond })
	const count = 7
	r := begin(t, Config{
		Targets:  []probe.Target{simTarget(a, "a"), simTarget(b, "b")},
		Settings: probe.Settings{Knobs: []probe.Knobs{fast(), fast()}},
		Timeout:  10 * time.Second, Count: count, LadderFirst: true,
	})
	r.wait()
	for target := range 2 {
		var kinds []probe.Kind
		var lengths []int
		for _, e := range of[probe.Started](r.events()) {
			if e.Target == target {
				kinds = append(kinds, e.Kind)
			}
		}
		for _, res := range results(r.events(), probe.Calibration) {
			if res.Target == target {
				lengths = append(lengths, res.Knobs.PromptTokens)
			}
		}
		want := append([]probe.Kind{probe.Warmup}, slices.Repeat([]probe.Kind{probe.Calibration}, len(rungs))...)
		want = append(want, slices.Repeat([]probe.Kind{probe.Ordinary}, count)...)
		if !slices.Equal(kinds, want) {
			t.Errorf("target %d began %v, want %v", target, kinds, want)
		}
		if !slices.Equal(lengths, rungs) {
			t.Errorf("rungs %v, want %v", lengths, rungs)
		}
	}
	checkEvents(t, r.events())
	for _, res := range results(r.events(), "") {
		if res.Failure != nil || !res.TTFT().OK || res.Waterfall.Total() != res.TTFT().At {
			t.Errorf("%+v", res)
		}
	}
	last := of[probe.Finished](r.events())
	if fit := last[len(last)-1].Fit; !fit.Fixed.OK || !fit.Per1k.OK {
		t.Error("no baseline is told after the ladder")
	} else if fit.Fixed.At < fit.FixedLo || fit.Fixed.At > fit.FixedHi || fit.Per1k.At < fit.Per1kLo || fit.Per1k.At > fit.Per1kHi {
		t.Errorf("a baseline outside of its intervals: %+v", fit)
	}
}

// checkEvents holds what is true of every run: a probe begins once before it
// is followed and ends once, and all of an epoch comes after its change.
func checkEvents(t *testing.T, events []probe.Event) {
	t.Helper()
	state := map[int]string{}
	epoch := 0
	for _, e := range events {
		switch e := e.(type) {
		case probe.Started:
			if s := state[e.Seq]; s == "ended" {
				t.Errorf("probe %d begins after its end", e.Seq)
			}
			if e.Epoch > epoch {
				t.Errorf("probe %d begins in epoch %d before that was told", e.Seq, e.Epoch)
			}
			state[e.Seq] = "began"
		case probe.Reached:
			if state[e.Seq] != "began" {
				t.Errorf("probe %d reaches %s while it is %q", e.Seq, e.Step, state[e.Seq])
			}
		case probe.Finished:
			f := e.Result.Failure
			skipped := f != nil && (f.Kind == probe.FailSkipped || f.Code == probe.CodeNotSent)
			if s := state[e.Result.Seq]; s != "began" && !skipped || s == "ended" {
				t.Errorf("probe %d ends while it is %q", e.Result.Seq, s)
			}
			state[e.Result.Seq] = "ended"
		case probe.Changed:
			if e.Epoch != epoch && e.Epoch != epoch+1 {
				t.Errorf("epoch %d follows epoch %d", e.Epoch, epoch)
			}
			epoch = e.Epoch
		}
	}
	for seq, s := range state {
		if s != "ended" {
			t.Errorf("probe %d has not ended", seq)
		}
	}
}

// The pressure of a counted run begins after the ladder.
func TestTheLadderIsClimbedWithoutLoad(t *testing.T) {
	var calibrated, early atomic.Int64
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Load() {
			if calibrated.Load() < int64(len(rungs)) {
				early.Add(1)
			}
			a.Hold()
			return
		}
		if r.MaxTokens == ladderOutput {
			calibrated.Add(1) // the warm-up is the first of them
		}
		a.Short()
	})
	k := fast()
	k.Pressure = 5
	c := onto(s, k)
	c.LadderFirst = true
	r := begin(t, c)
	r.until("the end of the ladder", func(events []probe.Event) bool {
		return len(results(events, probe.Calibration)) == len(rungs)
	})
	eventually(t, "all load streams are in flight", func() bool { now, _ := s.Load(); return now == 5 })
	r.stop()
	if n := early.Load(); n > 0 {
		t.Errorf("%d load streams began beside the ladder", n)
	}
	if _, most := s.Load(); most != 5 {
		t.Errorf("at most %d load streams, want 5", most)
	}
	eventually(t, "load streams end with the run", func() bool { now, _ := s.Load(); return now == 0 })
}

// The ladder goes on with shorter prompts where long ones are refused.
func TestALongRungIsRefused(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Words() > 128 {
			a.Refuse(400, `{"error":{"message":"maximum context length is 128 tokens","code":"context_length_exceeded"}}`)
			return
		}
		a.Short()
	})
	c := onto(s, fast())
	c.Count, c.LadderFirst = 3, true
	r := begin(t, c)
	r.wait()
	var lengths []int
	for _, res := range results(r.events(), probe.Calibration) {
		lengths = append(lengths, res.Knobs.PromptTokens)
	}
	if want := []int{16, 1024, 64, 256, 16, 64}; !slices.Equal(lengths, want) {
		t.Errorf("rungs %v, want %v", lengths, want)
	}
	told := of[probe.Calibrating](r.events())
	if last := told[len(told)-1]; last.Left != 0 || last.Total != len(rungs) {
		t.Errorf("%+v", last)
	}
}

// Counts that can't be are flagged, replaced by this program's own, and in no
// total.
func TestAbsurdCounts(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) {
		a.Token("A")
		a.Token("B")
		a.Event(`{"choices":[],"usage":{"prompt_tokens":2000000000,"completion_tokens":999999999,"prompt_tokens_details":{"cached_tokens":1999999999}}}`)
		a.Event("[DONE]")
	})
	c := onto(s, fast())
	c.Count = 3
	r := begin(t, c)
	r.wait()
	for _, res := range results(r.events(), probe.Ordinary) {
		if !res.Has(probe.FlagAbsurdReport) || !res.Has(probe.FlagApproximate) || res.PromptExact || res.OutputTokens != 2 || res.CachedTokens != 0 || res.PromptTokens > 1000 {
			t.Errorf("%d prompt tokens (exact: %v), %d of them cached, %d output tokens, %v", res.PromptTokens, res.PromptExact, res.CachedTokens, res.OutputTokens, res.Flags)
		}
	}
	spent := of[probe.Spent](r.events())
	if last := spent[len(spent)-1]; last.Sent > 10_000 || last.Received > 100 {
		t.Errorf("spent %+v", last)
	}
}

func TestCountsOfALoadStream(t *testing.T) {
	for said, want := range map[load.Usage]load.Usage{
		{Prompt: 256, Output: 64}:           {Prompt: 256, Output: 64},
		{Prompt: 2_000_000_000, Output: 64}: {Prompt: 0, Output: 64},
		{Prompt: 256, Output: 999_999_999}:  {Prompt: 256, Output: 60},
		{Prompt: -5, Output: -1}:            {Prompt: 0, Output: 60},
	} {
		if got := counted(said, 1300, 60, time.Second); got != want {
			t.Errorf("%+v is taken for %+v", said, got)
		}
	}
}
