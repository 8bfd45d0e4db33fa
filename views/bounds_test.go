package views

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// A queue that is a bound has its sign wherever a figure of it stands: without
// the screen, in the inspector's columns and in its words.
func TestBoundsHaveTheirSign(t *testing.T) {
	const ms = time.Millisecond
	w := probe.Waterfall{
		{Name: probe.Handling, Duration: 5 * ms, Source: probe.Estimated, Hi: 9 * ms},
		{Name: probe.Queue, Duration: 95 * ms, Source: probe.Estimated, Lo: 80 * ms, Hi: 100 * ms},
	}
	least, most := []probe.Flag{probe.FlagAtLeast}, []probe.Flag{probe.FlagAtMost}
	th := themes.Mono()
	for _, c := range []struct {
		flags []probe.Flag
		sign  string
	}{{nil, ""}, {least, "≥"}, {most, "≤"}, {append(least, most...), "~"}} {
		r := &probe.Result{Kind: probe.Ordinary, Waterfall: w, Flags: c.flags, Timeline: probe.Timeline{FirstToken: probe.At(100 * ms)}}
		target := Target{P50: w, P50Least: r.Has(probe.FlagAtLeast), P50Most: r.Has(probe.FlagAtMost), Last: &Settled{Waterfall: w, Known: Known{Flags: c.flags}}}
		snap := one(target)
		for where, has := range map[string][2]string{
			"table":     {NewPlainTable(nil, th).Row(r, "a"), " " + c.sign + "95.0e"},
			"summary":   {PlainSummary("a", "m", Figures{}, w, []*probe.Result{{}, r}, th), "queue " + c.sign + "95.0e"},
			"line":      {PlainProbe(r, "a", th), "queue " + c.sign + "95.0 e"},
			"waterfall": {PlainWaterfall(snap, th), "last " + c.sign + "95.0 ms, 95 %; p50 " + c.sign + "95.0 ms"},
			"inspector": {Inspector(snap, 120, 30, th), " " + c.sign + "95.0 e"},
		} {
			if got := has[0]; !strings.Contains(got, has[1]) {
				t.Errorf("%v, %s: no %q in\n%s", c.flags, where, has[1], got)
			}
		}
		if got := Inspector(snap, 120, 30, th); strings.Count(got, " "+c.sign+"95.0 e") != 2 {
			t.Errorf("%v: not in both columns:\n%s", c.flags, got)
		}
	}
}
