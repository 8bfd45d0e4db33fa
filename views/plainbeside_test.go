package views

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/tally"
)

func TestPlainBeside(t *testing.T) {
	for _, c := range []struct {
		b    tally.Beside
		want []string
	}{
		{tally.Beside{}, nil},
		{tally.Beside{Unsent: 1}, []string{"  1 due probe never sent: this program was late"}},
		{tally.Beside{Unsent: 12, LateReads: 3, Steps: 2}, []string{
			"  12 due probes never sent: this program was late",
			"  3 probes kept out of the figures: this program read the first token late",
			"  2 probes kept out of the figures: the clock was set, or this program stood still",
		}},
	} {
		if got := PlainBeside(c.b); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c.b, got)
		}
	}
}

func TestPlainProxyOnly(t *testing.T) {
	if got := PlainProxyOnly([]probe.Flag{probe.FlagAtLeast}); got != "" {
		t.Errorf("without the flag: %q", got)
	}
	if got := PlainProxyOnly([]probe.Flag{probe.FlagAtLeast, probe.FlagProxyOnly}); !strings.Contains(got, "to proxy only") {
		t.Errorf("with the flag: %q", got)
	}
}

// The answer TTFT is in a summary where it differs from the TTFT.
func TestPlainSummaryHasTheAnswer(t *testing.T) {
	th := sheetOf(t, false).th
	f := Figures{Probes: 3, Answer: probe.At(612 * time.Millisecond)}
	if got := PlainSummary("a", "m", f, nil, nil, th); !strings.Contains(got, "answer TTFT p50 612 ms") {
		t.Errorf("%q", got)
	}
	f.Answer = probe.Mark{}
	if got := PlainSummary("a", "m", f, nil, nil, th); strings.Contains(got, "answer") {
		t.Errorf("%q", got)
	}
}

// The round trip of a target behind a proxy says so in the inspector's row.
func TestTheInspectedRoundTripSaysWhereItEnds(t *testing.T) {
	s := sheetOf(t, true)
	w := probe.Waterfall{{Name: probe.RTT, Duration: time.Millisecond, Source: probe.Measured}}
	for _, k := range []Known{{}, {Proxy: "p:1"}, {Flags: []probe.Flag{probe.FlagProxyOnly}}} {
		got := s.knownBy(&Target{Last: &Settled{Waterfall: w, Known: k}}, probe.RTT)
		if want := k.Proxy != "" || k.Flags != nil; strings.Contains(got, "to proxy only") != want {
			t.Errorf("%+v: %q", k, got)
		}
	}
}
