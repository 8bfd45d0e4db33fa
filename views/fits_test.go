package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
)

// What is not firm of a fit is marked, has its interval where there is room, and
// is told in words where it is no figure.
func TestFitsThatAreNotFirm(t *testing.T) {
	const ms = time.Millisecond
	th := themes.Mono()
	fit := probe.Fit{Fixed: probe.At(2 * ms), FixedHi: 9 * ms, Per1k: probe.At(80 * ms), Per1kLo: 75 * ms, Per1kHi: 85 * ms}
	snap := Snapshot{Targets: []Target{{Name: "near", Model: "m", Fit: fit, Figures: Figures{Fixed: fit.Fixed, Slope: fit.Per1k, FixedLoose: true}}}}
	shown := func(want string) {
		t.Helper()
		if got := ansi.Strip(Fits(snap, 160, 1, th)); !strings.Contains(got, want) {
			t.Errorf("%q is missing: %s", want, got)
		}
	}
	shown("~2.00 ms (0 ms to 9.00 ms) + 80.0 ms per 1k uncached input tokens")
	if got := ansi.Strip(FiguresPanel(snap, 120, 2, th)); !strings.Contains(got, "~2.00 + 80.0/1k") {
		t.Error(got)
	}
	if got := PlainSummary("near", "m", snap.Targets[0].Figures, nil, nil, th); !strings.Contains(got, "(fitted: ~2.00 ms + 80.0 ms per 1k)") {
		t.Error(got)
	}
	snap.Targets[0].Figures = Figures{}
	snap.Targets[0].Fit.Busy = true
	shown("not known: never seen idle")
	snap.Targets[0].Fit.Busy, snap.Targets[0].Fit.Per1kHi = false, 900*ms
	shown("not known yet: 0 ms to 9.00 ms, and 75.0 ms to 900 ms per 1k")
	snap.Targets[0].Ladder = Progress{Done: 2, Total: 8}
	shown("not fitted yet: calibrating 2/8")
}
