package cut

import (
	"slices"
	"testing"

	"ttftop/probe"
	"ttftop/probe/reported"
)

// asked is a probe of 1,000 tokens at a server that takes 20 ms and 80 ms more
// for these, and whose steps take 10: it waited for so long.
func asked(wait float64) Input {
	b := curve(20, 80, false)
	first := 110.5 + wait
	in := Input{RTT: probe.At(0), Uncached: 1000, Baseline: &b, Alone: true}
	in.Timeline = probe.Timeline{GotConn: probe.At(0), Sent: probe.At(ms(0.5)), Headers: probe.At(ms(first)), FirstToken: probe.At(ms(first))}
	for i := range 16 {
		in.Timeline.Tokens = append(in.Timeline.Tokens, probe.Arrival{At: ms(first + 10*float64(i)), Read: i})
	}
	in.Step = Step(in.Timeline)
	return in
}

// A reported prefill that is far less than the prompt's length was seen to cost
// contradicts that, where it was seen.
func TestTooCheap(t *testing.T) {
	for name, c := range map[string]struct {
		prefill, wait float64
		inside        reported.Contains
		change        func(*Input)
		mismatch      bool
	}{
		"as the length costs":            {80, 0, reported.No, nil, false},
		"with a part of the fixed":       {95, 0, reported.No, nil, false},
		"half of it is handling":         {42, 0, reported.No, nil, false},
		"less than half":                 {35, 0, reported.No, nil, true},
		"and it waited":                  {35, 60, reported.No, nil, true},
		"with its step":                  {45, 0, reported.Yes, nil, true},
		"maybe with its step":            {45, 0, reported.Unknown, nil, false},
		"quicker than the baseline":      {35, -40, reported.No, nil, false},
		"a cache that is not spoken of":  {35, 0, reported.No, func(in *Input) { in.CacheUnsaid = true }, false},
		"few tokens were not cached":     {1, 0, reported.No, func(in *Input) { in.Uncached = 20 }, false},
		"another server":                 {35, 0, reported.No, func(in *Input) { in.Doubt = Changed }, false},
		"before there is a baseline":     {35, 0, reported.No, func(in *Input) { in.Baseline = nil }, false},
		"a server that is never idle":    {35, 0, reported.No, func(in *Input) { b := curve(20, 80, true); in.Baseline = &b }, false},
		"far longer than any prompt was": {35, 0, reported.No, func(in *Input) { in.Uncached = 10000 }, false},
	} {
		in := asked(c.wait)
		in.Figures = reported.Figures{Prefill: probe.At(ms(c.prefill)), FirstDecodeInPrefill: c.inside}
		if c.change != nil {
			c.change(&in)
		}
		out := Probe(in)
		if got := slices.Contains(out.Flags, probe.FlagReportMismatch); got != c.mismatch || c.mismatch == out.OwnPrefill.OK {
			t.Errorf("%s: mismatch %v, want %v; prefill as reported %v: %v", name, got, c.mismatch, out.OwnPrefill, out.Waterfall)
		}
	}
}

// What a server has reported of other probes cuts one without a report only
// where it is no less than the length was seen to cost.
func TestBelied(t *testing.T) {
	for own, want := range map[float64]probe.Segment{
		90: {Duration: ms(90), Lo: ms(90), Hi: ms(90)},  // a fixed part too
		79: {Duration: ms(79), Lo: ms(79), Hi: ms(79)},  // some of the length is handling
		40: {Duration: ms(80), Lo: ms(77), Hi: ms(100)}, // no more than that
		1:  {Duration: ms(80), Lo: ms(77), Hi: ms(100)},
	} {
		in := asked(0)
		in.OwnPrefill = &OwnPrefill{Usual: ms(own), Lo: ms(own), Hi: ms(own), Idle: true}
		out := Probe(in)
		got := segmentOf(t, out.Waterfall, probe.Prefill)
		if !close(got.Duration, float64(want.Duration)/1e6) || !close(got.Lo, float64(want.Lo)/1e6) || !close(got.Hi, float64(want.Hi)/1e6) {
			t.Errorf("where %v ms were reported, prefill is %v in %v to %v, want %+v", own, got.Duration, got.Lo, got.Hi, want)
		}
		handling := segmentOf(t, out.Waterfall, probe.Handling)
		if least := ms(110 - 10 - own); want.Lo != want.Hi && handling.Lo != 0 || want.Lo == want.Hi && !close(handling.Duration, float64(least)/1e6) {
			t.Errorf("where %v ms were reported, handling is %v in %v to %v", own, handling.Duration, handling.Lo, handling.Hi)
		}
	}
}

// A report that says one thing that can't be is not used for another, whoever
// found that.
func TestAbsurdAsAWhole(t *testing.T) {
	figures := func() reported.Figures {
		return reported.Figures{Queue: probe.At(ms(0)), Prefill: probe.At(ms(85)), FirstDecodeInPrefill: reported.No}
	}
	for name, change := range map[string]func(*Input){
		"a count":            func(in *Input) { in.Figures.Absurd = []string{"usage.completion_tokens"} },
		"a negative queue":   func(in *Input) { in.Figures.Queue = probe.At(-1) },
		"flagged by another": func(in *Input) { in.Flags = []probe.Flag{probe.FlagAbsurdReport} },
	} {
		in := asked(0)
		in.Figures = figures()
		change(&in)
		out := Probe(in)
		if got := segmentOf(t, out.Waterfall, probe.Prefill); got.Source != probe.Estimated || !close(got.Duration, 80) || out.OwnPrefill.OK {
			t.Errorf("%s: prefill %+v, taught %v", name, got, out.OwnPrefill)
		}
	}
	in := asked(0)
	in.Figures = figures()
	if got := segmentOf(t, Probe(in).Waterfall, probe.Prefill); got.Source != probe.Reported {
		t.Errorf("prefill without an absurd figure: %+v", got)
	}
}
