package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
)

// Targets are counted, and named as many as fit whole.
func TestTargetsLine(t *testing.T) {
	sym, _ := symbols(t)
	s := &sheet{w: 80, sym: sym}
	named := func(names ...string) (list []Target) {
		for _, n := range names {
			list = append(list, Target{Name: n})
		}
		return list
	}
	for _, c := range []struct {
		targets []Target
		room    int
		want    string
	}{
		{nil, 20, "no target"},
		{named("near", "far"), 30, "2 targets: near, far"},
		{named("near", "far"), 19, "2 targets: near +1"},
		{named("near", "far"), 17, "2 targets"},
		{named("near", "far"), 8, ""},
		{named("a", "b", "c", "d", "e"), 19, "5 targets: a, b +3"},
		{named("a-long-name.example.internal", "b"), 19, "2 targets"},
		{named("a-long-name.example.internal"), 24, "1 target: a-long-name.e…"},
		{named("a-long-name.example.internal"), 14, "1 target"},
	} {
		if got := s.targetsLine(c.targets, c.room); got != c.want {
			t.Errorf("%d targets in %d cells: %q, want %q", len(c.targets), c.room, got, c.want)
		}
	}
}

// That the knobs turn for one target alone is seen in every view from 60 cells
// on, whatever else the header tells.
func TestUnlinkedIsSeen(t *testing.T) {
	theme, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	snap := Snapshot{Targets: []Target{{Name: "near"}, {Name: "far"}}, Selected: 1, Unlinked: true}
	for w := 60; w < 200; w++ {
		for v := range View(NViews) {
			for _, snap.Paused = range []bool{false, true} {
				for _, snap.Simulated = range []bool{false, true} {
					snap.View = v
					if line := ansi.Strip(Header(snap, w, 1, theme)); !strings.Contains(line, " B ALONE ") {
						t.Fatalf("%d cells, view %v, paused %v: %q", w, v, snap.Paused, line)
					}
				}
			}
		}
	}
	snap.Targets = snap.Targets[1:]
	snap.Selected = 0
	if line := Header(snap, 80, 1, theme); strings.Contains(line, "ALONE") {
		t.Errorf("one target is told of as alone: %q", line)
	}
}
