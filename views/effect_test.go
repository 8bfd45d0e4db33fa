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
		{"few before, and few since", figuresOf(90, 5), figuresOf(180, 5), "p50 180, and only n 5 from before"},
		{"few before, and none since", figuresOf(90, 5), figuresOf(0, 0), "only n 5 from before"},
		{"nothing before, and none since", figuresOf(0, 0), figuresOf(0, 0), "nothing from before to compare"},
	}
	for _, tt := range tests {
		e := &TargetEffect{Before: tt.before, After: tt.after}
		if got := notYet(e, s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// What ended before a change grows no more: where that is too little, no later probe
// is waited for.
func TestEffectSaysNever(t *testing.T) {
	shown := func(before, after, width int) string {
		e := Effect{Text: "prompt 256 → 1,024", Targets: []TargetEffect{{Target: "near", Before: figuresOf(90, before), After: figuresOf(180, after), Shift: tally.Shift{P50: change(90, 2)}}}}
		e.Targets[0].Before.P95, e.Targets[0].After.P95 = e.Targets[0].Before.P50, e.Targets[0].After.P50
		return strings.Split(ansi.Strip(EffectPanel(Snapshot{Effect: &e}, width, 3, themes.Mono())), "\n")[1]
	}
	for _, c := range []struct {
		before, after, width int
		want, not            string
	}{
		{11, 11, 80, "never: n 11 of 72 before", "not yet"},
		{11, 500, 80, "never: n 11 of 72 before", "not yet"},
		{11, 30, 58, "never: n 11 before", "of 72"},
		{11, 30, 46, "never", "n 11 b"},
		{80, 30, 80, "not yet: n 30 of 72", "never"},
		{80, 30, 46, "not yet", "n 30 of"},
		{80, 80, 80, "180", "n 80 of"},
	} {
		if got := shown(c.before, c.after, c.width); !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%d before, %d since, in %d cells: %q, want %q", c.before, c.after, c.width, got, c.want)
		}
	}
	s := newSheet(80, 1, themes.Mono())
	for before, want := range map[int]string{5: "A too few before", 6: "A not yet"} {
		if got := said(s.effectItem(&TargetEffect{Before: figuresOf(90, before), After: figuresOf(180, 2)}, 0, wording{})); got != want {
			t.Errorf("%d before in a sentence: %q, want %q", before, got, want)
		}
	}
}

// A change whose interval holds 0 is called unclear wherever it is told, at every
// width that has room for figures.
func TestEffectSaysUnclear(t *testing.T) {
	doubt := tally.Shift{P50: change(5.53, 6.5), P95: change(-3, 9), Parts: []tally.PartChange{
		{Part: probe.QueuePart, Change: change(40, 50)}, {Part: probe.PrefillPart, Change: change(12, 2)}, {Part: probe.NetworkPart, Change: change(-1, 3)},
	}}
	e := Effect{Text: "prompt 256 → 1,024", Targets: []TargetEffect{{Target: "near", Before: figuresOf(162, 80), After: figuresOf(168, 80), Shift: doubt}}}
	e.Targets[0].Before.P95, e.Targets[0].After.P95 = e.Targets[0].Before.P50, e.Targets[0].After.P50
	for width := 38; width < 140; width++ {
		lines := strings.Split(ansi.Strip(EffectPanel(Snapshot{Effect: &e}, width, 6, themes.Mono())), "\n")
		for _, line := range lines[:2] {
			if !strings.Contains(line, "unclear") {
				t.Errorf("in %d cells: %q", width, line)
			}
		}
		parts := strings.Fields(strings.Join(lines[2:], " "))
		if text := strings.Join(parts, " "); !strings.Contains(text, "prefill +12.0 ±2 unclear: ") || strings.Index(text, "unclear: ") > strings.Index(text, "queue") {
			t.Errorf("parts in %d cells: %q", width, text)
		}
		for _, line := range lines[2:] {
			if begun := strings.TrimSpace(line); begun != "" && !strings.Contains(line, "unclear: ") && !strings.Contains(line, "prefill") {
				t.Errorf("in %d cells a line of doubtful parts doesn't say so: %q", width, line)
			}
		}
	}
	if line := ansi.Strip(EffectPanel(Snapshot{Effect: &e}, 80, 2, themes.Mono())); !strings.Contains(line, " +5.53 ±6.5 unclear") {
		t.Errorf("%q", line)
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
	snap.Effect.Targets = append(snap.Effect.Targets, TargetEffect{Shift: tally.Shift{P50: change(1, 4)}}, TargetEffect{Before: figuresOf(90, 6)})
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

// A notice takes no figure of the effect away, however many knobs and targets; that
// which the footer tells is not told twice.
func TestNoticeLeavesTheFigures(t *testing.T) {
	const notice = "there is one target alone: the knobs turn for it"
	for targets := 1; targets < 6; targets++ {
		e := &Effect{Text: "prompt 256 → 1,024, batch 0 → 4, output 16 → 32", Turned: 3, Last: "batch 0 → 4"}
		for range targets {
			e.Targets = append(e.Targets, TargetEffect{Shift: tally.Shift{P50: change(66, 2)}})
		}
		for _, turned := range []int{1, 3} {
			e.Turned = turned
			for width := 80; width < 200; width++ {
				figures := func(st Status) int {
					line := ansi.Strip(EffectPanel(Snapshot{Effect: e, Status: st}, width, 1, themes.Mono()))
					if st.Fresh != "" && strings.Contains(line, "!") {
						t.Errorf("in %d cells it is told twice: %s", width, line)
					}
					return strings.Count(line, "+66.0 ms")
				}
				if with, without := figures(Status{Notices: []string{notice}}), figures(Status{}); with < without {
					t.Errorf("%d targets, %d turned, in %d cells: %d figures beside a notice, %d without", targets, turned, width, with, without)
				}
				figures(Status{Notices: []string{notice}, Fresh: notice})
			}
		}
	}
}

// A fresh notice has the place of the footer's keys, but for the way to help and out.
func TestFooterTellsAFreshNotice(t *testing.T) {
	st := Status{Keys: []KeyHelp{{"tab", "view"}, {"←→", "turn"}, {"?", "help"}, {"q", "quit"}}, Fresh: "cleared: figures and chart begin anew, the record goes on"}
	for width, want := range map[int]string{
		100: " ! cleared: figures and chart begin anew, the record goes on  ? help  q quit",
		60:  "! cleared: figures and chart begin anew…", 70: "! cleared: figures and chart begin anew (more: ?)",
	} {
		line := ansi.Strip(Footer(Snapshot{Status: st}, width, 1, themes.Mono()))
		if !strings.Contains(line, want) || !strings.Contains(line, "? help  q quit") || strings.Contains(line, "turn") {
			t.Errorf("in %d cells: %q, want %q", width, line, want)
		}
	}
	st.Fresh = ""
	if line := ansi.Strip(Footer(Snapshot{Status: st}, 80, 1, themes.Mono())); !strings.Contains(line, " tab view  ←→ turn  ? help  q quit") {
		t.Errorf("without one: %q", line)
	}
}

// What stands behind a change is not overwritten by the parts beside it.
func TestPartsStandBesideTheChange(t *testing.T) {
	e := Effect{Targets: []TargetEffect{{Target: strings.Repeat("long-name-", 4), Before: figuresOf(162, 80), After: figuresOf(168, 80), Shift: tally.Shift{
		P50: change(5.53, 6.5), P95: change(-1234, 9000), Parts: []tally.PartChange{{Part: probe.QueuePart, Change: change(40, 50)}},
	}}}}
	e.Targets[0].Before.P95, e.Targets[0].After.P95 = e.Targets[0].Before.P50, e.Targets[0].After.P50
	for width := besideFrom; width < 160; width++ {
		for _, line := range strings.Split(ansi.Strip(EffectPanel(Snapshot{Effect: &e}, width, 2, themes.Mono())), "\n") {
			if !strings.Contains(line, "unclear ") {
				t.Errorf("in %d cells: %q", width, line)
			}
		}
	}
}
