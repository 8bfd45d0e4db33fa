// Package diagnose says in one sentence which part of the TTFT dominates, and
// what to do about it, in the order that costs least; or that nothing dominates,
// or that too little is known.
//
// Start with Target, for a target of a session, or Of. What is said comes from
// the rules in rules.go; the numbers come from the waterfall of the p95, or
// from that of the p50 where the p95 isn't known.
package diagnose

import (
	"fmt"
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/tally"
)

// Known is what a diagnosis is made of: one target over one epoch.
type Known struct {
	P95       probe.Waterfall    // near the p95; empty where that isn't known
	P50       probe.Waterfall    // near the p50; empty where there is none
	Successes int                // that the waterfalls come from
	Probes    int                // ended
	Failed    int                // of these, in whatever way
	Failure   string             // why the last one that failed did, "" for none
	AtLeast   bool               // the queue is a lower bound
	AtMost    bool               // the queue may be a slower server
	Whole     probe.Flag         // why the server time of most probes stays in one piece, "" for no such reason
	ProxyOnly bool               // the round trip is that to a proxy
	Engine    *probe.EngineState // as the server's own page last showed it; nil for none
	Knobs     probe.Knobs
	Prompt    int // tokens of a prompt
	Cached    int // of these, from a cache
}

// Finding is a diagnosis.
type Finding struct {
	Part  probe.Part // the one that dominates; "" where none does or too little is known
	Share float64    // of the TTFT, 0…1; 0 without a part
	What  string     // "queue is 71 % of p95 TTFT"
	Cure  string     // "lower the batch or add capacity, then a smaller model"; may be empty
	Note  string     // "a faster model won't help"; may be empty

	// The same where there is little room: together at most BriefWidth cells. Both
	// are empty where What and Cure are short enough.
	BriefWhat string // "queue 71 % of p95 TTFT"
	BriefCure string // "spread load or add capacity, then smaller model"

	rule string // that gave the cure
}

// BriefWidth is the most characters of a brief finding, with ": " between what
// and cure: it fits on a line of 80 cells behind a target's letter and a part's
// sign.
const BriefWidth = 74

// Sentence is the finding in one line.
func (f Finding) Sentence() string {
	text := f.What
	if f.Cure != "" {
		text += ": " + f.Cure
	}
	if f.Note != "" {
		text += "; " + f.Note
	}
	return text
}

const (
	leastProbes = 5    // a waterfall of fewer says nothing
	dominant    = 0.5  // share of the TTFT from which a part dominates
	failing     = 0.1  // share of failures that comes before every latency
	mostlyWarm  = 0.5  // share of the prompt from a cache that a cure must know of
	uncertain   = 0.35 // a share whose interval begins below is not enough known to act on
)

// Target is the diagnosis of a target at its present knobs.
func Target(t *tally.Target, k probe.Knobs) Finding {
	f := t.Figures()
	p50, n := t.P50()
	failed, judged := f.Failures()
	known := Known{
		P95: t.P95(), P50: p50, Successes: n, Probes: judged, Failed: failed,
		AtLeast: f.AtLeast, AtMost: slices.Contains(t.Flags, probe.FlagAtMost), Whole: whyWhole(t.Nearest()), ProxyOnly: f.ProxyOnly, Knobs: k, Prompt: f.PromptTokens, Cached: f.CachedTokens,
	}
	if t.Last != nil {
		known.Engine = t.Last.Engine
	}
	why := t.LastFailure()
	if why == nil && k.Model == "" {
		why = t.Failure
	}
	if why != nil {
		known.Failure = why.Error()
	}
	return Of(known)
}

// unnamed is the finding where nothing can be probed: it is not known which model.
func (k Known) unnamed() Finding {
	return Finding{
		What: "no probe is sent: no model is known", Cure: "name one (-m MODEL, or the knob m)", Note: k.Failure,
		BriefWhat: "no model to probe", BriefCure: "name one (-m MODEL, or the knob m)",
	}
}

