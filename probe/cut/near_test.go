package cut

import (
	"slices"
	"testing"
	"time"

	"ttftop/probe"
)

// probed makes a result of a cut waterfall: queue and prefill in ms, the rest
// of the TTFT being 1 ms of send.
func probed(queue, prefill float64, source probe.Source) *probe.Result {
	w := probe.Waterfall{
		{Name: probe.DNS, Source: probe.Measured}, {Name: probe.Connect, Source: probe.Measured}, {Name: probe.TLS, Source: probe.Measured},
		{Name: probe.Send, Duration: ms(1), Source: probe.Measured}, {Name: probe.RTT, Source: probe.Measured},
		{Name: probe.Handling, Source: probe.Measured},
		{Name: probe.Queue, Duration: ms(queue), Source: source},
		{Name: probe.Prefill, Duration: ms(prefill), Source: probe.Estimated, Lo: ms(prefill * .9), Hi: ms(prefill * 1.2)},
		{Name: probe.FirstDecode, Source: probe.Estimated},
	}
	if source == probe.Estimated {
		w[6].Lo, w[6].Hi = ms(queue/2), ms(queue*2)
	}
	return result(w)
}

func result(w probe.Waterfall) *probe.Result {
	r := &probe.Result{Waterfall: w}
	r.Timeline.FirstToken = probe.At(w.Total())
	return r
}

func undividedProbe(server float64) *probe.Result {
	return result(probe.Waterfall{{Name: probe.DNS, Source: probe.Measured}, {Name: probe.Connect, Source: probe.Measured}, {Name: probe.TLS, Source: probe.Measured},
		{Name: probe.Send, Duration: ms(1), Source: probe.Measured}, {Name: probe.RTT, Source: probe.Measured}, {Name: probe.Server, Duration: ms(server), Source: probe.Measured}})
}

