package views

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
)

// wf is a waterfall of milliseconds: network, handling, queue, prefill, first
// decode.
func wf(v ...float64) probe.Waterfall {
	names := []probe.SegmentName{probe.RTT, probe.Handling, probe.Queue, probe.Prefill, probe.FirstDecode}
	var w probe.Waterfall
	for i, x := range v {
		w = append(w, probe.Segment{Name: names[i], Duration: time.Duration(x * 1e6), Source: probe.Measured})
	}
	return w
}

// drawn is a bar as a person sees it, in an axis of top milliseconds.
func drawn(t *testing.T, theme string, ascii bool, w probe.Waterfall, top, width int) string {
	t.Helper()
	th, err := themes.Pick(theme, true, false)
	if err != nil {
		t.Fatal(err)
	}
	if ascii {
		th = th.ASCII()
	}
	s := newSheet(width, 1, th)
	s.bar(0, 0, width, w, axis{Step: time.Duration(top) * time.Millisecond, Top: time.Duration(top) * time.Millisecond})
	return s.String()
}

func TestBar(t *testing.T) {
	tests := []struct {
		name              string
		w                 probe.Waterfall
		mono, ascii, dark string
	}{
		{"every part on whole cells", wf(10, 10, 20, 40, 10), "─═░░████▚ ", "-=::####+ ", "─═░░████▚ "},
		{"nothing", nil, "          ", "          ", "          "},
		{"a part of no length isn't drawn", wf(20, 0, 0, 40, 0), "──████    ", "--####    ", "──████    "},
		{"a tiny part isn't drawn, and doesn't move what comes after", wf(20, 0.1, 0, 40, 0), "──████    ", "--####    ", "──████    "},
		{"parts of less than a cell share one", wf(10, 4, 6, 40, 0), "─░████    ", "-:####    ", "─▍████    "},
		{"the end is drawn by eighths", wf(0, 0, 0, 33.75, 0), "███       ", "###       ", "███▍      "},
		{"an end of half a cell counts without eighths", wf(0, 0, 0, 36.25, 0), "████      ", "####      ", "███▋      "},
		{"the shortest bar can be seen", wf(0.001), "─         ", "-         ", "▏         "},
		{"a bar beyond the axis goes on", wf(50, 0, 0, 100, 0), "─────████»", "-----####>", "─────████»"},
		{"beyond any axis", probe.Waterfall{{Name: probe.RTT, Duration: math.MaxInt64}, {Name: probe.DNS, Duration: math.MaxInt64}}, "─────────»", "--------->", "─────────»"},
		{"negative durations count as nothing", probe.Waterfall{
			{Name: probe.RTT, Duration: -5}, {Name: probe.Server, Duration: 30e6},
		}, "▒▒▒       ", "%%%       ", "▒▒▒       "},
	}
	for _, tt := range tests {
		for _, look := range []struct {
			theme string
			ascii bool
			want  string
		}{{"mono", false, tt.mono}, {"mono", true, tt.ascii}, {"dark", false, tt.dark}, {"dark", true, tt.ascii}} {
			if got := ansi.Strip(drawn(t, look.theme, look.ascii, tt.w, 100, 10)); got != look.want {
				t.Errorf("%s (%s, ASCII %v):\n got %q\nwant %q", tt.name, look.theme, look.ascii, got, look.want)
			}
		}
	}
}

// In colour, a cell in which two parts meet has the colours of both.
func TestBarEdgeColours(t *testing.T) {
	th, _ := themes.Pick("dark", true, false)
	got := drawn(t, "dark", false, wf(15, 0, 0, 15, 0), 100, 10)
	want := th.Paint(themes.Fill(probe.NetworkPart), "─") +
		th.Paint(themes.Edge(probe.NetworkPart, probe.PrefillPart), "▌") +
		th.Paint(themes.Fill(probe.PrefillPart), "█") + "       "
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever the parts are, the pieces follow each other without a gap and end
// where the sum ends, within an eighth of a cell.
func TestPiecesAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		var w probe.Waterfall
		for _, n := range []probe.SegmentName{probe.DNS, probe.RTT, probe.Handling, probe.Queue, probe.Prefill, probe.FirstDecode, probe.Server} {
			if r.IntN(3) > 0 {
				w = append(w, probe.Segment{Name: n, Duration: time.Duration(math.Exp(r.Float64()*18) * 1e3)})
			}
		}
		width := 1 + r.IntN(200)
		a := niceAxis(time.Duration(float64(w.Total())*(0.5+r.Float64())), 5)
		list := pieces(w, a, width)
		at := 0
		for _, p := range list {
			if p.from != at || p.to <= p.from {
				t.Fatalf("piece %+v after %d of %v", p, at, w)
			}
			at = p.to
		}
		exact := math.Min(float64(w.Total())/float64(a.Top), 1) * float64(width*eighths)
		if math.Abs(float64(at)-exact) > 0.5 && !(at == 1 && exact < 1) {
			t.Fatalf("the bar ends at %d eighths, its sum at %.2f", at, exact)
		}
	}
}

