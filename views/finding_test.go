package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// One line has the effect and what dominates, the diagnosis alone before any change,
// and a notice where there is one.
func TestFinding(t *testing.T) {
	d := Diagnosis{Part: probe.PrefillPart, What: "prefill is 79 % of p95 TTFT", Cure: "shorten the prompt", BriefWhat: "prefill 79 % of p95", BriefCure: "shorten"}
	snap := Snapshot{Targets: []Target{{Diagnosis: d}}}
	line := func(width int) string { return ansi.Strip(FindingPanel(snap, width, 1, themes.Mono())) }
	if got := line(60); !strings.Contains(got, "A █ prefill is 79 % of p95 TTFT: shorten the prompt") {
		t.Errorf("before a change: %q", got)
	}
	snap.Effect = &Effect{Text: "prompt 256 → 1,024", Turned: 1, Targets: []TargetEffect{{Shift: tally.Shift{P50: change(66, 2)}}}}
	for width, want := range map[int]string{
		80: " prompt 256 → 1,024: TTFT p50  A +66.0 ms ±2 ", 60: " prompt 256 → 1,024:  A +66.0 ms ", 40: " A +66.0 ms ", 30: " A +66.0 ms ±2 ",
	} {
		got := line(width)
		if !strings.Contains(got, want) || strings.Contains(got, "A █ prefill 79 % of p95 ") != (width > 36) {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
	snap.Status.Notices = []string{"the key is refused"}
	if got := line(60); !strings.Contains(got, "! the key is refused") || !strings.Contains(got, "+66.0 ms") {
		t.Errorf("with a notice: %q", got)
	}
}