// Of makes a diagnosis.
func Of(k Known) Finding {
	if k.Probes == 0 && k.Knobs.Model == "" && k.Failure != "" {
		return k.unnamed()
	}
	if k.Failed > 0 && float64(k.Failed) >= failing*float64(k.Probes) {
		return k.failing()
	}
	if k.Successes < leastProbes {
		return Finding{What: fmt.Sprintf("too few probes to say what dominates: %d of %d", k.Successes, leastProbes)}
	}
	w, quantile := k.P95, "p95"
	if len(w) == 0 {
		w, quantile = k.P50, "p50"
	}
	if w.Total() <= 0 {
		return Finding{What: "no probe near the " + quantile + " has a waterfall yet"}
	}
	return k.look(w, quantile)
}

func (k Known) failing() Finding {
	f := Finding{What: fmt.Sprintf("%s of the probes fail", percent(float64(k.Failed)/float64(k.Probes))), Cure: "mend that before any latency"}
	if k.Failure != "" {
		f.Note = k.Failure
	}
	return f
}

// look finds the dominant part and its rule.
func (k Known) look(w probe.Waterfall, quantile string) Finding {
	part, second := largest(w)
	share := of(w, part)
	about, sign := "", ""
	if part == probe.QueuePart && k.AtMost && share >= dominant {
		return Finding{
			What: fmt.Sprintf("queue may be up to %s of %s TTFT", percent(share), quantile), Cure: "waits or a slower server: not told apart yet",
			BriefWhat: fmt.Sprintf("queue ≤ %s of %s TTFT", percent(share), quantile), BriefCure: "waits or a slower server, not told apart yet",
		}
	}
	if estimated, low := k.estimate(w, part); estimated {
		if share >= dominant && low < uncertain && part != probe.HandlingPart { // whose cures take it for no more than it is
			return Finding{What: fmt.Sprintf("%s may be %s of %s TTFT", part, percent(share), quantile), Cure: "too uncertain yet to act on"}
		}
		about, sign = "about ", "≈ "
	}
	if part == probe.QueuePart && k.AtLeast {
		about, sign = "at least ", "≥ "
	}
	if share < dominant {
		return Finding{
			What: fmt.Sprintf("nothing dominates %s TTFT: %s %s%s, %s %s", quantile, part, about, percent(share), second, percent(of(w, second))),
			Note: k.warmth(),
		}
	}
	c := clue{known: k, w: w, part: part}
	f := Finding{Part: part, Share: share, What: fmt.Sprintf("%s is %s%s of %s TTFT", part, about, percent(share), quantile)}
	for _, r := range rules {
		if r.when(c) {
			f.rule = r.name
			if r.detail != "" {
				f.What += ", mostly " + r.detail
			}
			f.Cure, f.Note = r.cure, r.note
			f.BriefWhat, f.BriefCure = fmt.Sprintf("%s %s%s of %s TTFT", part, sign, percent(share), quantile), r.brief
			break
		}
	}
	if f.Note == "" && part != probe.PrefillPart {
		f.Note = k.warmth()
	}
	return f
}

// warmth warns that the figures are those of cached prompts; "" where they
// aren't.
func (k Known) warmth() string {
	if k.cachedShare() < mostlyWarm {
		return ""
	}
	return percent(k.cachedShare()) + " of the prompt is cached: a cold one takes longer"
}

func (k Known) cachedShare() float64 {
	if k.Prompt <= 0 {
		return 0
	}
	return float64(k.Cached) / float64(k.Prompt)
}

// estimate reports whether a part is fitted, and then the share at the low end
// of its interval.
func (k Known) estimate(w probe.Waterfall, part probe.Part) (estimated bool, low float64) {
	var sum time.Duration
	for _, s := range w {
		if s.Name.Part() != part {
			continue
		}
		if s.Source != probe.Estimated {
			sum += s.Duration
			continue
		}
		estimated = estimated || s.Duration > 0
		sum += s.Lo
	}
	return estimated, float64(sum) / float64(w.Total())
}

// largest are the two parts with the largest shares.
func largest(w probe.Waterfall) (first, second probe.Part) {
	first, second = probe.Parts[0], probe.Parts[1]
	if w.Of(second) > w.Of(first) {
		first, second = second, first
	}
	for _, p := range probe.Parts[2:] {
		switch d := w.Of(p); {
		case d > w.Of(first):
			first, second = p, first
		case d > w.Of(second):
			second = p
		}
	}
	return first, second
}

func of(w probe.Waterfall, p probe.Part) float64 { return float64(w.Of(p)) / float64(w.Total()) }

// percent is a share, 0…1, in whole percent.
func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
