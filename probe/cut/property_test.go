package cut

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/quick"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/quantile"
	"ttftop/probe/reported"
)

// randomInput draws anything: marks in and out of order, figures that fit or
// not, negative ones, all rules, with and without a baseline.
func randomInput(r *rand.Rand) Input {
	span := int64(1) << (10 + r.IntN(28)) // µs to minutes
	any := func() probe.Mark {
		switch r.IntN(12) {
		case 0, 1, 2:
			return probe.Mark{}
		case 3:
			return probe.At(0)
		case 4:
			return probe.At(-time.Duration(r.Int64N(span)))
		}
		return probe.At(time.Duration(r.Int64N(span)))
	}
	in := Input{RTT: any(), Step: any(), Uncached: r.IntN(9000) - 100, IgnoreReported: r.IntN(5) == 0, Headers: HeadersRule(r.IntN(4))}
	t := &in.Timeline
	for _, m := range []*probe.Mark{&t.DNSStart, &t.DNSDone, &t.ConnectStart, &t.ConnectDone, &t.TLSStart, &t.TLSDone, &t.GotConn, &t.Written, &t.Sent, &t.FirstByte, &t.Headers} {
		*m = any()
	}
	if r.IntN(2) == 0 { // the usual order
		inOrder(t)
	}
	t.FirstToken = probe.At(time.Duration(r.Int64N(2 * span)))
	at := t.FirstToken.At
	for i := range r.IntN(12) {
		t.Tokens = append(t.Tokens, probe.Arrival{At: at, Read: i / (1 + r.IntN(2))})
		at += time.Duration(r.Int64N(1 + span/8))
	}
	if r.IntN(2) == 0 {
		in.Step = Step(*t)
	}
	f := &in.Figures
	for _, m := range []*probe.Mark{&f.Handling, &f.Queue, &f.Prefill, &f.WholeTTFT, &f.ModelLoad, &f.Step} {
		*m = any()
	}
	if r.IntN(3) == 0 {
		*f = reported.Figures{}
	}
	f.FirstDecodeInPrefill = reported.Contains(r.IntN(3))
	f.QueueHasHandling, f.QueueFromHeaders, f.HandlingFromHeaders = r.IntN(2) == 0, r.IntN(3) == 0, r.IntN(3) == 0
	if r.IntN(4) > 0 {
		c := curves[r.IntN(len(curves))]
		in.Baseline = &c
	}
	if r.IntN(2) == 0 {
		in.OwnPrefill = ownOf(curves[r.IntN(len(curves))], in.Uncached)
	}
	if r.IntN(2) == 0 {
		v := time.Duration(r.Int64N(span))
		in.BeforeHeaders = &Usual{Usual: v, Lo: v - time.Duration(r.Int64N(1+int64(v))), Hi: v + time.Duration(r.Int64N(span))}
	}
	in.Alone, in.Doubt = r.IntN(2) == 0, Doubt(r.IntN(3))
	if r.IntN(10) == 0 {
		in.Flags = append(in.Flags, undivided[r.IntN(len(undivided))])
	}
	return in
}

var curves = func() (c []baseline.Curve) {
	for _, p := range [][2]float64{{0, 0}, {20, 41}, {.2, .5}, {900, 0}, {0, 700}} {
		c = append(c, curve(p[0], p[1], false), curve(p[0], p[1], true))
	}
	return c
}()

func inOrder(t *probe.Timeline) {
	marks := []*probe.Mark{&t.DNSStart, &t.DNSDone, &t.ConnectStart, &t.ConnectDone, &t.TLSStart, &t.TLSDone, &t.GotConn, &t.Written, &t.Sent, &t.FirstByte, &t.Headers}
	last := time.Duration(0)
	for _, m := range marks {
		if m.OK {
			m.At = max(m.At, last)
			last = m.At
		}
	}
}

