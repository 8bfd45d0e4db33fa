package views

import (
	"strings"
	"testing"
	"time"
)

// The beginning of a marker's note is shown wherever it was dropped: at the right
// edge, beside a turned knob, or within one cell with it.
func TestMarkersAreShown(t *testing.T) {
	const now = 100 * time.Second
	turned := Change{At: 99 * time.Second, Epoch: 2, Text: "prompt 256 → 1,024"}
	for name, changes := range map[string][]Change{
		"at the right edge":        {{At: now, Text: "deploy 42", Note: true}},
		"at the left edge":         {{At: time.Second, Text: "deploy 42", Note: true}},
		"right after a knob":       {turned, {At: now, Text: "deploy 42", Note: true}},
		"in one cell with a knob":  {{At: 98_900 * time.Millisecond, Text: "deploy 42", Note: true}, turned},
		"between two knobs":        {{At: 97 * time.Second, Text: "batch 0 → 4"}, {At: 98 * time.Second, Text: "deploy 42", Note: true}, turned},
		"after another":            {{At: 95 * time.Second, Text: "the first of them", Note: true}, {At: 98 * time.Second, Text: "deploy 42", Note: true}},
		"at the edge after others": {turned, {At: 98 * time.Second, Text: "another note", Note: true}, {At: now, Text: "deploy 42", Note: true}},
	} {
		for _, ascii := range []bool{false, true} {
			got := chartOf(t, ascii, now, every(1, 100, 90*time.Millisecond, 1), changes, 80, 6)
			if !strings.Contains(got, "deploy") {
				t.Errorf("%s, ASCII %v:\n%s", name, ascii, got)
			}
		}
	}
}

// A turned knob is told at the top, and a note does not take its place.
func TestKnobsAreToldBesideNotes(t *testing.T) {
	const now = 100 * time.Second
	got := chartOf(t, false, now, every(1, 100, 90*time.Millisecond, 1), []Change{
		{At: 30 * time.Second, Text: "prompt 256 → 1,024"}, {At: 60 * time.Second, Text: "deploy 42", Note: true},
	}, 80, 6)
	if top, _, _ := strings.Cut(got, "\n"); !strings.Contains(top, "prompt 256 → 1,024") || !strings.Contains(top, "deploy 42") {
		t.Errorf("\n%s", got)
	}
}