func TestSourceOf(t *testing.T) {
	w := probe.Waterfall{
		{Name: probe.DNS, Duration: 0, Source: probe.Estimated},
		{Name: probe.RTT, Duration: 1, Source: probe.Measured},
		{Name: probe.Queue, Duration: 5, Source: probe.Reported},
		{Name: probe.Prefill, Duration: 0, Source: probe.Estimated},
	}
	for part, want := range map[probe.Part]string{probe.NetworkPart: "m", probe.QueuePart: "r", probe.PrefillPart: "e"} {
		if got, ok := sourceOf(w, part); got != want || !ok {
			t.Errorf("%s is %q, %v, want %q", part, got, ok, want)
		}
	}
	if _, ok := sourceOf(w, probe.HandlingPart); ok {
		t.Error("a part that isn't there has a source")
	}
}

func TestNiceAxis(t *testing.T) {
	ms := time.Millisecond
	tests := []struct {
		most      time.Duration
		ticks     int
		step, top time.Duration
	}{
		{216 * ms, 5, 50 * ms, 250 * ms},
		{200 * ms, 4, 50 * ms, 200 * ms},
		{216 * ms, 2, 200 * ms, 400 * ms},
		{0, 5, 200 * time.Microsecond, ms},
		{-time.Hour, 1, ms, ms},
		{30 * time.Second, 6, 5 * time.Second, 30 * time.Second},
		{math.MaxInt64, 4, 0, 0}, // bounded, to what doesn't matter
		{7 * ms, 0, 10 * ms, 10 * ms},
	}
	for _, tt := range tests {
		a := niceAxis(tt.most, tt.ticks)
		if tt.top != 0 && (a.Step != tt.step || a.Top != tt.top) {
			t.Errorf("niceAxis(%v, %d) = %v to %v, want %v to %v", tt.most, tt.ticks, a.Step, a.Top, tt.step, tt.top)
		}
		if n := len(a.ticks()); n < 2 || n > max(tt.ticks, 1)+2 || a.Top%a.Step != 0 || a.Top <= 0 {
			t.Errorf("niceAxis(%v, %d) = %+v with %d ticks", tt.most, tt.ticks, a, n)
		}
	}
}

func TestAxisAtIsClamped(t *testing.T) {
	a := axis{Step: time.Second, Top: time.Second}
	for d, want := range map[time.Duration]int{-1: 0, 0: 0, 500 * time.Millisecond: 50, time.Second: 100, math.MaxInt64: 100, math.MinInt64: 0} {
		if got := a.at(d, 100); got != want {
			t.Errorf("%v is at %d, want %d", d, got, want)
		}
	}
}

func TestVisibleRange(t *testing.T) {
	for _, tt := range []struct{ n, selected, rows, from, to int }{
		{3, 0, 5, 0, 3}, {12, 0, 4, 0, 4}, {12, 6, 4, 4, 8}, {12, 11, 4, 8, 12}, {12, 99, 4, 8, 12},
		{12, -1, 4, 0, 4}, {12, 3, 0, 3, 3}, {12, 3, -2, 3, 3}, {0, 0, 4, 0, 0},
	} {
		from, to := visibleRange(tt.n, tt.selected, tt.rows)
		if from != tt.from || to != tt.to {
			t.Errorf("visibleRange(%d, %d, %d) = %d, %d, want %d, %d", tt.n, tt.selected, tt.rows, from, to, tt.from, tt.to)
		}
	}
}

func TestLetters(t *testing.T) {
	seen := strings.Builder{}
	for i := range 54 {
		seen.WriteString(letter(i))
	}
	if got := seen.String(); got != "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz**" || letter(-1) != "*" {
		t.Errorf("letters are %s", got)
	}
}
