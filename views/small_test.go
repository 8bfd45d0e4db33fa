package views_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
	"ttftop/views"
	"ttftop/views/viewtest"
)

// A list with fewer lines than things says which it shows, and the selected one is
// among them.
func TestListsSayWhichOfTheirLinesTheyShow(t *testing.T) {
	crowd := viewtest.Probed(viewtest.Crowd(12))
	var table, filtered views.Snapshot
	for _, sc := range viewtest.ViewScenes() {
		switch sc.Name {
		case "probes_table":
			table = sc.Snap
		case "probes_filtered":
			filtered = sc.Snap
		}
	}
	for _, c := range []struct {
		name    string
		draw    view
		snap    views.Snapshot
		w, h    int
		says    string
		always  string // that the selected one says
		ascii   string
		allFrom int // the height from which all are shown
	}{
		{"figures", views.FiguresPanel, crowd, 80, 5, "4–7 of 12", "▸F", "4-7 of 12", 13},
		{"one line of figures", views.FiguresPanel, crowd, 80, 2, "6 of 12", "▸F", "6 of 12", 13},
		{"narrow figures", views.FiguresPanel, crowd, 60, 5, "4–7 of 12", "▸F", "4-7 of 12", 13},
		{"waterfalls", views.Waterfalls, crowd, 80, 9, "3–9 of 12", "▸F", "3-9 of 12", 14},
		{"histogram", views.Histogram, crowd, 80, 6, "4–8 of 12", "▸F", "4-8 of 12", 13},
		{"fits", views.Fits, crowd, 80, 6, "3–8 of 12", "▸F", "3-8 of 12", 12},
		{"narrow fits", views.Fits, crowd, 60, 1, "6 of 12", "▸F", "6 of 12", 12},
		{"summary", views.Summary, crowd, 44, 14, "2–10 of 12", "▸F", "2-10 of 12", 40},
		{"smallest summary", views.Summary, crowd, 20, 5, "+10", "▸F", "+10", 40},
		{"probes", probesWithTitle, table, 80, 20, "1–18 of 338 (the newest 338)", "▸", "1-18 of 338 (the newest 338)", 400},
		{"narrow probes", probesWithTitle, table, 60, 13, "1–11 of 338", "▸", "1-11 of 338", 400},
		{"filtered probes", probesWithTitle, filtered, 80, 20, "1–17 of 184 (of the newest 338)", "▸", "1-17 of 184 (of the newest 338)", 400},
	} {
		for _, th := range []struct {
			name, says, pointer string
			theme               func() string
		}{
			{"mono", c.says, c.always, func() string { return c.draw(c.snap, c.w, c.h, mono(t)) }},
			{"ascii", c.ascii, strings.ReplaceAll(c.always, "▸", ">"), func() string { return c.draw(c.snap, c.w, c.h, mono(t).ASCII()) }},
		} {
			out := ansi.Strip(th.theme())
			if !strings.Contains(out, th.says) || !strings.Contains(out, th.pointer) {
				t.Errorf("%s in %s doesn't say %q and %q:\n%s", c.name, th.name, th.says, th.pointer, out)
			}
		}
		if out := ansi.Strip(c.draw(c.snap, c.w, c.allFrom, mono(t))); regexp.MustCompile(`\d of \d|\+\d+ more`).MatchString(out) {
			t.Errorf("%s says that lines are missing, and none is:\n%s", c.name, out)
		}
	}
}

// probesWithTitle is the table of probes under its title.
func probesWithTitle(snap views.Snapshot, width, height int, th themes.Theme) string {
	name, remark := views.ProbesTitle(snap, width, height-1, th)
	return views.Title(name, remark, width, th) + "\n" + views.ProbesPanel(snap, width, height-1, th)
}

// A cut of a comparison that doesn't fit says how many parts are missing, and each
// part is on the screen or counted.
func TestPartsOfAComparisonAreCounted(t *testing.T) {
	more := regexp.MustCompile(`\+(\d+) more`)
	for _, sc := range viewtest.Contests() {
		if sc.Snap.Versus == nil {
			continue
		}
		for w := 60; w < 200; w += 7 {
			for h := 10; h < 29; h++ {
				out := ansi.Strip(views.ComparePanel(sc.Snap, w, h, mono(t)))
				shown := 0
				for _, p := range sc.Snap.Versus.Verdict.Parts {
					if strings.Contains(out, string(p.Part)+" "+p.Difference()) {
						shown++
					}
				}
				if shown == 0 {
					continue // there is no line for any
				}
				if m := more.FindStringSubmatch(out); m != nil {
					n := 0
					fmt.Sscan(m[1], &n)
					shown += n
				}
				if shown != len(sc.Snap.Versus.Verdict.Parts) {
					t.Fatalf("%s at %d×%d accounts for %d of %d parts:\n%s", sc.Name, w, h, shown, len(sc.Snap.Versus.Verdict.Parts), out)
				}
			}
		}
	}
}

