package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/views"
)

// sortProbes puts results in the order of a column; alike ones stand with the
// newest first.
func sortProbes(rows []*probe.Result, by views.ProbeColumn, ascending bool) {
	slices.SortFunc(rows, func(a, b *probe.Result) int {
		c := compareProbes(a, b, by)
		if !ascending {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(b.Seq, a.Seq))
	})
}

func compareProbes(a, b *probe.Result, by views.ProbeColumn) int {
	switch by {
	case views.ProbeTarget:
		return cmp.Compare(a.Target, b.Target)
	case views.ProbeKind:
		return cmp.Compare(a.Kind, b.Kind)
	case views.ProbePrompt:
		return cmp.Compare(a.PromptTokens, b.PromptTokens)
	case views.ProbeTTFT:
		return cmp.Compare(latency(a), latency(b))
	case views.ProbeQueue:
		return cmp.Compare(a.Waterfall.Of(probe.QueuePart), b.Waterfall.Of(probe.QueuePart))
	case views.ProbeRemark:
		return cmp.Compare(views.ProbeRemarkText(a), views.ProbeRemarkText(b))
	}
	return cmp.Compare(a.Seq, b.Seq)
}

// latency is the TTFT to sort by: a probe without one is slower than all.
func latency(r *probe.Result) float64 {
	if !r.TTFT().OK {
		return 1e300
	}
	return float64(r.TTFT().At)
}

// matcher tells the results that hold each of the words of a filter, in any
// case, in what is known of them by name.
func matcher(filter string, targets []probe.Target) func(*probe.Result) bool {
	words := strings.Fields(strings.ToLower(filter))
	if len(words) == 0 {
		return func(*probe.Result) bool { return true }
	}
	return func(r *probe.Result) bool {
		text := strings.ToLower(searchable(r, targets))
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	}
}

// searchable is what a filter looks at.
func searchable(r *probe.Result, targets []probe.Target) string {
	parts := []string{
		"#" + strconv.Itoa(r.Seq), targets[r.Target].Name, targets[r.Target].Endpoint.Region, r.Knobs.Model, r.Model, string(r.Kind),
		r.Address, string(r.Clock), r.Dialect, r.RequestID, "epoch" + strconv.Itoa(r.Epoch),
	}
	for _, f := range r.Flags {
		parts = append(parts, string(f))
	}
	if r.Failure == nil {
		parts = append(parts, "ok")
	} else {
		parts = append(parts, "failed", string(r.Failure.Kind), r.Failure.Code, r.Failure.Error())
	}
	return strings.Join(parts, "\n")
}
