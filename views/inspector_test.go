package views

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/reported"
	"ttftop/themes"
)

func sheetOf(t testing.TB, ascii bool) *sheet {
	t.Helper()
	th, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	if ascii {
		th = th.ASCII()
	}
	return newSheet(0, 0, th)
}

// one is a snapshot of one target.
func one(t Target) Snapshot { return Snapshot{Targets: []Target{t}, Inspect: &Inspect{}} }

// grounds are all combinations of what a segment's figure may rest on.
func grounds(f func(Snapshot, probe.Segment)) {
	flags := []probe.Flag{"", probe.FlagAtLeast, probe.FlagProxyOnly, probe.FlagModelLoad, probe.FlagHiddenReasoning, probe.FlagBuffered, probe.FlagLateRead, probe.FlagFromCache, probe.FlagReportMismatch}
	for _, name := range segmentNames {
		for _, src := range []probe.Source{probe.Measured, probe.Reported, probe.Estimated} {
			seg := probe.Segment{Name: name, Duration: 10 * time.Millisecond, Source: src, Lo: 8 * time.Millisecond, Hi: 13 * time.Millisecond}
			for i, flag := range flags {
				for bits := range 64 {
					on := func(bit int) bool { return bits>>bit&1 == 1 }
					k := Known{Clock: probe.KernelClock, Reused: on(0), RTT: on(1), Flags: []probe.Flag{flag}, Leave: reported.Leave(i % 4)}
					if on(2) {
						k.Dialect = "llama.cpp"
					}
					if on(3) {
						k.Proxy = "proxy.example.com:3128"
					}
					last := &Settled{Waterfall: probe.Waterfall{seg}, PromptTokens: 1024, CachedTokens: 64, Known: k}
					t := Target{Last: last, P50: probe.Waterfall{seg}}
					if on(5) {
						t.Last, t.P50Least = nil, flag == probe.FlagAtLeast
					}
					s := one(t)
					s.IgnoreReported, s.Truth = on(4), on(1)
					f(s, seg)
				}
			}
		}
	}
}

// Every segment is explained, whatever its figure rests on: two sentences, the
// second of which says how it is known here, and a cure.
func TestExplanation(t *testing.T) {
	s := sheetOf(t, false)
	grounds(func(snap Snapshot, seg probe.Segment) {
		what, here := stories[seg.Name].what, s.here(snap, &snap.Targets[0], seg.Name)
		for _, sentence := range []string{what, here} {
			if strings.Count(sentence, ". ") > 0 || !strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "  ") || ansi.StringWidth(sentence) >= longestSentence {
				t.Fatalf("%s is not one sentence that fits: %q", seg.Name, sentence)
			}
		}
		if !strings.HasPrefix(what, segmentLabel(seg.Name)+" is ") || !strings.Contains(what, "not in it") && !strings.Contains(what, "nothing of the prompt is in it") {
			t.Fatalf("%s: what it is, and what is not in it: %q", seg.Name, what)
		}
		if !strings.HasPrefix(here, "Here ") {
			t.Fatalf("%s: how it is known here: %q", seg.Name, here)
		}
		server := seg.Name.Part() != probe.NetworkPart && seg.Name != probe.Server
		if estimated := seg.Source == probe.Estimated && server; estimated != strings.Contains(here, "estimated (8.00–13.0 ms") {
			t.Fatalf("%s, %s: %q", seg.Name, seg.Source, here)
		}
		if seg.Name == probe.Queue && known(snap).Has(probe.FlagAtLeast) && !strings.Contains(here, "at least this") {
			t.Fatalf("a lower bound is not called one: %q", here)
		}
		if cure := cureOf(&snap.Targets[0], seg.Name); !strings.HasSuffix(cure, ".") {
			t.Fatalf("the cure of %s: %q", seg.Name, cure)
		}
	})
}

// known is what the first target's figures rest on.
func known(s Snapshot) *Known {
	if t := &s.Targets[0]; t.Last == nil {
		k := &Known{}
		if t.P50Least {
			k.Flags = []probe.Flag{probe.FlagAtLeast}
		}
		return k
	}
	return &s.Targets[0].Last.Known
}

