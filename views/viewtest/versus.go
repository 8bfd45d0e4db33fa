package viewtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/views"
)

// Contests are comparisons that a person meets.
func Contests() []Scene {
	return []Scene{
		{"settled", contest(84, -38, 0, 0)},
		{"open", contest(23, -9, 0, 0)},
		{"first", contest(1, -38, 0, 0)},
		{"none", contest(0, 0, 0, 0)},
		{"failing", contest(60, 20, 5, 9)},
		{"unreliable", contest(300, 1, 0, 5)},
		{"doubtful", doubtful()},
		{"alone", alone()},
	}
}

// alone is one target, with which nothing is compared.
func alone() views.Snapshot {
	s := in(views.Compare, Demo())
	s.Targets = s.Targets[:1]
	return s
}

// doubtful is a comparison of what can hardly be compared, of which no more pairs
// are sent.
func doubtful() views.Snapshot {
	s := contest(40, -3, 0, 7)
	v := *s.Versus
	v.Pairs.On, v.Pairs.Order, v.Since = false, probe.BackToBack, "prompt 256 → 1,024"
	v.Verdict.Warnings = append([]string{
		"the clocks differ: arrivals at us-east are stamped by the kernel, those at eu-west by the clock after the read",
		"prefill is reported at us-east and estimated at eu-west", "one side is cached: 0 of 40 prompts at us-east, 31 of 34 at eu-west",
	}, v.Verdict.Warnings...)
	s.Versus = &v
	return s
}

// contest is a comparison of so many pairs in which B takes shift milliseconds
// more over the network; every failA-th of A and every failB-th of B fails.
func contest(pairs int, shift float64, failA, failB int) views.Snapshot {
	r := rand.New(rand.NewPCG(7, uint64(pairs)))
	x := ab.New(ab.Config{A: "us-east", B: "eu-west", Margin: ab.DefaultMargin, Confidence: ab.DefaultConfidence})
	side := func(n int, network float64, fails int) *probe.Result {
		if fails > 0 && n%fails == 0 {
			return &probe.Result{Knobs: probe.Knobs{Model: "m"}, Failure: &probe.Failure{Kind: probe.FailTimeout, Message: "no headers in 30 s"}}
		}
		w := cut(network+2*r.NormFloat64(), 4, 12*r.ExpFloat64(), 180+9*r.NormFloat64(), 14)
		return &probe.Result{
			Knobs: probe.Knobs{Model: "m"}, Clock: probe.KernelClock, PromptTokens: 1024, Waterfall: w,
			Timeline: probe.Timeline{FirstToken: probe.At(w.Total())},
		}
	}
	for n := 1; n <= pairs; n++ {
		level := 20 * math.Sin(float64(n)/15) // drift hits both
		x.Add(side(n, 90+level, failA), side(n, 90+level+shift, failB))
	}
	s := in(views.Compare, Demo())
	s.Versus = &views.Versus{Verdict: x.Verdict(), Pairs: probe.Pairs{On: true, A: 0, B: 1, Order: probe.Together}, Sides: [2]int{0, 1}, TTFT: [2][]time.Duration{x.TTFTs(0), x.TTFTs(1)}, History: x.History()}
	return s
}

// versus is a comparison that may hold anything.
func (g gen) versus() *views.Versus {
	mark := func() probe.Mark { return probe.Mark{At: g.duration(), OK: g.coin()} }
	span := func() ab.Span { return ab.Span{Estimate: mark(), Lo: mark(), Hi: mark(), Max: g.coin()} }
	ratio := func() float64 {
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e300, g.r.NormFloat64()}[g.r.IntN(7)]
	}
	v := &views.Versus{
		Sides: [2]int{g.r.IntN(9) - 1, g.r.IntN(9)}, Since: g.text(), Full: g.coin(),
		Pairs: probe.Pairs{On: g.coin(), Order: probe.Order(g.text())},
	}
	v.Verdict = ab.Verdict{
		Config: ab.Config{A: g.text(), B: g.text(), Margin: g.r.Float64(), Confidence: g.r.Float64()}, Pairs: g.r.IntN(1e6) - 5, More: g.r.IntN(1e6),
		Outcome: []ab.Outcome{ab.AFaster, ab.BFaster, ab.Same, ab.AFailsMore, ab.BFailsMore, ab.Undecided, ""}[g.r.IntN(7)],
		Diff:    span(), P95: span(), Server: span(), Ratio: ab.Ratio{Estimate: ratio(), Lo: ratio(), Hi: ratio()}, Warnings: g.list(),
	}
	for i := range v.Verdict.Sides {
		v.Verdict.Sides[i] = ab.SideFigures{Name: g.text(), P50: span(), P95: span(), P99: span(), Probes: g.r.IntN(99), Failed: g.r.IntN(99), Refused: g.r.IntN(99), RefusedWith: g.text(), Silent: g.text()}
		for range g.r.IntN(200) {
			v.TTFT[i] = append(v.TTFT[i], g.duration())
		}
		slices.Sort(v.TTFT[i])
	}
	for range g.r.IntN(7) {
		v.Verdict.Parts = append(v.Verdict.Parts, ab.PartSpan{Part: probe.Parts[g.r.IntN(len(probe.Parts))], Source: probe.Source(g.text()), Span: span()})
	}
	for n := range g.r.IntN(200) {
		v.History = append(v.History, ab.Moment{Number: n + 1, Diff: mark(), Lo: mark(), Hi: mark(), Failed: ab.Side(g.r.IntN(4))})
	}
	return v
}