// The long list of a dialog says where it stands.
func TestChoicesSayWhichAreShown(t *testing.T) {
	d := views.Dialog{Title: "model", Entry: true, Chosen: 20, Keys: []views.KeyHelp{{Key: "enter", Does: "set"}}}
	for i := range 40 {
		d.Choices = append(d.Choices, fmt.Sprintf("model-%d", i))
	}
	for _, size := range [][2]int{{80, 24}, {40, 12}, {20, 6}} {
		d := d.On(size[0], size[1])
		w, h := views.DialogSize(d, size[0], size[1], mono(t))
		out := ansi.Strip(views.DialogPanel(d, w, h, mono(t)))
		if !regexp.MustCompile(`of 40|\+\d+`).MatchString(out) || !strings.Contains(out, "▸ model-20") {
			t.Errorf("%v: %s", size, out)
		}
	}
}

// A bound has its sign before the queue's figure, in the lane and in the summary,
// whichever waterfall they are of.
func TestBoundsHaveTheirSign(t *testing.T) {
	for _, c := range []struct {
		least, most bool
		want, ascii string
	}{
		{false, false, " 3.10 r", " 3.10 r"}, {true, false, " ≥3.10 r", " >=3.10 r"}, {false, true, " ≤3.10 r", " <=3.10 r"}, {true, true, " ~3.10 r", " ~3.10 r"},
	} {
		p50 := viewtest.Demo()
		p50.Targets[0].P50Least, p50.Targets[0].P50Most = c.least, c.most
		last := viewtest.Demo()
		settled := *last.Targets[0].Last
		settled.Waterfall = last.Targets[0].P50
		settled.Known.Flags = nil
		if c.least {
			settled.Known.Flags = append(settled.Known.Flags, probe.FlagAtLeast)
		}
		if c.most {
			settled.Known.Flags = append(settled.Known.Flags, probe.FlagAtMost)
		}
		last.Targets[0].P50, last.Targets[0].Last = nil, &settled
		for name, snap := range map[string]views.Snapshot{"p50": p50, "last": last} {
			for _, draw := range []struct {
				name string
				view view
				w, h int
			}{{"lane", views.Waterfalls, 80, 10}, {"summary", views.Summary, 100, 15}} {
				if out := ansi.Strip(draw.view(snap, draw.w, draw.h, mono(t))); !strings.Contains(out, c.want) {
					t.Errorf("%s of %s, at least %v, at most %v:\n%s", draw.name, name, c.least, c.most, out)
				}
				if out := ansi.Strip(draw.view(snap, draw.w, draw.h, mono(t).ASCII())); !strings.Contains(out, c.ascii) {
					t.Errorf("%s of %s in ASCII, at least %v, at most %v:\n%s", draw.name, name, c.least, c.most, out)
				}
			}
		}
	}
}

// Below the least window with panels, a person sees which view it is, what is
// turned, that all stands still, and what is not real.
func TestSummarySaysWhereOneIs(t *testing.T) {
	for _, size := range [][2]int{{20, 5}, {24, 6}, {40, 12}, {59, 15}, {120, 8}} {
		for v := range views.View(views.NViews) {
			snap := viewtest.Demo()
			snap.View, snap.Paused = v, true
			out := ansi.Strip(views.Summary(snap, size[0], size[1], mono(t)))
			want := []string{"SIMULATED", "PAUSED", "▸prompt 1,024 (p/P)", "near", "374 probes"}
			if v != views.Explore {
				want = append(want, v.Key(), "needs", "60x16")
			}
			for _, s := range want {
				if !strings.Contains(out, s) {
					t.Errorf("%s at %v doesn't say %q:\n%s", v, size, s, out)
				}
			}
		}
	}
}