func TestHere(t *testing.T) {
	s := sheetOf(t, false)
	ten := 10 * time.Millisecond
	segment := func(name probe.SegmentName, src probe.Source) probe.Segment {
		return probe.Segment{Name: name, Duration: ten, Source: src, Lo: ten / 2, Hi: 2 * ten}
	}
	for _, c := range []struct {
		name string
		seg  probe.Segment
		tell func(*Snapshot, *Target)
		want string
	}{
		{"a kept connection", probe.Segment{Name: probe.Connect, Source: probe.Measured}, func(_ *Snapshot, t *Target) { t.Last.Known.Reused = true }, "it is 0, as the probe used a kept connection"},
		{"a new one", segment(probe.Connect, probe.Measured), func(*Snapshot, *Target) {}, "measured by this program's clock."},
		{"through a proxy", segment(probe.Connect, probe.Measured), func(_ *Snapshot, t *Target) { t.Last.Known.Proxy = "p:1" }, "to the proxy"},
		{"round trip of the kernel", segment(probe.RTT, probe.Measured), func(_ *Snapshot, t *Target) { t.Last.Known.RTT = true }, "tcpi_min_rtt"},
		{"round trip of the handshake", segment(probe.RTT, probe.Measured), func(*Snapshot, *Target) {}, "connect handshake"},
		{"round trip to a terminator", segment(probe.RTT, probe.Measured), func(_ *Snapshot, t *Target) { t.Last.Known.Flags = []probe.Flag{probe.FlagProxyOnly} }, "ends at the proxy or terminator"},
		{"simulated", segment(probe.RTT, probe.Measured), func(s *Snapshot, t *Target) { s.Simulated, t.Last.Known.RTT = true, true }, "as the simulated link tells it"},
		{"headers on acceptance", segment(probe.Handling, probe.Measured), func(*Snapshot, *Target) {}, "headers leave when it accepts the request"},
		{"headers with the first token", segment(probe.Handling, probe.Estimated), func(_ *Snapshot, t *Target) { t.Last.Known.Leave = reported.WithFirstToken }, "headers come with the first token"},
		{"headers on a slot", segment(probe.Handling, probe.Estimated), func(_ *Snapshot, t *Target) { t.Last.Known.Leave = reported.OnSlot }, "leave when a slot starts"},
		{"reported queue", segment(probe.Queue, probe.Reported), func(_ *Snapshot, t *Target) { t.Last.Known.Dialect = "groq" }, "it is what the server (groq) reports, or what the prefill that it reports leaves beside handling"},
		{"slowed prefill", segment(probe.Prefill, probe.Estimated), func(_ *Snapshot, t *Target) { t.Last.Known.Dialect, t.Last.Contention = "vllm", probe.At(ten) }, "what the server (vllm) reports, less what lies above the idle baseline"},
		{"prefill that is not reported", segment(probe.Prefill, probe.Estimated), func(_ *Snapshot, t *Target) { t.Last.Known.Dialect, t.Last.PromptTokens = "groq", 10 }, "the baseline at 10 uncached tokens"},
		{"no step", probe.Segment{Name: probe.FirstDecode, Source: probe.Estimated, Hi: ten}, func(*Snapshot, *Target) {}, "no decode step is known"},
		{"contention makes an estimate", segment(probe.Queue, probe.Estimated), func(_ *Snapshot, t *Target) { t.Last.Known.Dialect = "groq" }, "beside what the server (groq) reports, the time above the idle baseline"},
		{"reports left aside", segment(probe.Queue, probe.Estimated), func(s *Snapshot, t *Target) { t.Last.Known.Dialect, s.IgnoreReported = "groq", true }, "reports left aside): the time that the idle baseline"},
		{"estimated prefill", segment(probe.Prefill, probe.Estimated), func(_ *Snapshot, t *Target) { t.Last.PromptTokens, t.Last.CachedTokens = 1024, 24 }, "the baseline at 1,000 uncached tokens"},
		{"another source in the p50", segment(probe.Prefill, probe.Reported), func(_ *Snapshot, t *Target) { t.P50 = probe.Waterfall{segment(probe.Prefill, probe.Estimated)} }, "in the p50 it is estimated"},
		{"the model was loaded", segment(probe.Server, probe.Measured), func(_ *Snapshot, t *Target) { t.Last.Known.Flags = []probe.Flag{probe.FlagModelLoad} }, "can't be cut, as the model was loaded first"},
		{"calibration", segment(probe.Server, probe.Measured), func(_ *Snapshot, t *Target) { t.Ladder = Progress{3, 8} }, "can't be cut yet: the server reports nothing, and calibration is at 3 of 8"},
		{"one length", segment(probe.Server, probe.Measured), func(*Snapshot, *Target) {}, "needs two prompt lengths on a quiet endpoint"},
		{"out of reach", segment(probe.Server, probe.Measured), func(_ *Snapshot, t *Target) { t.Fit.Fixed.OK = true }, "doesn't reach this prompt"},
		{"a report that does not fit", segment(probe.Server, probe.Measured), func(_ *Snapshot, t *Target) { t.Last.Known.Flags = []probe.Flag{probe.FlagReportMismatch} }, "doesn't fit into it"},
		{"the simulator's books", segment(probe.Prefill, probe.Estimated), func(s *Snapshot, t *Target) {
			s.Truth, t.Last.Truth = true, probe.Waterfall{segment(probe.Prefill, probe.Measured)}
		}, "the simulator's books have 10.0 ms for the last probe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := Target{Last: &Settled{Waterfall: probe.Waterfall{c.seg}}}
			snap := Snapshot{}
			c.tell(&snap, &target)
			snap.Targets = []Target{target}
			if got := s.here(snap, &target, c.seg.Name); !strings.Contains(got, c.want) {
				t.Errorf("%q does not say %q", got, c.want)
			}
		})
	}
}

