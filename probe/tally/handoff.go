package tally

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
)

// Handoff are the figures of the acknowledgements of one target over one epoch.
// They stand beside those of the answers and are no part of them.
type Handoff struct {
	Model          string            // that acknowledged last
	Probes         int               // ordinary probes that were handed off
	Failed         int               // of these, without an acknowledgement
	Late           int               // of these, answered before they were acknowledged
	P50, P95       quantile.Estimate // of the acknowledgement's TTFT
	GapP50, GapP95 quantile.Estimate // from the acknowledgement to the answer; below 0 where the answer came first
}

// acks are the acknowledgements of an epoch's newest probes.
type acks struct {
	ttft, gap         []probe.Mark // not OK where there is none
	censored          []bool       // ranks slower than every success
	waited            []bool       // for the limit
	model             string       // of the last
	all, failed, late int          // all that ended, and of these without an acknowledgement, or with a late one
}

// add takes an ordinary probe that has ended.
func (a *acks) add(r *probe.Result) {
	if r.Ack == nil || slices.Contains(r.Ack.Flags, probe.FlagClockStep) {
		return
	}
	a.all++
	a.model = r.Ack.Model
	ttft := r.Ack.At
	if r.Ack.Failure != nil {
		a.failed++
		ttft = probe.Mark{}
	}
	gap := r.AckGap()
	if gap.OK && gap.At < 0 {
		a.late++
	}
	a.ttft, a.gap, a.censored = append(a.ttft, ttft), append(a.gap, gap), append(a.censored, r.Ack.Failure.Censored())
	a.waited = append(a.waited, r.Ack.Failure.Waited())
	if n := len(a.ttft) - maxSamples; n >= moreKept {
		a.ttft, a.gap, a.censored = slices.Delete(a.ttft, 0, n), slices.Delete(a.gap, 0, n), slices.Delete(a.censored, 0, n)
		a.waited = slices.Delete(a.waited, 0, n)
	}
}

func (a *acks) figures(limit time.Duration) Handoff {
	h := Handoff{Model: a.model, Probes: a.all, Failed: a.failed, Late: a.late}
	var ttft, gap column
	censored, exceeds := 0, time.Duration(0)
	for i := max(0, len(a.ttft)-maxSamples); i < len(a.ttft); i++ {
		ttft.take(a.ttft[i])
		gap.take(a.gap[i])
		if a.censored[i] {
			censored++
		}
		if a.waited[i] {
			exceeds = limit
		}
	}
	ttft.sort()
	gap.sort()
	h.P50, h.P95 = ttft.at(0.5, censored, exceeds), ttft.at(0.95, censored, exceeds)
	h.GapP50, h.GapP95 = gap.at(0.5, 0, 0), gap.at(0.95, 0, 0)
	return h
}