func valid(t *testing.T, w probe.Waterfall, total time.Duration) bool {
	ok := true
	fail := func(format string, args ...any) { t.Errorf(format, args...); ok = false }
	if w.Total() != total {
		fail("adds up to %v, want %v", w.Total(), total)
	}
	names := make([]probe.SegmentName, len(w))
	for i, s := range w {
		names[i] = s.Name
		switch {
		case s.Duration < 0:
			fail("%s is negative: %v", s.Name, s.Duration)
		case s.Source == probe.Estimated && (s.Lo < 0 || s.Lo > s.Duration || s.Hi < s.Duration || s.Hi > max(total, s.Duration)):
			fail("%s = %v does not lie in %v…%v", s.Name, s.Duration, s.Lo, s.Hi)
		case s.Source != probe.Estimated && (s.Lo != 0 || s.Hi != 0):
			fail("%s is %s and has an interval", s.Name, s.Source)
		case s.Source != probe.Estimated && s.Source != probe.Reported && s.Source != probe.Measured:
			fail("%s has the source %q", s.Name, s.Source)
		}
	}
	if !slices.Equal(names, dividedNames) && !slices.Equal(names, wholeNames) {
		fail("segments %v", names)
	}
	return ok
}

func TestAnyCutAddsUp(t *testing.T) {
	cuts, wholes, mismatches := 0, 0, 0
	check := func(seed uint64) bool {
		in := randomInput(rand.New(rand.NewPCG(seed, 3)))
		out := Probe(in)
		if out.Contention.OK && out.Contention.At < 0 {
			t.Errorf("negative contention %v", out.Contention.At)
			return false
		}
		if out.Contention.At > out.Waterfall.Of(probe.QueuePart) {
			t.Errorf("contention %v in a queue of %v", out.Contention.At, out.Waterfall.Of(probe.QueuePart))
			return false
		}
		if s := Server(in); s < 0 || s > in.Timeline.FirstToken.At {
			t.Errorf("server time %v of %v", s, in.Timeline.FirstToken.At)
			return false
		}
		if isWhole(out.Waterfall) {
			wholes++
			if out.AtLeast || out.Contention.OK {
				t.Error("an undivided server time knows of queue")
				return false
			}
		} else {
			cuts++
		}
		if len(in.Flags) > 0 && !isWhole(out.Waterfall) {
			t.Errorf("%v is cut", in.Flags)
			return false
		}
		if slices.Contains(out.Flags, probe.FlagReportMismatch) {
			mismatches++
		}
		if in.IgnoreReported {
			for _, s := range out.Waterfall {
				if s.Source == probe.Reported {
					t.Error("a report was used that should be ignored")
					return false
				}
			}
		}
		return valid(t, out.Waterfall, in.Timeline.FirstToken.At)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 20000}); err != nil {
		t.Error(err)
	}
	if cuts < 1000 || wholes < 1000 || mismatches < 500 {
		t.Errorf("%d cut, %d whole, %d mismatches: the inputs don't reach everything", cuts, wholes, mismatches)
	}
}

func TestAnyLiveAddsUp(t *testing.T) {
	check := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 4))
		in := randomInput(r)
		if r.IntN(3) > 0 {
			in.Timeline.FirstToken = probe.Mark{}
		}
		now := time.Duration(r.Int64N(int64(time.Minute)))
		want := now
		if ft := in.Timeline.FirstToken; ft.OK {
			want = min(now, ft.At)
		}
		return valid(t, Live(in.Timeline, now, in.RTT), want)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func TestAnyNearAddsUp(t *testing.T) {
	made := 0
	check := func(seed uint64, size uint8, percent uint8) bool {
		r := rand.New(rand.NewPCG(seed, 5))
		var results []*probe.Result
		for range size {
			results = append(results, randomResult(r))
		}
		q := float64(percent%101) / 100
		w, ok := Near(q, results)
		if !ok {
			return w == nil
		}
		made++
		ranked, censored := rank(results)
		return valid(t, w, ranked[quantile.Rank(q, len(ranked)+censored)].TTFT().At)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 1000}); err != nil {
		t.Error(err)
	}
	if made < 300 {
		t.Errorf("only %d waterfalls were made", made)
	}
}

func randomResult(r *rand.Rand) *probe.Result {
	in := randomInput(r)
	res := &probe.Result{Timeline: in.Timeline, Waterfall: Probe(in).Waterfall}
	switch r.IntN(12) {
	case 0:
		res.Failure = &probe.Failure{Kind: probe.FailTimeout}
	case 1:
		res.Failure = &probe.Failure{Kind: probe.FailRateLimit}
	case 2:
		res.Flagged(probe.FlagClockStep)
	}
	return res
}
