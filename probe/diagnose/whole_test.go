package diagnose

import (
	"testing"

	"ttftop/probe"
)

// What most probes near the median say decides.
func TestWhyWhole(t *testing.T) {
	flagged := func(flags ...probe.Flag) *probe.Result { return &probe.Result{Flags: flags} }
	cut, buffered, both := flagged(), flagged(probe.FlagBuffered), flagged(probe.FlagAtLeast, probe.FlagOtherModel, probe.FlagBuffered)
	for i, c := range []struct {
		probes []*probe.Result
		want   probe.Flag
	}{
		{nil, ""},
		{[]*probe.Result{cut, cut, buffered}, ""},
		{[]*probe.Result{cut, buffered}, ""},
		{[]*probe.Result{cut, buffered, both}, probe.FlagBuffered},
		{[]*probe.Result{both, flagged(probe.FlagOtherModel), flagged(probe.FlagSilentCache)}, probe.FlagOtherModel},
	} {
		if got := whyWhole(c.probes); got != c.want {
			t.Errorf("case %d: %q, want %q", i, got, c.want)
		}
	}
}
