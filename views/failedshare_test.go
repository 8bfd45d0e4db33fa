package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
)

// What this program did not send in time is no share of the endpoint's failures,
// wherever one is shown.
func TestFaultsOnThisSide(t *testing.T) {
	th := themes.Mono()
	f := Figures{Probes: 30, Beside: 21, Ours: 20, Failed: 1, Skipped: 1}
	snap := Snapshot{Targets: []Target{{Name: "near", Figures: f}}}
	for name, text := range map[string]string{
		"figures":   FiguresPanel(snap, 120, 2, th),
		"summary":   Summary(snap, 50, 16, th),
		"plain":     PlainLine("near", "m", f, th),
		"the limit": PlainLimit(probe.SLO{Metric: probe.FailuresMetric, Share: 0.01}, Share{}, f, th),
	} {
		if !strings.Contains(ansi.Strip(text), "11 %") { // 1 of 9
			t.Errorf("%s: %s", name, text)
		}
	}
	s := newSheet(120, 1, th)
	s.spans(0, 0, s.laneCounts(&snap.Targets[0], 118)...)
	if text := ansi.Strip(s.String()); !strings.Contains(text, " 1 failed ") || !strings.Contains(text, "1 beside, 20 by this side") {
		t.Error(text)
	}
	if text := PlainLine("near", "m", f, th); !strings.Contains(text, "(1 refused or limited)") {
		t.Error(text)
	}
}
