package views

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
)

// chartOf draws points of one target at an instant, without colour.
func chartOf(t *testing.T, ascii bool, now time.Duration, points []Point, changes []Change, w, h int) string {
	t.Helper()
	th, err := themes.Pick("mono", true, false)
	if err != nil {
		t.Fatal(err)
	}
	if ascii {
		th = th.ASCII()
	}
	snap := Snapshot{Now: now, Targets: []Target{{Points: points}}, Changes: changes}
	return strings.Trim(ansi.Strip(Chart(snap, w, h, th)), "\n")
}

// every is a point each second from a second to another.
func every(from, to int, ttft time.Duration, epoch int) []Point {
	var list []Point
	for s := from; s < to; s++ {
		list = append(list, Point{At: time.Duration(s) * time.Second, TTFT: ttft, Epoch: epoch})
	}
	return list
}

func wantLines(t *testing.T, got, want string) {
	t.Helper()
	lines := strings.Split(got, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if got := strings.Join(lines, "\n"); got != strings.Trim(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Trim(want, "\n"))
	}
}

func TestChartInASCII(t *testing.T) {
	points := append(every(0, 10, 80*time.Millisecond, 1), every(10, 30, 20*time.Millisecond, 2)...)
	points[5] = Point{At: 5 * time.Second, Failed: true, Epoch: 1}
	got := chartOf(t, true, 29*time.Second, points, []Change{{At: 10 * time.Second, Text: "b 4 → 0"}}, 38, 6)
	wantLines(t, got, `
 100|           :b 4 -> 0
    | AAAAA AAAA:
  50|           :
    |           AAAAAAAAAAAAAAAAAAAAA
    |           :
   0+30 s--x---20 s------10 s----- now
`)
}

