package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// figuresOf are n probes with a p50 of so many milliseconds.
func figuresOf(p50 float64, n int) Figures {
	return Figures{Probes: n, P50: quantile.Estimate{At: time.Duration(p50 * 1e6), OK: n > 0, N: n}}
}

func TestEffectSaysNotYet(t *testing.T) {
	th, _ := symbols(t)
	s := &sheet{w: 80, sym: th}
	failed := figuresOf(30_000, 3)
	failed.Failed = 3
	tests := []struct {
		name          string
		before, after Figures
		want          string
	}{
		{"nothing since", figuresOf(90, 50), figuresOf(0, 0), "not yet: no probe has ended since"},
		{"only failures", figuresOf(90, 50), Figures{Probes: 3, Failed: 3}, "not yet: no probe has succeeded since"},
		{"only failures, ranked", figuresOf(90, 50), failed, "not yet: no probe has succeeded since"},
		{"too few", figuresOf(90, 50), figuresOf(180, 5), "not yet: n 5 of 6, p50 so far 180"},
		{"enough", figuresOf(90, 6), figuresOf(180, 6), ""},
		{"nothing before", figuresOf(0, 0), figuresOf(180, 6), "p50 180, and nothing from before to compare"},
		{"few before", figuresOf(90, 5), figuresOf(180, 6), "p50 180, and only n 5 from before"},
	}
	for _, tt := range tests {
		e := &TargetEffect{Before: tt.before, After: tt.after}
		if got := notYet(e, s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// change is so many milliseconds, to within so many.
func change(at, within float64) tally.Change {
	d := func(v float64) time.Duration { return time.Duration(v * 1e6) }
	return tally.Change{At: d(at), Lo: d(at - within), Hi: d(at + within), OK: true}
}

// The sentence is what a person can say aloud, as much of it as fits.
func TestEffectSentence(t *testing.T) {
	sym, _ := symbols(t)
	s := &sheet{w: 200, sym: sym}
	long := tally.Shift{P50: change(310, 12), Parts: []tally.PartChange{
		{Part: probe.NetworkPart, Change: change(2, 5)}, {Part: probe.QueuePart, Change: change(3.2, 1)}, {Part: probe.PrefillPart, Change: change(305, 9)},
	}}
	snap := Snapshot{Effect: &Effect{Text: "prompt 1,024 → 8,192", Targets: []TargetEffect{{Shift: long}}}}
	for _, c := range []struct {
		room int
		want string
	}{
		{120, "prompt 1,024 → 8,192: TTFT p50  A +310 ms ±12 (prefill +305, queue +3.20)"},
		{70, "prompt 1,024 → 8,192:  A +310 ms ±12 (prefill +305, queue +3.20)"},
		{60, "prompt 1,024 → 8,192:  A +310 ms ±12 (prefill +305)"},
		{45, "prompt 1,024 → 8,192:  A +310 ms ±12"},
		{34, "prompt 1,024 → 8,192:  A +310 ms"},
		{20, "  A +310 ms ±12"},
	} {
		if got := said(s.effectSentence(snap, c.room)); got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.room, got, c.want)
		}
	}
	snap.Effect.Targets = append(snap.Effect.Targets, TargetEffect{Shift: tally.Shift{P50: change(1, 4)}}, TargetEffect{})
	if got, want := said(s.effectSentence(snap, 200)), "prompt 1,024 → 8,192: TTFT p50  A +310 ms ±12 (prefill +305, queue +3.20)  B +1.00 ms ±4 unclear  C not yet"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of several knobs all are told, or how many and which was the last; it is never
// left open what was turned. Targets that were not turned are left out.
func TestEffectCaption(t *testing.T) {
	sym, _ := symbols(t)
	s := &sheet{w: 200, sym: sym}
	one := TargetEffect{Shift: tally.Shift{P50: change(66, 2)}}
	still := TargetEffect{Still: true}
	snap := Snapshot{Effect: &Effect{
		Text: "prompt 256 → 1,024, batch 0 → 4, output 16 → 32", Turned: 3, Last: "batch 0 → 4", Targets: []TargetEffect{one, still, one},
	}}
	for _, c := range []struct {
		room int
		want string
	}{
		{90, "prompt 256 → 1,024, batch 0 → 4, output 16 → 32: TTFT p50  A +66.0 ms ±2  C +66.0 ms ±2"},
		{78, "prompt 256 → 1,024, batch 0 → 4, output 16 → 32:  A +66.0 ms ±2  C +66.0 ms ±2"},
		{70, "3 knobs, last batch 0 → 4:  A +66.0 ms ±2  C +66.0 ms ±2"},
		{54, "3 knobs, last batch 0 → 4:  A +66.0 ms  C +66.0 ms"},
		{40, "3 knobs:  A +66.0 ms ±2  C +66.0 ms ±2"},
		{32, "3 knobs:  A +66.0 ms  C +66.0 ms"},
		{24, "3 knobs:  A +66.0 ms…"},
		{9, "3 knobs:…"},
	} {
		if got := said(s.effectSentence(snap, c.room)); got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.room, got, c.want)
		}
	}
	theme := themes.Mono()
	for _, c := range []struct {
		width int
		want  string
	}{
		{90, "prompt 256 → 1,024, batch 0 → 4, output 16 → 32 at A, C"},
		{64, "prompt 256 → 1,024, batch 0 → 4, output 16 → 32"},
		{50, "3 knobs, last batch 0 → 4 at A, C"},
		{20, "3 knobs"},
	} {
		if _, got := EffectTitle(snap, c.width, theme); got != c.want {
			t.Errorf("title in %d cells: %q, want %q", c.width, got, c.want)
		}
	}
	snap.Effect.Targets[0].Target, snap.Effect.Targets[1].Target, snap.Effect.Targets[2].Target = "near", "idle", "far"
	if panel := ansi.Strip(EffectPanel(snap, 60, 8, theme)); strings.Contains(panel, "idle") || !strings.Contains(panel, "C far") {
		t.Errorf("\n%s", panel)
	}
}

// The newest notice has what the effect can spare.
func TestEffectMakesRoomForANotice(t *testing.T) {
	snap := Snapshot{Effect: &Effect{Text: "prompt 256 → 1,024", Turned: 1, Targets: []TargetEffect{
		{Shift: tally.Shift{P50: change(66, 2)}}, {Shift: tally.Shift{P50: change(80, 5)}},
	}}}
	for notice, want := range map[string]string{
		"":     " prompt 256 → 1,024: TTFT p50  A +66.0 ms ±2  B +80.0 ms ±5 ",
		"done": " prompt 256 → 1,024: TTFT p50  A +66.0 ms ±2  B +80.0 ms ±5 ",
		"cleared: figures and chart begin anew, the record goes on": "   A +66.0 ms  B +80.0 ms     ! cleared: figures and chart begin anew (more: ?) ",
	} {
		if notice != "" {
			snap.Status.Notices = []string{notice}
		}
		if line := ansi.Strip(EffectPanel(snap, 80, 1, themes.Mono())); !strings.Contains(line, want) || notice != "" && !strings.Contains(line, "! "+notice[:4]) {
			t.Errorf("%q: %q", notice, line)
		}
		snap.Status.Notices = nil
	}
}

func TestRounded(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", -5: "0", 872 * time.Microsecond: "0.87", 2240 * time.Microsecond: "2.2", 9960 * time.Microsecond: "10",
		38500 * time.Microsecond: "39", 1234 * time.Millisecond: "1,200",
	} {
		if got := rounded(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func said(list []span) string {
	var b strings.Builder
	for _, sp := range list {
		b.WriteString(sp.text)
	}
	return b.String()
}
