package tally

import (
	"testing"
	"time"

	"ttftop/probe"
)

// Twenty answers of 100, 110 … 290 ms, acknowledged after 40, 41 … 59 ms; then
// one acknowledgement that is refused (beside), one that times out (ranked last)
// and one that comes after its answer.
func TestHandoffFigures(t *testing.T) {
	s := session()
	for i := range 20 {
		r := success(i, 100*ms+10*ms*time.Duration(i))
		r.Ack = &probe.Ack{At: probe.At(40*ms + ms*time.Duration(i)), TTFT: probe.At(40 * ms)}
		finish(s, r)
	}
	refused, timedOut, late := success(20, 300*ms), success(21, 310*ms), success(22, 320*ms)
	refused.Ack = &probe.Ack{Failure: &probe.Failure{Kind: probe.FailStatus, Status: 404}}
	timedOut.Ack = &probe.Ack{Failure: &probe.Failure{Kind: probe.FailTimeout}}
	late.Ack = &probe.Ack{At: probe.At(350 * ms)}
	stepped := success(23, 330*ms)
	stepped.Ack = &probe.Ack{At: probe.At(9 * ms), Flags: []probe.Flag{probe.FlagClockStep}}
	for _, r := range []probe.Result{refused, timedOut, late, stepped} {
		finish(s, r)
	}
	f := s.Target(0).Figures()
	if f.Failed != 0 || f.Probes != 24 || f.P50.At != 210*ms {
		t.Errorf("the answers: %d failed of %d, p50 %v", f.Failed, f.Probes, f.P50.At)
	}
	h := f.Handoff
	if h.Probes != 23 || h.Failed != 2 || h.Late != 1 {
		t.Errorf("%+v", h)
	}
	// 22 rank: 20, the late one, the one that timed out. The p50 is the 11th, the
	// p95 the 21st.
	if h.P50.At != 50*ms || h.P95.At != 350*ms || h.P95.Max || h.P95.Censored || h.P50.N != 22 {
		t.Errorf("p50 %+v, p95 %+v", h.P50, h.P95)
	}
	// Gaps are −30 and 60, 69 … 231 ms.
	if h.GapP50.At != 60*ms+9*9*ms || h.GapP95.At != 60*ms+18*9*ms || h.GapP50.N != 21 {
		t.Errorf("gap p50 %+v, p95 %+v", h.GapP50, h.GapP95)
	}
	finish(s, success(24, 100*ms))
	if s.Target(0).Figures().Handoff.Probes != 23 {
		t.Error("a probe that was not handed off counts")
	}
}