// The table has each segment once, its shares are of the TTFT, and the words
// for sources are in full.
func TestInspectorTable(t *testing.T) {
	s := sheetOf(t, false)
	w := probe.Waterfall{
		{Name: probe.RTT, Duration: 10 * time.Millisecond, Source: probe.Measured},
		{Name: probe.Handling, Duration: 5 * time.Millisecond, Source: probe.Measured},
		{Name: probe.Queue, Duration: 5 * time.Millisecond, Source: probe.Estimated, Lo: time.Millisecond, Hi: 9 * time.Millisecond},
		{Name: probe.Prefill, Duration: 80 * time.Millisecond, Source: probe.Reported},
	}
	target := Target{Last: &Settled{Waterfall: w, Known: Known{Dialect: "vllm", Flags: []probe.Flag{probe.FlagAtLeast}}}}
	var lines []string
	for _, l := range s.inspectorTable(one(target), &target, 3, 76, 20) {
		text := ""
		for _, sp := range l {
			text += sp.text
		}
		lines = append(lines, strings.Join(strings.Fields(text), " "))
	}
	want := []string{
		"segment last ms share p50 ms share how it is known",
		"rtt 10.0 m 10 % – measured", "handling 5.00 m 5.0 % – measured",
		"queue ≥5.00 e 5.0 % – at least; 1.00–9.00", "▸ prefill 80.0 r 80 % – reported by vllm", "TTFT 100 100 % –",
	}
	if fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("%q\nwant\n%q", lines, want)
	}
}

