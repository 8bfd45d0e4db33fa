package views_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
	"ttftop/views"
)

// A point far above all others stands over the axis, beside its value; where no
// point does, no line is kept for any.
func TestScalingMarksWhatIsAboveItsAxis(t *testing.T) {
	th, _ := themes.Pick("dark", true, false)
	snap := views.Snapshot{Targets: []views.Target{{Name: "near"}, {Name: "far"}}}
	for i := range 40 {
		snap.Targets[0].Costs = append(snap.Targets[0].Costs, views.Cost{Tokens: 200 + i, TTFT: time.Duration(30+i%20) * time.Millisecond})
	}
	draw := func() []string {
		return strings.Split(ansi.Strip(views.ScalingPlot(snap, 60, 16, th)), "\n")
	}
	if top := draw()[0]; strings.Contains(top, th.Symbols.Above) {
		t.Errorf("nothing is above the axis: %q", top)
	}
	snap.Targets[1].Costs = []views.Cost{{Tokens: 220, TTFT: 6051 * time.Millisecond}}
	lines := draw()
	if !strings.Contains(lines[0], th.Symbols.Above+"6,051") || !strings.Contains(lines[0], "B") {
		t.Errorf("the slow point is not told to be above:\n%s", strings.Join(lines, "\n"))
	}
	if strings.Contains(lines[0], "A") || strings.Contains(strings.Join(lines[1:], ""), "B") {
		t.Errorf("points on the wrong line:\n%s", strings.Join(lines, "\n"))
	}
}