func TestChartInBraille(t *testing.T) {
	points := append(every(0, 10, 80*time.Millisecond, 1), every(10, 30, 20*time.Millisecond, 2)...)
	got := chartOf(t, false, 29*time.Second, points, nil, 38, 5)
	for _, want := range []string{"100│", "└30 s", "now", "A"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// A change of epoch breaks the line: no dots between the two levels.
	lines := strings.Split(got, "\n")
	if s := strings.Trim(lines[2], " │"); s != "" {
		t.Errorf("the line goes on from one epoch to the next: %q in\n%s", s, got)
	}
}

func TestChartBreaksTheLine(t *testing.T) {
	ms := time.Millisecond
	f := frame{w: 50, rows: 10, window: 50 * time.Second, tick: 500 * ms, newest: 101, y: axis{Step: 100 * ms, Top: 100 * ms}}
	points := []Point{
		{At: 10 * time.Second, TTFT: 50 * ms, Epoch: 1},
		{At: 11 * time.Second, TTFT: 50 * ms, Epoch: 1},
		{At: 12 * time.Second, Failed: true, Epoch: 1},
		{At: 13 * time.Second, TTFT: 50 * ms, Epoch: 1},
		{At: 14 * time.Second, TTFT: 50 * ms, Epoch: 2},
		{At: 14*time.Second + 1, TTFT: 90 * ms, Epoch: 2},
		{At: 24 * time.Second, TTFT: 50 * ms, Epoch: 2},
	}
	got := f.strokes(points)
	joined := []bool{false, true, false, false, false}
	if len(got) != len(joined) {
		t.Fatalf("%d strokes: %+v", len(got), got)
	}
	for i, k := range got {
		if k.joined != joined[i] {
			t.Errorf("stroke %d is joined: %v", i, k.joined)
		}
	}
	if k := got[3]; k.high >= k.low || k.first != k.low || k.last != k.high {
		t.Errorf("two points of one column give %+v", k)
	}
}

// A point stays at its place within a cell while the window moves on, and the
// window moves by whole cells.
func TestChartDoesNotShimmer(t *testing.T) {
	f := frame{w: 50, rows: 10, window: 50 * time.Second, tick: 500 * time.Millisecond}
	at := 33*time.Second + 123*time.Millisecond
	parity := -1
	for now := 40 * time.Second; now < 44*time.Second; now += 10 * time.Millisecond {
		f.newest = int64(now/f.tick) | 1
		c := f.column(at)
		if parity >= 0 && c%dotsAcross != parity {
			t.Fatalf("at %v the point has moved within its cell, to column %d", now, c)
		}
		parity = c % dotsAcross
	}
}

func TestHighest(t *testing.T) {
	ms := time.Millisecond
	even := every(0, 100, 100*ms, 1)
	stray := append(every(0, 100, 100*ms, 1), Point{TTFT: 30 * time.Second})
	few := append(every(0, 10, 100*ms, 1), Point{TTFT: 30 * time.Second})
	burst := every(0, 100, 40*ms, 1)
	for i := 40; i < 58; i++ {
		burst[i].TTFT = 5 * time.Second
	}
	slower := every(0, 100, 40*ms, 1)
	for i := 90; i < 100; i++ {
		slower[i].TTFT = 5 * time.Second
	}
	tests := []struct {
		name     string
		views    [][]Point
		most     time.Duration
		cut, any bool
	}{
		{"nothing", nil, 0, false, false},
		{"failures only", [][]Point{{{Failed: true}}}, 0, false, true},
		{"steady", [][]Point{even}, 100 * ms, false, true},
		{"a stray one is cut off", [][]Point{stray}, 201326592, true, true}, // 1.5 · 2²⁷ ns
		{"a burst that is over", [][]Point{burst}, 100663296, true, true},   // 1.5 · 2²⁶ ns
		{"one that goes on is not", [][]Point{slower}, 5 * time.Second, false, true},
		{"nor is a target that is always slower", [][]Point{even, even, even, even, even, every(0, 100, 5*time.Second, 1)}, 5 * time.Second, false, true},
		{"of few none is cut off", [][]Point{few}, 30 * time.Second, false, true},
		{"absurd", [][]Point{{{TTFT: math.MaxInt64}, {TTFT: math.MinInt64}}}, longestAxis, false, true},
	}
	for _, tt := range tests {
		most, cut, any := highest(tt.views)
		if most != tt.most || cut != tt.cut || any != tt.any {
			t.Errorf("%s: %v, %v, %v, want %v, %v, %v", tt.name, most, cut, any, tt.most, tt.cut, tt.any)
		}
	}
}

func TestChartMarksWhatIsCutOff(t *testing.T) {
	points := every(0, 60, 100*time.Millisecond, 1)
	points[30].TTFT = 30 * time.Second
	got := chartOf(t, true, 60*time.Second, points, nil, 60, 8)
	if !strings.HasPrefix(got, "^") {
		t.Errorf("no mark in\n%s", got)
	}
	if top, _, _ := strings.Cut(got, "\n"); !strings.Contains(top, "^30,000 ") {
		t.Errorf("its value is not told at the top edge:\n%s", got)
	}
}

func TestChartWindow(t *testing.T) {
	for _, tt := range []struct {
		now   time.Duration
		width int
		want  string
	}{
		{0, 80, "30 s"}, {31 * time.Second, 80, "60 s"}, {time.Hour, 80, "2 min"}, {time.Hour, 120, "5 min"},
		{time.Hour, 200, "10 min"}, {3 * time.Minute, 200, "5 min"},
	} {
		if got := age(windowOf(Snapshot{Now: tt.now}, tt.width)); got != tt.want {
			t.Errorf("after %v and at width %d the window is %s, want %s", tt.now, tt.width, got, tt.want)
		}
	}
}

// Drawing costs the width of the chart and not the number of points.
func BenchmarkChart(b *testing.B) {
	th, _ := themes.Pick("dark", true, false)
	snap := Snapshot{Now: 10 * time.Minute}
	for i := range 12 {
		var points []Point
		for at := time.Duration(0); at < 10*time.Minute; at += 72 * time.Millisecond {
			points = append(points, Point{At: at, TTFT: 100*time.Millisecond + time.Duration(math.Sin(float64(len(points)*(i+1)))*2e7)})
		}
		snap.Targets = append(snap.Targets, Target{Points: points})
	}
	b.ReportMetric(float64(12*len(snap.Targets[0].Points)), "points")
	for b.Loop() {
		Chart(snap, 200, 40, th)
	}
}

// A letter stands no farther than a line from where its target is; where there are
// too many for that, how many there are stands there.
func TestEndLettersStandWhereTheyBelong(t *testing.T) {
	th, err := themes.Pick("mono", true, false)
	if err != nil {
		t.Fatal(err)
	}
	snap := Snapshot{Now: 20 * time.Second}
	for range 12 {
		snap.Targets = append(snap.Targets, Target{Points: every(0, 20, 10*time.Millisecond, 1)})
	}
	snap.Targets = append(snap.Targets, Target{Points: every(0, 20, 100*time.Millisecond, 1)})
	lines := strings.Split(ansi.Strip(Chart(snap, 60, 11, th)), "\n")
	var ends []string
	for _, line := range lines[:10] {
		ends = append(ends, strings.TrimSpace(string([]rune(line)[58:])))
	}
	if got := strings.Join(ends, "|"); got != "M|||||||BE|+8|CF" {
		t.Errorf("at the right edge: %s\n%s", got, strings.Join(lines, "\n"))
	}
}