func TestSummaryShowsWhatIsTyped(t *testing.T) {
	snap := viewtest.Demo()
	snap.View, snap.Probes = views.Probes, &views.ProbeList{Typing: true, Filter: "near"}
	if out := ansi.Strip(views.Summary(snap, 20, 5, mono(t))); !strings.Contains(out, "filter: near") {
		t.Error(out)
	}
}

// A question and an entry are readable in the smallest window: every word of the
// text can be scrolled to, and all keys are there.
func TestDialogsAreReadableInTheSmallestWindow(t *testing.T) {
	d := views.Dialog{Title: "This costs tokens", Chosen: -1, Keys: []views.KeyHelp{{Key: "y", Does: "go on"}, {Key: "n", Does: "leave it"}},
		Lines: []string{"About 249,600 tokens a minute, calibration included.", "Load streams keep a real endpoint busy: others who use it will wait too."}}
	seen := map[string]bool{}
	for ; ; d.From++ {
		small := d.On(20, 5)
		w, h := views.DialogSize(small, 20, 5, mono(t))
		out := ansi.Strip(views.DialogPanel(small, w, h, mono(t)))
		wantExact(t, "question", views.DialogPanel(small, w, h, mono(t)), w, h)
		if !strings.Contains(out, "y go on  n leave it") {
			t.Fatalf("a key is missing:\n%s", out)
		}
		for _, word := range strings.Fields(out) {
			seen[word] = true
		}
		if !views.DialogIsCut(d, 20, 5, mono(t)) {
			break
		}
		if d.From > 20 {
			t.Fatal("scrolling has no end")
		}
	}
	for _, word := range strings.Fields(strings.Join(d.Lines, " ")) {
		if !seen[word] {
			t.Errorf("%q can't be read", word)
		}
	}
}

// Two SLOs near each other on the chart don't cover each other's words, and how
// all stand is told from 100 columns on.
func TestSecondSLO(t *testing.T) {
	snap := viewtest.Demo()
	second := probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.99, Limit: 152 * time.Millisecond}
	snap.Limits = append(snap.Limits, views.Limit{SLO: second, Shares: []views.Share{{N: 64, Of: 64}, {N: 3, Of: 64}}})
	for i := range snap.Knobs {
		if snap.Knobs[i].Key == "s" {
			snap.Knobs[i].Value = "p95=150ms +1"
		}
	}
	for _, size := range [][2]int{{80, 5}, {80, 12}, {160, 20}} {
		out := ansi.Strip(views.Chart(snap, size[0], size[1], mono(t)))
		for _, want := range []string{"p95 ≤ 150 ms A 100 % B 3.1 %", "p99 ≤ 152 ms A 100 % B 4.7 %"} {
			if !strings.Contains(out, want) {
				t.Errorf("the chart at %v doesn't say %q:\n%s", size, want, out)
			}
		}
	}
	if out := ansi.Strip(views.Knobs(snap, 80, 1, mono(t))); !strings.Contains(out, "s p95=150ms +1") {
		t.Error(out)
	}
	failures := probe.SLO{Metric: probe.FailuresMetric, Share: 0.01}
	snap.Standings = []views.Standing{
		{SLO: snap.Limits[0].SLO, Met: []views.Met{views.MetYes, views.MetNo}}, {SLO: failures, Met: []views.Met{views.MetYes, views.MetYes}},
	}
	for _, size := range [][2]int{{100, 1}, {120, 2}, {200, 2}} {
		out := ansi.Strip(views.StatusPanel(snap, size[0], size[1], mono(t)))
		for _, want := range []string{"p95=150ms over at B", "failures=1% met"} {
			if !strings.Contains(out, want) {
				t.Errorf("the status at %v doesn't say %q:\n%s", size, want, out)
			}
		}
	}
	snap.Status.Notices = []string{"the newest"}
	if out := ansi.Strip(views.StatusPanel(snap, 120, 2, mono(t))); !strings.Contains(out, "over at B") || !strings.Contains(out, "the newest") {
		t.Errorf("a notice hides the SLOs:\n%s", out)
	}
	snap.Standings[1].Met = []views.Met{views.MetYes, views.MetUnknown}
	snap.Standings[0].Met = []views.Met{views.MetUnknown, views.MetUnknown}
	if out := ansi.Strip(views.StatusPanel(snap, 120, 1, mono(t))); !strings.Contains(out, "p95=150ms not known yet") || !strings.Contains(out, "failures=1% met at A") {
		t.Error(out)
	}
}
