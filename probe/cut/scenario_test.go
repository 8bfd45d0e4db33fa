package cut

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/reported"
)

// scenario is one file of testdata: what a probe saw, and below it the
// waterfall to expect. Every time is in milliseconds; what a file leaves out
// did not come or was not said.
type scenario struct {
	About    string
	Timeline struct {
		DNSStart, DNSDone, ConnectStart, ConnectDone, TLSStart, TLSDone *float64
		GotConn, Written, Sent, FirstByte, Headers, FirstToken          *float64
		Tokens                                                          []float64 // arrivals; equal ones came in one read
	}
	RTT, Step      *float64
	Uncached       int
	HeadersLeave   string // "", acceptance, slot, first token
	IgnoreReported bool
	Flags          []probe.Flag
	Figures        struct {
		Handling, Queue, Prefill, WholeTTFT, ModelLoad, Step *float64
		FirstDecode                                          string // "", inside, beside
		QueueHasHandling                                     bool
		QueueFromHeaders, HandlingFromHeaders                bool
		Absurd                                               []string
	}
	Baseline *struct{ Fixed, Per1k float64 }
	Own      *struct{ Fixed, Per1k float64 }  // prefill as the server has reported it when idle
	Before   *struct{ Usual, Lo, Hi float64 } // what idle probes showed before the headers
	Output   int
	Doubt    string // "", slower, changed
	Alone    bool
	Want     struct {
		TTFT       float64
		Segments   []wantSegment
		Contention *float64
		Flags      []probe.Flag
	}
}

type wantSegment struct {
	Name   probe.SegmentName
	MS     float64
	Source probe.Source
	Lo, Hi *float64 // checked where given
}

func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := read(t, file)
			out := Probe(s.input())
			s.check(t, out)
		})
	}
}

func read(t *testing.T, file string) scenario {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s scenario
	if err := toml.NewDecoder(f).DisallowUnknownFields().Decode(&s); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return s
}

func (s scenario) check(t *testing.T, out Output) {
	t.Helper()
	if got := out.Waterfall.Total(); got != ms(s.Want.TTFT) {
		t.Errorf("adds up to %v, the TTFT is %v", got, ms(s.Want.TTFT))
	}
	if len(out.Waterfall) != len(s.Want.Segments) {
		t.Fatalf("got %d segments, want %d: %v", len(out.Waterfall), len(s.Want.Segments), out.Waterfall)
	}
	for i, want := range s.Want.Segments {
		got := out.Waterfall[i]
		if got.Name != want.Name || got.Source != want.Source || !close(got.Duration, want.MS) {
			t.Errorf("%s %v %s, want %s %v ms %s", got.Name, got.Duration, got.Source, want.Name, want.MS, want.Source)
		}
		if want.Lo != nil && !close(got.Lo, *want.Lo) || want.Hi != nil && !close(got.Hi, *want.Hi) {
			t.Errorf("%s lies in %v…%v, want %v…%v ms", got.Name, got.Lo, got.Hi, *want.Lo, *want.Hi)
		}
	}
	if c := mark(s.Want.Contention); out.Contention.OK != c.OK || !close(out.Contention.At, float64(c.At)/1e6) {
		t.Errorf("contention %v, want %v", out.Contention, c)
	}
	if !slices.Equal(out.Flags, s.Want.Flags) {
		t.Errorf("flags %v, want %v", out.Flags, s.Want.Flags)
	}
	if out.AtLeast {
		t.Error("the server was seen idle: the queue is no lower bound")
	}
}

// close allows for the rounding of a fit.
func close(got time.Duration, want float64) bool {
	return math.Abs(float64(got)/1e6-want) <= 0.02+0.0005*want
}

