package tui

import (
	"slices"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/views"
)

func TestMarkers(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("m M N")
	if p.m.dialog == nil || len(p.m.dialog.Choices) > 0 {
		t.Fatalf("no entry for a note: %+v", p.m.dialog)
	}
	p.press("d e p l o y space 4 2 q enter N esc N enter")
	if want := []string{"deploy 42q", ""}; !slices.Equal(p.engine.notes, want) || p.m.dialog != nil {
		t.Errorf("notes %q, want %q", p.engine.notes, want)
	}
	if n := len(p.engine.applied); n != 2 {
		t.Errorf("%d turns of knobs, want those of m and M", n)
	}
	p.press("enter 8 enter") // the next entry is for a knob again
	if got := len(p.engine.notes); got != 2 {
		t.Errorf("a value became a note: %q", p.engine.notes)
	}
}

func TestClear(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("C")
	if p.engine.cleared != 1 || p.m.notice == "" {
		t.Errorf("cleared %d times, %q", p.engine.cleared, p.m.notice)
	}
}

// Markers and turned knobs stand on one time axis, in order; after a clear
// nothing of what was before is left, and probes of before don't come back.
func TestGatherMarkersAndClear(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	before := settingsFor(w.targets)
	after := before.Clone()
	after.Knobs[0].PromptTokens = 512
	w.ended(nil)
	w.tell(
		probe.Changed{Epoch: 1, At: w.start.Add(3 * time.Second), Before: before, Settings: after},
		probe.Marked{At: w.start.Add(2 * time.Second), Note: "deploy"},
	)
	want := []views.Change{{At: 2 * time.Second, Text: "deploy", Note: true}, {At: 3 * time.Second, Epoch: 1, Text: "prompt 256 → 512"}}
	if got := w.at(5 * time.Second).changes; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	w.tell(probe.Cleared{Epoch: 2, At: w.start.Add(5 * time.Second), Settings: after})
	w.ended(func(r *probe.Result) { r.Epoch = 1 })
	st := w.at(6 * time.Second)
	v := st.targets[0]
	if len(st.changes) != 0 || st.effect != nil || st.epoch != 2 || v.Figures.Probes != 0 || len(v.Points) != 0 || st.status.Probes != 0 || v.Last != nil || len(v.P50) != 0 || described(st.settings, after) != "" {
		t.Errorf("%+v %+v", st, v)
	}
	w.ended(func(r *probe.Result) { r.Epoch = 2 })
	if v := w.at(7 * time.Second).targets[0]; v.Figures.Probes != 1 || v.Points[len(v.Points)-1].Epoch != 2 {
		t.Errorf("%+v", v)
	}
}
