package views

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// What is said of a segment holds for this very probe, and lists no
// alternatives, where it is known what its figure rests on.
func TestAnExplanationHoldsForItsProbe(t *testing.T) {
	s := sheetOf(t, false)
	for _, c := range []struct {
		name   probe.SegmentName
		source probe.Source
		basis  probe.Basis
		want   string
	}{
		{probe.Queue, probe.Reported, probe.Basis{Queue: probe.QueueTold}, "it is what the server (vllm) reports."},
		{probe.Queue, probe.Reported, probe.Basis{Queue: probe.QueueLeft}, "it is what the prefill that the server (vllm) reports leaves beside handling."},
		{probe.Prefill, probe.Reported, probe.Basis{Prefill: probe.PrefillWhole}, "the first decode lies beside that figure."},
		{probe.Prefill, probe.Reported, probe.Basis{Prefill: probe.PrefillLess}, "with the first decode: one decode step is taken out."},
		{probe.Prefill, probe.Reported, probe.Basis{Prefill: probe.PrefillPresumed}, "prefill may be longer by that step."},
		{probe.Prefill, probe.Estimated, probe.Basis{Prefill: probe.PrefillBetween}, "from the headers, which leave when a slot starts on the request, to the first token, less one decode step."},
		{probe.FirstDecode, probe.Estimated, probe.Basis{Step: probe.StepOwn}, "the median gap between the tokens of this stream."},
		{probe.FirstDecode, probe.Estimated, probe.Basis{Step: probe.StepEarlier}, "the usual decode step of earlier probes"},
		{probe.FirstDecode, probe.Estimated, probe.Basis{Step: probe.StepTold}, "one decode step, as the server (vllm) reports it."},
		{probe.Handling, probe.Measured, probe.Basis{}, "jitter, is in it."},
	} {
		seg := probe.Segment{Name: c.name, Duration: 10 * time.Millisecond, Source: c.source, Lo: 8 * time.Millisecond, Hi: 12 * time.Millisecond}
		target := Target{Last: &Settled{Waterfall: probe.Waterfall{seg}, Known: Known{Dialect: "vllm", Basis: c.basis}}}
		got := s.here(one(target), &target, c.name)
		if !strings.Contains(got, c.want) || strings.Contains(got, " or else ") || strings.Contains(got, ", or what ") {
			t.Errorf("%+v: %q, want %q", c.basis, got, c.want)
		}
	}
}