func segmentOf(t *testing.T, w probe.Waterfall, name probe.SegmentName) probe.Segment {
	t.Helper()
	for _, s := range w {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no %s in %v", name, w)
	return probe.Segment{}
}

func TestNearTakesWholeProbes(t *testing.T) {
	// Half of the probes are queued and the others prefill for long, so that
	// the medians of the segments would not add up to the median TTFT.
	var results []*probe.Result
	for i := range 200 {
		v := float64(i) / 10
		if i%2 == 0 {
			results = append(results, probed(90+v, 9, probe.Reported))
		} else {
			results = append(results, probed(9, 90+v, probe.Reported))
		}
	}
	w, ok := Near(.5, results)
	if !ok || w.Total() != results[99].TTFT().At {
		t.Fatalf("adds up to %v, want %v", w.Total(), results[99].TTFT().At)
	}
	// 11 probes: 94 … 104 by index, of which six are queued.
	q, p := segmentOf(t, w, probe.Queue), segmentOf(t, w, probe.Prefill)
	if !close(q.Duration, (6*99.9+5*9)/11) || q.Source != probe.Reported {
		t.Errorf("queue %v %s", q.Duration, q.Source)
	}
	if p.Source != probe.Estimated || !close(p.Lo, .9*float64(p.Duration)/1e6) || !close(p.Hi, 1.2*float64(p.Duration)/1e6) {
		t.Errorf("prefill %v in %v…%v", p.Duration, p.Lo, p.Hi)
	}
}

func TestNearWithFew(t *testing.T) {
	results := []*probe.Result{probed(38, 20, probe.Reported), probed(40, 20, probe.Estimated), probed(42, 20, probe.Reported)}
	w, ok := Near(.5, results)
	if !ok || w.Total() != ms(61) {
		t.Fatalf("adds up to %v, want 61 ms", w.Total())
	}
	if q := segmentOf(t, w, probe.Queue); q.Duration != ms(40) || q.Source != probe.Estimated || q.Lo != ms(100.0/3) || !close(q.Hi, 160.0/3) {
		t.Errorf("queue %v %s in %v…%v: the weakest source counts", q.Duration, q.Source, q.Lo, q.Hi)
	}
	if w, ok := Near(.99, results); !ok || w.Total() != ms(63) {
		t.Errorf("p99 of three adds up to %v, want the maximum", w.Total())
	}
	if _, ok := Near(.5, nil); ok {
		t.Error("a waterfall of nothing")
	}
}

// With more than five probes but few near the rank, the five nearest count:
// the far tail doesn't.
func TestNearTakesAtLeastFive(t *testing.T) {
	for at, want := range map[int][2]int{0: {0, 5}, 1: {0, 5}, 9: {7, 12}, 18: {15, 20}, 19: {15, 20}} {
		if from, to := around(20, at, 0); from != want[0] || to != want[1] {
			t.Errorf("around %d are those from %d to %d", at, from, to)
		}
	}
}

// Where TTFTs come in two groups, the waterfall is that of one of them: half of
// these waited a second, and the median did not.
func TestNearOfTwoGroups(t *testing.T) {
	var results []*probe.Result
	for i := range 40 {
		wait := 0.0
		if i%2 == 0 {
			wait = 1000
		}
		results = append(results, probed(wait, 160+float64(i)/10, probe.Estimated))
	}
	for q, want := range map[float64]float64{.5: 0, .55: 1000} {
		w, ok := Near(q, results)
		if got := segmentOf(t, w, probe.Queue); !ok || got.Duration != ms(want) && !close(got.Duration, want) {
			t.Errorf("the queue of quantile %g is %v, want %g ms as in each probe near it", q, got.Duration, want)
		}
	}
}

func TestNearAndFailures(t *testing.T) {
	timeout := &probe.Result{Failure: &probe.Failure{Kind: probe.FailTimeout}}
	limited := &probe.Result{Failure: &probe.Failure{Kind: probe.FailRateLimit}}
	stepped := func() *probe.Result {
		r := probed(1, 1, probe.Reported)
		r.Flagged(probe.FlagClockStep)
		return r
	}
	results := []*probe.Result{probed(10, 20, probe.Reported), probed(40, 20, probe.Reported), timeout, limited, limited, stepped(), stepped(), stepped()}
	if w, ok := Near(.5, results); !ok || w.Total() != ms(61) {
		t.Errorf("p50 of 31, 61 and a timeout: %v", w.Total())
	}
	if w, ok := Near(.95, results); ok {
		t.Errorf("p95 falls on a timeout and has the waterfall %v", w)
	}
}

func TestNearOfUndivided(t *testing.T) {
	mostly := []*probe.Result{undividedProbe(38), undividedProbe(40), undividedProbe(42), probed(30, 10, probe.Reported)}
	w, ok := Near(.5, mostly)
	if !ok || w.Total() != ms(41) || len(w) != 6 {
		t.Fatalf("got %v", w)
	}
	if s := segmentOf(t, w, probe.Server); !close(s.Duration, 40) || s.Source != probe.Measured || s.Lo != 0 {
		t.Errorf("server %+v", s)
	}
	few := []*probe.Result{undividedProbe(39), probed(30, 10, probe.Reported), probed(35, 10, probe.Reported)}
	w, ok = Near(.5, few)
	if !ok || w.Total() != ms(41) || len(w) != 9 {
		t.Fatalf("got %v", w)
	}
}

func BenchmarkNear(b *testing.B) {
	var results []*probe.Result
	for i := range 600 {
		results = append(results, probed(float64(i%97), 20, probe.Reported))
	}
	b.ReportAllocs()
	for b.Loop() {
		if w, ok := Near(.95, results); !ok || w.Total() < time.Millisecond {
			b.Fatal("no waterfall")
		}
	}
}

// The probes that Near names are those that it takes the mean of.
func TestNearest(t *testing.T) {
	var mixed []*probe.Result
	for i := range 60 {
		r := probed(float64(i%7), 40+float64(i), probe.Reported)
		if i%5 == 0 {
			r = undividedProbe(40 + float64(i))
		}
		mixed = append(mixed, r)
	}
	for name, results := range map[string][]*probe.Result{
		"mostly cut": mixed, "mostly not": {undividedProbe(1), undividedProbe(2), probed(1, 2, probe.Reported)},
		"one": {probed(1, 2, probe.Reported)}, "none": nil, "failed": {{Failure: &probe.Failure{Kind: probe.FailTimeout}}},
	} {
		for _, q := range []float64{0, .5, .95, 1} {
			want, ok := Near(q, results)
			chosen, ttft := Nearest(q, results)
			if ok != (len(chosen) > 0) {
				t.Fatalf("%s at %v: %d probes, and Near is %v", name, q, len(chosen), ok)
			}
			if ok && (!slices.Equal(MeanOf(chosen, ttft), want) || want.Total() != ttft) {
				t.Errorf("%s at %v: %v, want %v", name, q, MeanOf(chosen, ttft), want)
			}
		}
	}
}
