package whatif

import (
	"math"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// ms is so many milliseconds.
func ms(v float64) time.Duration { return time.Duration(math.Round(v * float64(time.Millisecond))) }

func seg(name probe.SegmentName, v float64, src probe.Source) probe.Segment {
	return probe.Segment{Name: name, Duration: ms(v), Source: src}
}

// cut is a waterfall of an endpoint that reports.
func cut(rtt, queue, prefill, decode float64) probe.Waterfall {
	return probe.Waterfall{
		seg(probe.DNS, 0, probe.Measured), seg(probe.Connect, 0, probe.Measured), seg(probe.TLS, 0, probe.Measured),
		seg(probe.Send, 0, probe.Measured), seg(probe.RTT, rtt, probe.Measured), seg(probe.Handling, 4, probe.Measured),
		seg(probe.Queue, queue, probe.Reported), seg(probe.Prefill, prefill, probe.Reported), seg(probe.FirstDecode, decode, probe.Estimated),
	}
}

// straight is a baseline of 90 ms per 1,000 uncached tokens, known to a tenth.
type straight struct{ busy, quarrel bool }

func (straight) After(n, cached int) (mid, lo, hi time.Duration) {
	mid = time.Duration(n-cached) * 90 * time.Microsecond
	return mid, mid * 9 / 10, mid * 11 / 10
}

func (straight) Covers(n int) bool    { return n <= 8000 }
func (c straight) Idle() bool         { return !c.busy }
func (c straight) Contradicted() bool { return c.quarrel }

// quiet is a target of 8B with an idle p50 of 112 ms, and a p95 that waits as
// an M/M/1 of half its capacity does: 100/(1 − 0.5)·ln(0.5/0.05) = 460.517 ms.
func quiet() Known {
	k := Known{
		P50: cut(8, 0, 90, 10), P95: cut(8, 460.517, 90, 10), Curve: straight{}, Knobs: probe.DefaultKnobs,
		Models: []string{"sim-70b", "sim-8b", "sim-1b"}, Prompt: 1000,
	}
	k.Knobs.Model = "sim-8b"
	for _, w := range []probe.Waterfall{k.P50, k.P95} {
		w[8].Lo, w[8].Hi = w[8].Duration, w[8].Duration
	}
	return k
}

func find(t *testing.T, k Known, l Lever) Projection {
	t.Helper()
	for _, p := range Project(k) {
		if p.Lever == l {
			return p
		}
	}
	t.Fatalf("%s is not projected", l)
	return Projection{}
}

// near compares to a microsecond, or a share of the want where it is larger.
func wantAt(t *testing.T, what string, got Estimate, want float64) {
	t.Helper()
	if !got.OK || (got.At-ms(want)).Abs() > 2*time.Microsecond {
		t.Errorf("%s: %v (%v %s), want %v", what, got.At, got.OK, got.Why, ms(want))
	}
}

func TestOrder(t *testing.T) {
	want := []Lever{Model, Caching, Speculation, Quantization, Capacity, Prompt, Region}
	list := Project(quiet())
	if len(list) != len(want) {
		t.Fatalf("%d projections", len(list))
	}
	for i, p := range list {
		if p.Lever != want[i] || p.Beside != (i >= 5) || p.Does == "" || p.Assumes == "" || strings.Contains(p.Assumes, ". ") {
			t.Errorf("%d is %+v, want %s with an assumption in one sentence", i, p, want[i])
		}
	}
}

// Without a queue a lever takes its share off prefill and first decode.
func TestIdle(t *testing.T) {
	for _, c := range []struct {
		lever  Lever
		at     float64
		lo, hi float64
	}{
		{Model, 112 - 100*7./8, 12 + 100*0.5/8.5, 12 + 90*1.5/7.5 + 10*0.4}, // names are rounded, and a quarter of a step may stay
		{Caching, 112 - 81, 112 - 81.9, 112 - 80.1},                         // the rest, 9 ms, is known to a tenth
		{Prompt, 112 - 45, 112 - 49.5, 112 - 40.5},
		{Speculation, 112 + 4.5 + 2, 112, 112 + 9 + 8}, // the drafts of the first token's step
		{Quantization, 107, 62, 112},
		{Capacity, 112, 112, 112},
	} {
		got := find(t, quiet(), c.lever).P50
		wantAt(t, string(c.lever), got, c.at)
		if (got.Lo-ms(c.lo)).Abs() > 2 || (got.Hi-ms(c.hi)).Abs() > 2 {
			t.Errorf("%s: from %v to %v, want %v to %v", c.lever, got.Lo, got.Hi, ms(c.lo), ms(c.hi))
		}
	}
}

// An M/M/1 of utilisation 0.5 and service 100 ms, by hand:
//   - a second server: C(2, 0.5) = 0.1, so 100/1.5·ln 2 = 46.2098 ms,
//   - half the service: utilisation 0.25, so 50/0.75·ln 5 = 107.296 ms,
//   - an eighth of it: 1/16, so 12.5/(15/16)·ln 1.25 = 2.9753 ms,
//   - first decode halved (service 95, utilisation 0.475): 95/0.525·ln 9.5 = 407.377 ms.
func TestOpenQueue(t *testing.T) {
	k := quiet()
	wantAt(t, "capacity", find(t, k, Capacity).P95, 112+46.2098)
	wantAt(t, "an eighth", find(t, k, Model).P95, 12+12.5+2.97525)
	wantAt(t, "8 bits", find(t, k, Quantization).P95, 107+407.3766)
	k.Models = nil
	if p := find(t, k, Model); p.Does != "half the parameters" {
		t.Errorf("%+v", p)
	} else {
		wantAt(t, "half", p.P95, 12+50+107.2959)
	}
	// The requests of others may be longer than ours: then waits go with the service.
	k = quiet()
	for _, c := range []struct {
		lever Lever
		hi    float64
	}{{Capacity, 112 + 460.517/2}, {Model, 12 + 90*0.2 + 10*0.4 + 460.517*0.22}} {
		if got := find(t, k, c.lever).P95; (got.Hi - ms(c.hi)).Abs() > 2*time.Microsecond {
			t.Errorf("%s: at most %v, want %v", c.lever, got.Hi, ms(c.hi))
		}
	}
	k.Models = nil
	// Others' prompts are not ours to shorten.
	wantAt(t, "half the prompt", find(t, k, Prompt).P95, 112+460.517-45)
	wantAt(t, "cached", find(t, k, Caching).P95, 112+460.517-81)
}

// Two load streams of 320 ms, of which 120 ms are waiting: a bottleneck of
// s = 100 ms and 100 ms elsewhere has Q(1) = 1/2 and Q(2) = 2·1.5/2.5 = 1.2,
// which is the wait seen. With one stream at each server a probe waits 50 ms.
func TestClosedQueue(t *testing.T) {
	k := quiet()
	k.Knobs.Pressure, k.StreamTime = 2, ms(320)
	k.P50 = cut(8, 120, 90, 10)
	k.P50[8].Lo, k.P50[8].Hi = ms(10), ms(10)
	wantAt(t, "capacity", find(t, k, Capacity).P50, 112+50)
	wantAt(t, "an eighth", find(t, k, Model).P50, 12+(100+120)/8.)
	// A stream is one prefill and 255 steps: half the prompt takes 45 ms off 2,640.
	wantAt(t, "half the prompt", find(t, k, Prompt).P50, 112-45+120*(2640-45)/2640.)
	wantAt(t, "cached", find(t, k, Caching).P50, 112+120-81) // load streams are unique
	k.Knobs.Pressure = 1
	k.P50[6].Duration = ms(50) // s = 100 and 100 elsewhere: Q(1) = 1/2
	k.StreamTime = ms(250)
	wantAt(t, "one stream", find(t, k, Capacity).P50, 112+25)

	k.StreamTime = ms(60)
	if got := find(t, k, Capacity).P50; got.OK || !strings.Contains(got.Why, "longer than the load streams can make it") {
		t.Errorf("%+v", got)
	}
	k.StreamTime = 0
	if got := find(t, k, Capacity).P50; got.OK || !strings.Contains(got.Why, "no load stream has ended") {
		t.Errorf("%+v", got)
	}
}

// A saturated bottleneck holds all streams but those that run: 128 streams on 32
// slots of 4 s wait (128 − 32 + 1)·4/32 s, and on 64 slots (128 − 64 + 1)·4/64 s.
func TestSplitOfManySlots(t *testing.T) {
	wait := 97 * 4000.0 / 32
	got, ok := split(wait, wait+4000-125, 128)
	if want := 65 * 4000.0 / 64; !ok || math.Abs(got-want) > 0.05*want {
		t.Errorf("%.0f ms, want about %.0f", got, want)
	}
	if got, _ := split(1, 4000, 64); got > 0.5 || got < 0.4 {
		t.Errorf("a bottleneck that is hardly used: %.2f of 1 ms, want a little less than half", got)
	}
}

// The formulas against their definitions: an M/M/1 has C = ρ, and utilisation
// undoes waitMMc.
func TestWait(t *testing.T) {
	for _, rho := range []float64{0.06, 0.3, 0.5, 0.9, 0.99} {
		if c := erlangC(1, rho); math.Abs(c-rho) > 1e-12 {
			t.Errorf("C(1, %v) = %v", rho, c)
		}
		if w := waitMMc(1, rho, 100, 0.95); w > 0 {
			if got := utilisation(w, 100, 0.95); math.Abs(got-rho) > 1e-9 {
				t.Errorf("utilisation %v of a wait of %v, want %v", got, w, rho)
			}
		}
	}
	if c := erlangC(3, 2); math.Abs(c-4./9) > 1e-12 { // 4 / (1 + 2 + 2 + 4)
		t.Errorf("C(3, 2) = %v", c)
	}
}

func TestRegion(t *testing.T) {
	k := quiet()
	k.P50 = cut(140, 0, 90, 10)
	k.P50[1].Duration, k.P50[2].Duration = ms(140), ms(280) // a new connection
	wantAt(t, "region", find(t, k, Region).P50, 104+10+10+20)
	if got := find(t, k, Region).P95; got.OK || got.Why != "it is as close already" {
		t.Errorf("%+v", got)
	}
	k.ProxyOnly = true
	if got := find(t, k, Region).P50; got.OK || !strings.Contains(got.Why, "proxy") {
		t.Errorf("%+v", got)
	}
}

// Nothing is projected from what isn't known, and it is said why.
func TestUnknown(t *testing.T) {
	uncut := quiet()
	uncut.P50 = probe.Waterfall{seg(probe.RTT, 140, probe.Measured), seg(probe.Server, 90, probe.Measured)}
	least, most, early, told := guessed(), guessed(), guessed(), quiet()
	least.AtLeast, most.AtMost, early.Calibrating, told.Calibrating = true, true, true, true
	failed, flaky := quiet(), quiet()
	failed.P50, failed.Probes, failed.Failed = nil, 45, 44
	flaky.P95, flaky.Probes, flaky.Failed = nil, 15, 1
	bare := quiet()
	bare.Curve = nil
	long := quiet()
	long.Prompt = 9000
	warm := quiet()
	warm.Cached = 900
	none := quiet()
	none.P50 = nil
	idle := quiet()
	idle.P95 = cut(8, 100, 0, 0)
	for _, c := range []struct {
		name   string
		k      Known
		levers []Lever
		why    string
		of     func(Projection) Estimate
	}{
		{"server", uncut, []Lever{Model, Caching, Prompt, Speculation, Quantization, Capacity}, whyUncut, p50},
		{"at least", least, []Lever{Model, Caching, Prompt, Speculation, Quantization, Capacity}, whyAtLeast, p50},
		{"at most", most, []Lever{Model, Caching, Prompt, Speculation, Quantization, Capacity}, whyAtMost, p50},
		{"calibrating", early, []Lever{Model, Caching, Prompt, Speculation, Quantization, Capacity}, whyCalibrating, p50},
		{"calibrating, but reported", told, []Lever{Caching, Prompt}, whyCalibrating, p50},
		{"failing", failed, []Lever{Model, Region}, "44 of 45 probes fail: mend that first", p50},
		{"failing now and then", flaky, []Lever{Model, Region}, "too few probes yet", p95},
		{"no baseline", bare, []Lever{Caching, Prompt}, whyNoCurve, p50},
		{"beyond the baseline", long, []Lever{Caching, Prompt}, whyNoCurve, p50},
		{"cached", warm, []Lever{Caching}, "90 % of the prompt is cached already", p50},
		{"no probes", none, []Lever{Model, Caching, Prompt, Speculation, Quantization, Capacity, Region}, "too few probes yet", p50},
		{"no service", idle, []Lever{Model, Quantization, Capacity}, "the service time isn't known", p95},
	} {
		for _, l := range c.levers {
			if got := c.of(find(t, c.k, l)); got.OK || got.Why != c.why {
				t.Errorf("%s, %s: %+v, want none: %s", c.name, l, got, c.why)
			}
		}
	}
	wantAt(t, "a region, though the server time is not cut", find(t, uncut, Region).P50, 100)
	wantAt(t, "a model without a baseline", find(t, bare, Model).P50, 24.5)
	wantAt(t, "a model while calibrating, where the server reports", find(t, told, Model).P50, 24.5)
}

func p50(p Projection) Estimate { return p.P50 }
func p95(p Projection) Estimate { return p.P95 }

func TestSmaller(t *testing.T) {
	for _, c := range []struct {
		present string
		models  []string
		ratio   float64
		name    string
	}{
		{"sim-8b", []string{"sim-8b", "sim-70b", "sim-1b"}, 0.125, "sim-1b"},
		{"meta-llama/Llama-3.1-70B-Instruct", []string{"Llama-3.2-1B", "Llama-3.1-8B-Instruct"}, 8. / 70, "Llama-3.1-8B-Instruct"},
		{"qwen2.5:7b", []string{"qwen2.5:0.5b", "qwen2.5:7b"}, 0.5 / 7, "qwen2.5:0.5b"},
		{"gpt-4o", []string{"gpt-4o-mini", "x-8b"}, 0.5, ""},
		{"Mixtral-8x7B", []string{"m-1b"}, 0.5, ""},
		{"Qwen3-30B-A3B", []string{"Qwen3-8B"}, 0.5, ""},
		{"sim-1b", []string{"sim-8b"}, 0.5, ""},
	} {
		if ratio, name := smaller(c.present, c.models); math.Abs(ratio.mid-c.ratio) > 1e-9 || name != c.name || ratio.lo > ratio.mid || ratio.hi < ratio.mid || ratio.hi > 1 {
			t.Errorf("%s of %v: %v %q, want %v %q", c.present, c.models, ratio, name, c.ratio, c.name)
		}
	}
}
