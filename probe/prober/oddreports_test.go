package prober

import (
	"testing"
	"time"

	"ttftop/probe"
)

// holds reports whether a segment's interval, or its figure where it has none,
// holds the truth, in milliseconds, give or take the jitter of a fed probe.
func holds(r probe.Result, name probe.SegmentName, truth float64) bool {
	grant := r.TTFT().At / 40
	for _, s := range r.Waterfall {
		if s.Name != name {
			continue
		}
		lo, hi := s.Lo, s.Hi
		if s.Source != probe.Estimated {
			lo, hi = s.Duration, s.Duration
		}
		return msec(truth) >= lo-grant && msec(truth) <= hi+grant
	}
	return false
}

// Two replicas of different speed behind one name: every second request, or
// every third, is twice as dear on an idle server. Once that was seen a few
// times, the intervals hold the truth: what is above the cheaper one is at most
// a queue.
func TestRequestsOfTwoCosts(t *testing.T) {
	for _, every := range []int{2, 3} {
		dear := func(i int) bool { return i%every == 1 }
		prefill := func(i, n int) float64 {
			if dear(i) {
				return 2 * (3 + 0.1*float64(n))
			}
			return 3 + 0.1*float64(n)
		}
		f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
			return 5, 0, prefill(i, n), 3, ""
		})
		for f.i < 30 {
			f.probe(256)
		}
		atMost := 0
		for f.i < 80 {
			i := f.i
			r := f.probe(256)
			if !holds(r, probe.Handling, 5) || !holds(r, probe.Queue, 0) || !holds(r, probe.Prefill, prefill(i, 256)) {
				t.Errorf("every %d: probe %d, prefill %v: %v", every, i, prefill(i, 256), r.Waterfall)
			}
			if r.Has(probe.FlagAtMost) {
				atMost++
			}
			if r.Has(probe.FlagAtMost) && !dear(i) {
				t.Errorf("every %d: probe %d is a cheap one: %v", every, i, r.Flags)
			}
		}
		if atMost < 50/every {
			t.Errorf("every %d: the queue of %d probes is said to be at most this", every, atMost)
		}
	}
}

// Waits that scatter are a queue, however often they come.
func TestScatteredWaitsAreAQueue(t *testing.T) {
	wait := func(i int) float64 { return []float64{0, 4, 60, 0, 0, 25, 0, 100, 0, 0, 45}[i%11] }
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		return 5, wait(i), 3 + 0.1*float64(n), 3, ""
	})
	for f.i < 90 {
		i := f.i
		r := f.probe(256)
		for _, s := range r.Waterfall {
			if s.Name == probe.Queue && wait(i) >= 25 && s.Lo < msec(wait(i)/2) {
				t.Errorf("probe %d waited %v: queue %v in %v to %v", i, wait(i), s.Duration, s.Lo, s.Hi)
			}
		}
	}
}

// A server that reports every second request finds the others cut by what it
// says: handling that grows or not, a prefill too short to be told from it, and
// reports of one prompt length only.
func TestHalfOfItReported(t *testing.T) {
	for name, c := range map[string]struct {
		handling, prefill func(n int) float64
		reports           func(i int) bool
	}{
		"even ones":          {constantly(22), constantly(1), func(i int) bool { return i%2 == 0 }},
		"odd ones":           {constantly(22), constantly(1), func(i int) bool { return i%2 == 1 }},
		"one length":         {constantly(22), constantly(1), func(i int) bool { return i%2 == 1 && i > 8 }},
		"handling grows":     {func(n int) float64 { return 2 + 0.003*float64(n) }, constantly(1), func(i int) bool { return i%2 == 1 && i > 8 }},
		"prefill constant":   {constantly(2), constantly(21), func(i int) bool { return i%2 == 1 && i > 8 }},
		"rarely, one length": {constantly(2), constantly(21), func(i int) bool { return i%5 == 1 && i > 8 }},
	} {
		f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
			report := ""
			if c.reports(i) {
				report = timings(n, c.prefill(n)+3)
			}
			return c.handling(n), 0, c.prefill(n), 3, report
		})
		for f.i < 30 {
			f.probe(256)
		}
		for f.i < 60 {
			i := f.i
			r := f.probe(256)
			if off(r, probe.PrefillPart, c.prefill(256)) > 1 || off(r, probe.HandlingPart, c.handling(256)) > 1.5 || off(r, probe.QueuePart, 0) > 1.5 {
				t.Errorf("%s: probe %d, reported %v: %v", name, i, c.reports(i), r.Waterfall)
			}
			if !holds(r, probe.Handling, c.handling(256)) || !holds(r, probe.Queue, 0) || !holds(r, probe.Prefill, c.prefill(256)) {
				t.Errorf("%s: probe %d, reported %v: intervals %v", name, i, c.reports(i), r.Waterfall)
			}
		}
	}
}

func constantly(v float64) func(int) float64 { return func(int) float64 { return v } }

// A server becomes slower while probes overlap, so that none finds it idle: what
// they cost can't be told from a queue. After a while that is said, and the
// intervals hold the truth, until a probe is undisturbed again.
func TestASlowerServerAmidOverlappingProbes(t *testing.T) {
	times := 1.0
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		return 4 * times, 0, times * 0.1 * float64(n), 3, ""
	})
	for range 20 {
		f.probe(256)
	}
	f.overlap, times = true, 4
	for range overlapped {
		f.probe(256)
	}
	for range 20 {
		r := f.probe(256)
		if !r.Has(probe.FlagAtMost) || !holds(r, probe.Handling, 16) || !holds(r, probe.Queue, 0) || !holds(r, probe.Prefill, 102.4) {
			t.Errorf("probe %d: %v %v", f.i, r.Flags, r.Waterfall)
		}
	}
	f.overlap, times = false, 1
	if r := f.probe(256); r.Has(probe.FlagAtMost) {
		t.Errorf("an undisturbed probe is in doubt: %v", r.Flags)
	}
	f.overlap, times = true, 4
	if r := f.probe(256); r.Has(probe.FlagAtMost) {
		t.Errorf("the first that overlaps is in doubt: %v", r.Flags)
	}
}

// Load streams are asked for, and so is the fast model of a handoff: what they
// keep from being undisturbed is in no doubt for that.
func TestOverlapIsOfProbesAlone(t *testing.T) {
	for _, c := range []struct {
		r     probe.Result
		alone bool
		want  bool
	}{
		{probe.Result{}, false, true},
		{probe.Result{}, true, false},
		{probe.Result{Knobs: probe.Knobs{Pressure: 4}}, false, false},
		{probe.Result{Ack: &probe.Ack{}}, false, false},
	} {
		var o overlap
		for i := range 2 * overlapped {
			c.r.At = noon.Add(time.Duration(i) * time.Second)
			o.add(&c.r, c.alone)
		}
		if got := o.unseen(c.r.At); got != c.want {
			t.Errorf("%+v, alone %v: %v", c.r.Knobs, c.alone, got)
		}
	}
	quick := overlap{}
	for range 100 {
		quick.add(&probe.Result{At: noon}, false)
	}
	if quick.unseen(noon) {
		t.Error("many probes at once are no while")
	}
}
