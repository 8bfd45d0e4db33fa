package cut

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/reported"
)

func segmentNamed(w probe.Waterfall, name probe.SegmentName) probe.Segment {
	i := slices.IndexFunc(w, func(s probe.Segment) bool { return s.Name == name })
	return w[i]
}

// Handling that is left beside reports holds the jitter of the path: its
// interval reaches down to what handling was, whatever the jitter.
func TestHandlingBesideReportsHoldsTheTruth(t *testing.T) {
	const truth = 4.5
	r := rand.New(rand.NewPCG(1, 2))
	for _, jitter := range []float64{0.1, 1.5, 8} {
		jittered := func() float64 { return jitter * (r.ExpFloat64() + r.ExpFloat64()) / 2 }
		held, probes := 0, 400
		for range probes {
			var rests []time.Duration
			for range 20 {
				rests = append(rests, ms(truth+jittered()))
			}
			slices.Sort(rests)
			at := truth + jittered() + 30 + 50
			in := Input{Timeline: tokens(at, at+10, at+20), RTT: probe.At(0), Rest: &Rest{Least: rests[0], Usual: rests[10]}, Step: probe.At(ms(10))}
			in.Figures = reported.Figures{Queue: probe.At(ms(30)), Prefill: probe.At(ms(50)), FirstDecodeInPrefill: reported.Yes}
			h := segmentNamed(Probe(in).Waterfall, probe.Handling)
			if h.Source != probe.Estimated {
				t.Fatalf("handling is %s", h.Source)
			}
			if h.Lo <= ms(truth) && h.Hi >= ms(truth) {
				held++
			}
		}
		if held < probes*95/100 {
			t.Errorf("with a jitter of %v ms %d of %d intervals hold handling", jitter, held, probes)
		}
	}
}

// Without earlier probes nothing is known of the least of it.
func TestHandlingBesideReportsAtFirst(t *testing.T) {
	in := Input{Timeline: tokens(90, 100, 110), RTT: probe.At(0), Step: probe.At(ms(10))}
	in.Figures = reported.Figures{Queue: probe.At(ms(30)), Prefill: probe.At(ms(50)), FirstDecodeInPrefill: reported.Yes}
	out := Probe(in)
	if h := segmentNamed(out.Waterfall, probe.Handling); h.Lo != 0 || h.Hi != ms(10) {
		t.Errorf("handling lies in %v…%v", h.Lo, h.Hi)
	}
	if out.Rest != probe.At(ms(10)) {
		t.Errorf("the rest is %v", out.Rest)
	}
}

// What is left beside a first decode that is a guess is one too.
func TestPrefillBehindHeadersIsAsKnownAsTheStep(t *testing.T) {
	c := curve(20, 41, false)
	in := Input{Timeline: tokens(200), RTT: probe.At(0), Headers: OnSlot, Baseline: &c, Uncached: 1024, Step: probe.At(ms(6))}
	in.Timeline.Headers = probe.At(ms(152))
	w := Probe(in).Waterfall
	p, d := segmentNamed(w, probe.Prefill), segmentNamed(w, probe.FirstDecode)
	if p.Source != probe.Estimated || p.Lo > ms(48)-d.Hi || p.Hi < ms(48)-d.Lo {
		t.Errorf("prefill %v %s in %v…%v beside a first decode in %v…%v", p.Duration, p.Source, p.Lo, p.Hi, d.Lo, d.Hi)
	}
}

// Whether a step is taken out of a reported prefill doesn't change with the
// noise of a probe once the server has shown where it is.
func TestTheFirstDecodeStaysWhereItWasSeen(t *testing.T) {
	c := curve(20, 41, false)
	cutWith := func(rest float64, known reported.Contains) Output {
		at := rest + 50
		in := Input{Timeline: tokens(at, at+12, at+24), RTT: probe.At(0), Baseline: &c, Uncached: 1024, Step: probe.At(ms(12)), DecodeInReport: known}
		in.Figures = reported.Figures{Queue: probe.At(0), Prefill: probe.At(ms(50))}
		return Probe(in)
	}
	beside, noisy := cutWith(33, reported.Unknown), cutWith(26, reported.Unknown)
	if beside.DecodeInReport != reported.No || noisy.DecodeInReport != reported.Yes {
		t.Fatalf("the probes show %v and %v", beside.DecodeInReport, noisy.DecodeInReport)
	}
	for known, want := range map[reported.Contains]probe.PrefillBasis{reported.No: probe.PrefillWhole, reported.Yes: probe.PrefillPresumed} {
		if got := cutWith(33, known).Basis; got.Prefill != want || got.Queue != probe.QueueTold {
			t.Errorf("first decode in the report %v: %+v", known, got)
		}
	}
	for _, rest := range []float64{33, 26} {
		if got := cutWith(rest, reported.No).Waterfall.Of(probe.PrefillPart); got != ms(50) {
			t.Errorf("a step beside prefill: %v of 50 ms, with %v ms left", got, rest)
		}
		if got := cutWith(rest, reported.Yes).Waterfall.Of(probe.PrefillPart); got != ms(38) {
			t.Errorf("a step in prefill: %v of 50 ms, with %v ms left", got, rest)
		}
	}
}
