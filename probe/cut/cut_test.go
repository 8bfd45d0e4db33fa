package cut

import (
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/reported"
)

func tokens(at ...float64) probe.Timeline {
	t := probe.Timeline{FirstToken: probe.At(ms(at[0]))}
	for i, a := range at {
		t.Tokens = append(t.Tokens, probe.Arrival{At: ms(a), Read: i})
	}
	return t
}

func TestStep(t *testing.T) {
	sameRead := tokens(10, 20, 31)
	sameRead.Tokens[1].Read = sameRead.Tokens[0].Read
	tests := []struct {
		name string
		line probe.Timeline
		want probe.Mark
	}{
		{"no token", probe.Timeline{}, probe.Mark{}},
		{"one token", tokens(10), probe.Mark{}},
		{"two", tokens(10, 18), probe.At(8 * time.Millisecond)},
		{"median", tokens(10, 18, 28, 100), probe.At(10 * time.Millisecond)},
		{"even number: the lower", tokens(10, 18, 28), probe.At(8 * time.Millisecond)},
		{"one stamp for two", tokens(10, 10, 20), probe.At(10 * time.Millisecond)},
		{"one read for two", sameRead, probe.At(11 * time.Millisecond)},
		{"all at once", tokens(10, 10, 10), probe.Mark{}},
		{"a clock that went back", tokens(10, 8, 20), probe.At(12 * time.Millisecond)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Step(tt.line); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestServer(t *testing.T) {
	in := Input{Timeline: tokens(200), RTT: probe.At(40 * time.Millisecond)}
	in.Timeline.Sent = probe.At(500 * time.Microsecond)
	if got, want := Server(in), ms(159.5); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Server(Input{RTT: in.RTT}); got != 0 {
		t.Errorf("without a token %v", got)
	}
}

// Where the server was never seen idle, the queue is only a lower bound;
// a reported queue without contention is none.
func TestAtLeast(t *testing.T) {
	probed := func(never bool, queue probe.Mark) Output {
		c := curve(20, 41, never)
		in := Input{Timeline: tokens(2000, 2010, 2020), Baseline: &c, Uncached: 1024}
		in.Step = Step(in.Timeline)
		in.Figures.Queue = queue
		if queue.OK {
			in.Figures.Prefill = probe.At(30 * time.Millisecond)
		}
		return Probe(in)
	}
	if out := probed(true, probe.Mark{}); !out.AtLeast || out.Waterfall.Of(probe.QueuePart) == 0 {
		t.Errorf("never idle: at least = %v, %v", out.AtLeast, out.Waterfall)
	}
	if out := probed(false, probe.Mark{}); out.AtLeast {
		t.Error("seen idle: at least")
	}
	if out := probed(true, probe.At(time.Second)); out.AtLeast {
		t.Error("queue reported: at least")
	}
}

// What the baseline of a server that was never idle calls handling and prefill
// may be queue, all of it.
func TestNeverIdleIsOpen(t *testing.T) {
	c := curve(20, 41, true)
	in := Input{Timeline: tokens(2000, 2010, 2020), Baseline: &c, Uncached: 1024, Step: probe.At(10 * time.Millisecond)}
	for _, s := range Probe(in).Waterfall {
		switch s.Name {
		case probe.Handling, probe.Prefill:
			if s.Duration == 0 || s.Lo != 0 {
				t.Errorf("%s of %v lies in %v…%v", s.Name, s.Duration, s.Lo, s.Hi)
			}
		case probe.Queue:
			if most := ms(2000 - 10); s.Hi < most {
				t.Errorf("queue lies in %v…%v, and may be %v", s.Lo, s.Hi, most)
			}
		}
	}
}

// A prefill that is reported is compared with what the same server has reported
// when it was idle, which knows of no handling; the baseline of whole probes
// stands in until that is there.
func TestContentionByTheServersOwnPrefill(t *testing.T) {
	whole, own := curve(20, 50, false), curve(0, 41, false)
	in := Input{Timeline: tokens(120, 130, 140), Baseline: &whole, Uncached: 1000, Step: probe.At(10 * time.Millisecond)}
	in.Figures = reported.Figures{Queue: probe.At(ms(30)), Prefill: probe.At(ms(60)), FirstDecodeInPrefill: reported.Yes} // 50 without the first decode
	byBaseline := Probe(in)
	in.OwnPrefill = ownOf(own, in.Uncached)
	byOwn := Probe(in)
	if byBaseline.Contention.At != 0 {
		t.Errorf("contention %v where prefill is as the baseline has it", byBaseline.Contention.At)
	}
	if c := byOwn.Contention; !c.OK || !close(c.At, 9) || !close(byOwn.Waterfall.Of(probe.QueuePart), 39) || !close(byOwn.Waterfall.Of(probe.PrefillPart), 41) {
		t.Errorf("contention %v, %v", c, byOwn.Waterfall)
	}
	if byOwn.OwnPrefill != probe.At(ms(50)) {
		t.Errorf("the server reports %v of prefill", byOwn.OwnPrefill)
	}
}

// A wide baseline gives wide intervals, and those of prefill and queue
// mirror each other.
func TestIntervalsComeFromTheBaseline(t *testing.T) {
	var f baseline.Fitter
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i, n := range []int{16, 1024, 4096} { // one probe each: little is known
		f.Add(baseline.Point{At: start.Add(time.Duration(i) * time.Second), Tokens: n, Server: ms(20 + 41*float64(n)/1000)})
	}
	c, ok := f.Curve()
	if !ok {
		t.Fatal("no curve")
	}
	in := Input{Timeline: tokens(300, 310, 320, 330, 340, 350), Baseline: &c, Uncached: 1024}
	in.Step = Step(in.Timeline)
	out := Probe(in)
	byName := map[probe.SegmentName]probe.Segment{}
	for _, s := range out.Waterfall {
		byName[s.Name] = s
	}
	_, lo, hi := c.At(1024)
	q := byName[probe.Queue]
	if q.Lo != ms(290)-hi || q.Hi != ms(290)-lo {
		t.Errorf("queue lies in %v…%v, the baseline in %v…%v", q.Lo, q.Hi, lo, hi)
	}
	if p := byName[probe.Prefill]; p.Hi-p.Lo < time.Millisecond {
		t.Errorf("prefill from three probes lies in %v…%v", p.Lo, p.Hi)
	}
}

func BenchmarkProbe(b *testing.B) {
	c := curve(20, 41, false)
	in := Input{Timeline: tokens(200, 210, 221, 230, 240, 251, 262, 270, 281, 290, 300, 311, 320, 331, 340, 350), RTT: probe.At(ms(40)), Uncached: 1024, Baseline: &c}
	in.Timeline.Sent = probe.At(ms(.5))
	in.Step = Step(in.Timeline)
	b.Run("estimated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Probe(in)
		}
	})
	in.Figures.Queue, in.Figures.Prefill = probe.At(ms(12)), probe.At(ms(90))
	b.Run("reported", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Probe(in)
		}
	})
}
