package ab

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// guessed is a result whose handling and queue are estimated: handling is off by a
// fault of the baseline, which knows its own to within ± slack, and queue makes up
// for it. All in milliseconds.
func guessed(network, server, fault, slack float64) *probe.Result {
	r := result(network + server)
	d := func(ms float64) time.Duration { return time.Duration(ms * 1e6) }
	handling, queue := server/2+fault, server/2-fault
	r.Waterfall = probe.Waterfall{
		{Name: probe.RTT, Duration: d(network), Source: probe.Measured},
		{Name: probe.Handling, Duration: d(handling), Source: probe.Estimated, Lo: d(handling - slack), Hi: d(handling + slack)},
		{Name: probe.Queue, Duration: d(queue), Source: probe.Estimated, Lo: d(queue - slack), Hi: d(queue + slack)},
	}
	return r
}

func partOf(t *testing.T, v Verdict, p probe.Part) PartSpan {
	t.Helper()
	for _, x := range v.Parts {
		if x.Part == p {
			return x
		}
	}
	t.Fatalf("no %s among %+v", p, v.Parts)
	return PartSpan{}
}

// Two servers that are alike, of which one has a baseline that is off: no number of
// pairs shows a difference of a part that the baseline is not sure of.
func TestBaselinesThatDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := New(usual())
	for range 400 {
		x.Add(guessed(5, 50+r.NormFloat64(), 0, 4), guessed(5, 50+r.NormFloat64(), 3, 4))
	}
	v := x.Verdict()
	for _, part := range []probe.Part{probe.HandlingPart, probe.QueuePart} {
		if p := partOf(t, v, part); p.sign() != 0 || p.Source != probe.Estimated {
			t.Errorf("%s %s: a fault of the baseline passes for a difference", part, p.Difference())
		}
	}
	handling := v.Sides[1].Parts[1]
	if handling.Part != probe.HandlingPart || handling.Lo.At > 25*time.Millisecond || handling.Hi.At < 31*time.Millisecond {
		t.Errorf("handling of B %s: narrower than the baseline knows it", handling.Level())
	}
	if v.Outcome != Same || v.Why() != "" {
		t.Errorf("%s, %q: the same has no cause", v.Outcome, v.Why())
	}
	if n := partOf(t, v, probe.NetworkPart); n.Source != probe.Measured || n.Difference() != "0m (0 … 0)" {
		t.Errorf("network %s", n.Difference())
	}
}

func TestWhyOfEstimates(t *testing.T) {
	for _, c := range []struct {
		name string
		b    func(spread float64) *probe.Result
		want string
	}{
		{"the server's time, which is measured", func(s float64) *probe.Result { return guessed(5, 60+s, 0, 20) }, "why: its server is faster: server −20 ms"},
		{"an estimate that is sure", func(s float64) *probe.Result { return guessed(5, 60+s, -8, 2) }, "why: its server is faster: server −20, handling about −18 ms"},
		{"one that another makes up for", func(s float64) *probe.Result { return guessed(5, 60+s, 25, 2) }, "why: its server is faster: server −20 ms"},
		{"a hair of network", func(s float64) *probe.Result { return guessed(4.99, 60+s, 0, 20) }, "why: its server is faster: server −20 ms"},
		{"less network than anybody cares for", func(s float64) *probe.Result { return guessed(4.2, 77+s, 0, 20) }, "why: its server is faster: network −0.80, server −3.0 ms"},
	} {
		x := New(Config{A: "a", B: "b", Confidence: 0.95})
		for i := range 40 {
			s := 0.01 * float64(i%5-2)
			x.Add(guessed(5, 80-s, 0, 2), c.b(s))
		}
		if got := x.Verdict().Why(); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// An estimate that comes without an interval may be anything.
func TestEstimateWithoutInterval(t *testing.T) {
	w := guessed(5, 50, 0, 0).Waterfall
	w[1].Lo, w[1].Hi = 0, 0
	if p := pieceOf(w, probe.HandlingPart); p.least != 0 || p.most != 50e6 {
		t.Errorf("%+v", p)
	}
}

// Which side is called A is no matter for how far apart they are.
func TestMedianIsSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 40; n++ {
		x, y := New(usual()), New(usual())
		for range n {
			a, b := cut(10*r.ExpFloat64(), 20, 30), cut(10*r.ExpFloat64(), 20, 33)
			x.Add(a, b)
			y.Add(b, a)
		}
		v, w := x.Verdict(), y.Verdict()
		if v.Diff.Estimate.At != -w.Diff.Estimate.At || v.Parts[0].Estimate.At != -w.Parts[0].Estimate.At {
			t.Errorf("of %d pairs: %v and %v", n, v.Diff.Estimate, w.Diff.Estimate)
		}
		if product := (1 + v.Ratio.Estimate) * (1 + w.Ratio.Estimate); product < 0.999999 || product > 1.000001 {
			t.Errorf("of %d pairs: %v and %v are not inverse", n, v.Ratio.Estimate, w.Ratio.Estimate)
		}
	}
	x := New(usual())
	x.Add(result(100), result(90))
	x.Add(result(100), result(104))
	if d := x.Verdict().Diff.Estimate.At; d != -3*time.Millisecond {
		t.Errorf("the median of −10 and +4 is %v", d)
	}
}

// The table marks what is estimated, says of what a difference is taken, and shows
// a maximum as one.
func TestTableMarks(t *testing.T) {
	x := New(usual())
	for range 12 {
		x.Add(guessed(5, 50, 0, 4), guessed(7, 60, 0, 4))
	}
	v := x.Verdict()
	var text strings.Builder
	for _, row := range v.Table() {
		text.WriteString(strings.Join(row, " | ") + "\n")
	}
	for _, want := range []string{
		"ms | A us-east | B eu-west | B − A, median of pairs\n", "TTFT p95 | max 55 (≥ 55) | max 67 (≥ 67) | –\n",
		"network p50 | 5.0m (5.0 … 5.0) | 7.0m (7.0 … 7.0) | +2.0m (+2.0 … +2.0)\n", "handling p50 | 25e (21 … 29) | 30e (26 … 34) | +5.0e (−3.0 … +13.0)\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	line := v.Record(time.Now())
	if line.P95.Estimate != nil || !line.Sides[0].P95.Max || line.BySegment["handling"].Source != probe.Estimated || line.BySegment["network"].Source != probe.Measured {
		t.Errorf("%+v", line)
	}
}