// Handling is said to be reported only where the server reports it: what it
// leaves beside its other figures is called that, and the baseline's fixed part
// may hold something else.
func TestExplanationOfHandling(t *testing.T) {
	s := sheetOf(t, false)
	for _, c := range []struct {
		name            string
		handling, queue probe.Source
		want            string
	}{
		{"reported", probe.Reported, probe.Reported, "Here the server (x) reports it."},
		{"a remainder", probe.Estimated, probe.Reported, "what is left of the server time beside what is reported; no figure of the server (x) says what it was, and the path's jitter is in it."},
		{"fitted", probe.Estimated, probe.Estimated, "a fixed part of prefill or a slow first decode may be in it."},
	} {
		w := probe.Waterfall{{Name: probe.Handling, Duration: 5, Source: c.handling}, {Name: probe.Queue, Duration: 5, Source: c.queue}, {Name: probe.Prefill, Duration: 5, Source: c.queue}}
		target := Target{Last: &Settled{Waterfall: w, Known: Known{Dialect: "x"}}}
		if got := s.here(one(target), &target, probe.Handling); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestInspectedIndex(t *testing.T) {
	last := probe.Waterfall{{Name: probe.RTT, Duration: 3}, {Name: probe.Server, Duration: 2}}
	p50 := probe.Waterfall{{Name: probe.RTT, Duration: 1}, {Name: probe.Queue, Duration: 2}, {Name: probe.Prefill, Duration: 1}}
	for _, c := range []struct {
		name      string
		last, p50 probe.Waterfall
		chosen    probe.SegmentName
		want      probe.SegmentName
	}{
		{"the longest of the p50", last, p50, "", probe.Queue},
		{"the longest of the last", last, nil, "", probe.RTT},
		{"the chosen", last, p50, probe.Prefill, probe.Prefill},
		{"one of the last alone", last, p50, probe.Server, probe.Server},
		{"one that is gone", p50, p50, probe.Server, probe.Queue},
	} {
		target := Target{Last: &Settled{Waterfall: c.last}, P50: c.p50}
		if got := InspectedSegments(&target)[InspectedIndex(&target, c.chosen)]; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if n := len(InspectedSegments(&Target{})); n != 0 || InspectedIndex(&Target{}, "") != 0 {
		t.Errorf("%d segments of no probe", n)
	}
}

// Marks stand where the axis has their time, in order, each once, and with
// letters that no source has.
func TestMarksRow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		s := sheetOf(t, r.IntN(2) == 0)
		s = newSheet(60, 1, s.th)
		p := plan{barX: 8, barW: 40, axis: axis{Step: 10 * time.Millisecond, Top: 80 * time.Millisecond}}
		var m Marks
		var at []time.Duration
		for i, to := range []*probe.Mark{&m.Headers, &m.FirstEvent, &m.FirstReasoning, &m.FirstAnswer, &m.Ack} {
			d := time.Duration(r.IntN(100)) * time.Millisecond
			if i > 0 {
				d = max(d, at[i-1])
			}
			at = append(at, d)
			*to = probe.Mark{At: d, OK: r.IntN(5) > 0}
		}
		s.marksRow(&Target{Last: &Settled{Marks: m}}, 0, p)
		bar := []rune(ansi.Strip(s.String()))[p.barX : p.barX+p.barW]
		next := 0
		for i, l := range markLetters {
			mark := l.at(&m)
			want := mark.OK && at[i] <= p.axis.Top
			cell := -1
			if want {
				cell = max(min(int(at[i]*time.Duration(p.barW)/p.axis.Top), p.barW-1), next)
				want = cell < p.barW
			}
			if want && string(bar[cell]) != l.letter {
				t.Fatalf("%s of %v is not in cell %d: %q", l.letter, at, cell, string(bar))
			}
			if want {
				next = cell + 1
			}
		}
	}
}

func TestMarkLetters(t *testing.T) {
	seen := map[string]bool{"m": true, "r": true, "e": true} // the sources
	for _, m := range markLetters {
		if seen[m.letter] || len(m.letter) != 1 || m.name == "" {
			t.Errorf("%q can't be told apart", m.letter)
		}
		seen[m.letter] = true
	}
}

// The legend names every mark that is drawn where there is room for it.
func TestMarksLegend(t *testing.T) {
	s := newSheet(108, 1, sheetOf(t, true).th)
	p := plan{barX: 8, barW: 79, axis: axis{Step: time.Millisecond, Top: 100 * time.Millisecond}}
	at := func(ms int) probe.Mark { return probe.At(time.Duration(ms) * time.Millisecond) }
	s.marksRow(&Target{Last: &Settled{Marks: Marks{Headers: at(3), FirstEvent: at(92), FirstReasoning: at(95), FirstAnswer: at(200)}}}, 0, p)
	got := s.String()
	for _, want := range []string{"H=headers", "E=first event", "R=first reasoning", "A=first answer", s.sym.Arrow + " A 200"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

// A mark beyond the axis has its time where there is room for it, and is in no
// legend where there is none.
func TestAMarkBeyondTheAxis(t *testing.T) {
	p := plan{barX: 8, barW: 30, axis: axis{Step: time.Millisecond, Top: 100 * time.Millisecond}}
	marks := Marks{Headers: probe.At(3 * time.Millisecond), FirstAnswer: probe.At(1234 * time.Millisecond)}
	for width, taken := range map[int]int{60: 0, 39: 0, 38: 36, 40: 33} {
		s := newSheet(width, 1, sheetOf(t, true).th)
		s.text(taken, 0, strings.Repeat("x", min(taken, width-taken)), themes.Text)
		s.marksRow(&Target{Last: &Settled{Marks: marks}}, 0, p)
		got := ansi.Strip(s.String())
		if shown := strings.Contains(got, s.sym.Arrow+" A 1,234"); shown != (taken == 0) || strings.Contains(got, "A=") && !shown {
			t.Errorf("%d wide, taken from %d on: %q", width, taken, got)
		}
	}
}

// An interval holds the part's length where its segments' do, and the words
// grow no longer than asked.
func TestIntervals(t *testing.T) {
	s := sheetOf(t, false)
	w := probe.Waterfall{
		{Name: probe.RTT, Duration: 10 * time.Millisecond, Source: probe.Measured},
		{Name: probe.FirstDecode, Duration: 9300 * time.Microsecond, Source: probe.Estimated, Lo: 8120 * time.Microsecond, Hi: 10200 * time.Microsecond},
	}
	for style, want := range map[figureStyle]string{plainFigures: "9.30", fullFigures: "9.30 (8.12–10.2)", rangeFigures: "8.12–10.2"} {
		if got := figureText(w, probe.FirstDecodePart, style, s.sym); got != want {
			t.Errorf("style %d: %q, want %q", style, got, want)
		}
		if got := figureText(w, probe.NetworkPart, style, s.sym); got != "10.0" {
			t.Errorf("style %d: a measured part has %q", style, got)
		}
	}
	for width, want := range map[int]figureStyle{120: fullFigures, 80: fullFigures, 68: rangeFigures, 30: plainFigures} {
		s := newSheet(width, 9, s.th)
		snap := Snapshot{Intervals: true, Targets: []Target{{P50: append(probe.Waterfall{{Name: probe.Handling}, {Name: probe.Queue}, {Name: probe.Prefill}}, w...)}}}
		if _, got := columnsOf(snap, s); got != want {
			t.Errorf("%d cells: style %d, want %d", width, got, want)
		}
	}
}

// However many lines a lane has, it has rows for no more, and figures exactly
// where the plan says.
func TestLaneRows(t *testing.T) {
	th := sheetOf(t, false).th
	w := probe.Waterfall{{Name: probe.Prefill, Duration: 10 * time.Millisecond, Source: probe.Measured}}
	target := Target{Name: "a", P50: w, P50Truth: w, Last: &Settled{Waterfall: w, Truth: w, TTFT: 10 * time.Millisecond}}
	for _, truth := range []bool{false, true} {
		for lines := 2; lines <= MostLane+2; lines++ {
			snap := Snapshot{Targets: []Target{target}, Truth: truth}
			p := planWaterfalls(snap, newSheet(80, lines+2, th))
			if p.lines != min(lines, MostLane) || len(p.rows) > p.lines-1 {
				t.Errorf("%d rows of %d lines", len(p.rows), p.lines)
			}
			out := ansi.Strip(Waterfalls(snap, 80, lines+2, th))
			if got := regexp.MustCompile(`\n  ms +10\.0 m`).MatchString(out); got != p.showsFigures() {
				t.Errorf("%d lines, truth %v: figures %v, want %v\n%s", lines, truth, got, p.showsFigures(), out)
			}
			bars := 0
			if truth {
				bars = []int{0, 0, 0, 1, 1, 2}[min(lines, 5)]
			}
			if got := strings.Count(out, "  truth ████"); got != bars {
				t.Errorf("%d lines: %d bars of truth, want %d\n%s", lines, got, bars, out)
			}
		}
	}
}