func (s scenario) input() Input {
	f := s.Figures
	in := Input{
		Timeline: s.timeline(), RTT: mark(s.RTT), Step: mark(s.Step), Uncached: s.Uncached, IgnoreReported: s.IgnoreReported, Flags: s.Flags,
		Headers: map[string]HeadersRule{"": HeadersUnknown, "acceptance": OnAcceptance, "slot": OnSlot, "first token": WithFirstToken}[s.HeadersLeave],
		Figures: reported.Figures{
			Handling: mark(f.Handling), Queue: mark(f.Queue), Prefill: mark(f.Prefill), WholeTTFT: mark(f.WholeTTFT), ModelLoad: mark(f.ModelLoad), Step: mark(f.Step),
			QueueHasHandling: f.QueueHasHandling, QueueFromHeaders: f.QueueFromHeaders, HandlingFromHeaders: f.HandlingFromHeaders, Absurd: f.Absurd,
			FirstDecodeInPrefill: map[string]reported.Contains{"": reported.Unknown, "inside": reported.Yes, "beside": reported.No}[f.FirstDecode],
		},
	}
	if !in.Step.OK {
		in.Step = Step(in.Timeline)
	}
	if b := s.Baseline; b != nil {
		c := curve(b.Fixed, b.Per1k, false)
		in.Baseline = &c
	}
	if o := s.Own; o != nil {
		in.OwnPrefill = ownOf(curve(o.Fixed, o.Per1k, false), in.Uncached)
	}
	if b := s.Before; b != nil {
		in.BeforeHeaders = &Usual{Usual: ms(b.Usual), Lo: ms(b.Lo), Hi: ms(b.Hi)}
	}
	in.OutputTokens, in.Alone, in.Doubt = s.Output, s.Alone, map[string]Doubt{"": NoDoubt, "slower": Slower, "changed": Changed}[s.Doubt]
	return in
}

func (s scenario) timeline() probe.Timeline {
	t := s.Timeline
	line := probe.Timeline{
		DNSStart: mark(t.DNSStart), DNSDone: mark(t.DNSDone), ConnectStart: mark(t.ConnectStart), ConnectDone: mark(t.ConnectDone),
		TLSStart: mark(t.TLSStart), TLSDone: mark(t.TLSDone), GotConn: mark(t.GotConn), Written: mark(t.Written), Sent: mark(t.Sent),
		FirstByte: mark(t.FirstByte), Headers: mark(t.Headers), FirstToken: mark(t.FirstToken),
	}
	reads := 0
	for i, at := range t.Tokens {
		if i == 0 || at != t.Tokens[i-1] {
			reads++
		}
		line.Tokens = append(line.Tokens, probe.Arrival{At: ms(at), Read: reads})
	}
	if len(t.Tokens) > 0 && t.FirstToken == nil {
		line.FirstToken = probe.At(ms(t.Tokens[0]))
	}
	return line
}

func mark(v *float64) probe.Mark {
	if v == nil {
		return probe.Mark{}
	}
	return probe.At(ms(*v))
}

func ms(v float64) time.Duration { return time.Duration(math.Round(v * 1e6)) }

// ownOf is what a curve of the server's own reports says of a prompt.
func ownOf(c baseline.Curve, tokens int) *OwnPrefill {
	if !c.Covers(tokens) {
		return nil
	}
	own := &OwnPrefill{Idle: c.Idle()}
	own.Usual, own.Lo, own.Hi = c.At(tokens)
	return own
}

// curve is a baseline as a fitter finds it: from a server without noise, or
// from one that is never idle.
func curve(fixed, per1k float64, neverIdle bool) baseline.Curve {
	var f baseline.Fitter
	r := rand.New(rand.NewPCG(1, 1))
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for range 40 {
		for _, n := range []int{16, 256, 1024, 4096} {
			at = at.Add(time.Second)
			cost := fixed + per1k*float64(n)/1000
			if neverIdle {
				cost += 20 * fixed * r.Float64()
			}
			f.Add(baseline.Point{At: at, Tokens: n, Server: ms(cost)})
		}
	}
	c, _ := f.Curve()
	return c
}
