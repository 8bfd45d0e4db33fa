package viewtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/probe/reported"
	"ttftop/probe/tally"
	"ttftop/views"
)

// texts are what endpoints, servers and people may send.
var texts = []string{
	"", "a", "prod", "模型-é🌍", "a\x1b[31mred\x1b[0m\x07", "line\nbreak\ttab\r", "\u202eevil\u2066", "👩‍💻👨‍👩‍👧 ❤️ 🇩🇪",
	"e\u0301\u0301\u0301\u0301\u0301", "\xff\xfe\x80 broken", "\x1b]0;title\x07after", "\u009b31mC1", "…→µ–×", "한글 ไทย עברית",
	"meta-llama/Llama-3.1-405B-Instruct-FP8", "HTTP 500: an error occurred while the server was at work on the request",
	string(make([]byte, 300)), "   ", "\u200b\u200d\ufeff", "ﷺ", "\U0001F3FD", "x\u0300",
}

// durations are ordinary and extreme lengths of time.
var durations = []time.Duration{
	0, 1, -1, time.Microsecond, 420 * time.Microsecond, 12 * time.Millisecond, 94200 * time.Microsecond,
	999950 * time.Microsecond, 3 * time.Second, time.Minute, 7 * time.Hour, math.MaxInt64, math.MinInt64,
}

// Random is a snapshot of n targets that may hold anything.
func Random(r *rand.Rand, n int) views.Snapshot {
	g := gen{r}
	s := views.Snapshot{
		Now: g.duration(), Simulated: g.coin(), Paused: g.coin(), Epoch: r.IntN(1000) - 1,
		Selected: r.IntN(n+3) - 1, Unlinked: g.coin(), Status: g.status(),
	}
	for range n {
		s.Targets = append(s.Targets, g.target(s.Now))
	}
	for i := range r.IntN(6) {
		s.Changes = append(s.Changes, views.Change{At: g.duration(), Epoch: i, Text: g.text(), Note: g.coin()})
	}
	for range r.IntN(3) {
		l := views.Limit{SLO: probe.SLO{Metric: probe.TTFTMetric, Quantile: r.Float64(), Limit: g.duration()}}
		for range r.IntN(n + 1) {
			l.Shares = append(l.Shares, views.Share{N: r.IntN(50), Of: r.IntN(50)})
		}
		s.Limits = append(s.Limits, l)
		s.Standings = append(s.Standings, views.Standing{SLO: l.SLO, Met: []views.Met{views.MetNo, views.MetUnknown, views.MetYes}[r.IntN(3):]})
	}
	for range r.IntN(9) {
		s.Knobs = append(s.Knobs, views.Knob{Key: g.text(), Turns: g.text(), Name: g.text(), Value: g.text(), Selected: g.coin(), Note: g.text(), Others: []string{"", "(B 1,024)", "(B 1,024, 世界 500 ms)"}[len(s.Knobs)%3]})
	}
	if g.coin() {
		s.Effect = &views.Effect{Text: g.text(), Turned: g.r.IntN(5), Last: g.text()}
		for range n {
			s.Effect.Targets = append(s.Effect.Targets, views.TargetEffect{Target: g.text(), Before: g.figures(), After: g.figures(),
				Shift: g.shift(), Still: g.coin()})
		}
	}
	if r.IntN(4) == 0 {
		s.Dialog = g.dialog()
	}
	s.Intervals, s.Truth, s.IgnoreReported = g.coin(), g.coin(), g.coin()
	if g.coin() {
		s.Versus = g.versus()
	}
	if r.IntN(3) == 0 {
		s.WhatIf = g.whatIf()
	}
	if r.IntN(3) == 0 {
		s.Inspect = &views.Inspect{Segment: g.segment(), Explain: g.coin()}
	}
	s.View, s.Start = views.View(r.IntN(views.NViews)), Start
	if s.View == views.Probes || g.coin() {
		s.Probes = g.probes(n)
	}
	if g.coin() {
		s.Levers = g.levers()
	}
	if r.IntN(4) == 0 {
		s.Status.Behind = g.text()
	}
	if r.IntN(4) == 0 {
		s.Tour = &views.Tour{Step: r.IntN(9), Steps: r.IntN(9), Name: g.text(), Remark: g.text(), Text: g.text(), Told: g.coin(), Share: g.coin(), Part: g.segment().Part()}
	}
	if r.IntN(8) == 0 {
		s.Page = &views.Page{Title: g.text(), Lines: g.list(), From: r.IntN(40) - 9, Keys: []views.KeyHelp{{Key: g.text(), Does: g.text()}}}
	}
	return s
}

func (g gen) probes(targets int) *views.ProbeList {
	p := &views.ProbeList{
		Now:   g.duration(),
		Total: g.r.IntN(2000), Selected: g.r.IntN(70) - 5, Sort: views.ProbeColumn(g.r.IntN(int(views.NProbeColumns)+2) - 1), Ascending: g.coin(),
		Filter: g.text(), Typing: g.coin(), Scroll: g.r.IntN(100) - 20, FlagText: g.list(),
	}
	for range g.r.IntN(60) {
		p.Rows = append(p.Rows, g.result(targets))
	}
	if g.coin() {
		p.Open = g.result(targets)
	}
	return p
}

func (g gen) result(targets int) *probe.Result {
	r := &probe.Result{
		Seq: g.r.IntN(1 << 30), At: Start.Add(g.duration()), Target: g.r.IntN(targets+3) - 1, Kind: probe.Kind(g.text()), Epoch: g.r.IntN(9),
		Address: g.text(), Reused: g.coin(), Clock: probe.ClockKind(g.text()), Proxy: g.text(), Names: g.list(), Protocol: g.text(), TLS: g.text(),
		Status: g.r.IntN(600), RequestID: g.text(), Model: g.text(), Headers: map[string]string{g.text(): g.text(), "server": g.text()},
		Waterfall: g.waterfall(), PromptTokens: g.r.IntN(1 << 20), CachedTokens: g.r.IntN(9), CachedTold: g.coin(), OutputTokens: g.r.IntN(99), Text: g.text(),
		FinishReason: g.text(), RTT: g.mark(), Lag: g.duration(), ReadDelay: g.duration(), Contention: g.mark(),
		Reported: map[string]any{g.text(): g.text(), "x": g.r.Float64()}, Dialect: g.text(), Flags: []probe.Flag{probe.Flag(g.text())},
	}
	r.Knobs.Model = g.text()
	r.Timeline = probe.Timeline{Sent: g.mark(), Headers: g.mark(), FirstToken: g.mark(), LastToken: g.mark(), Done: g.mark()}
	for range g.r.IntN(9) {
		r.Timeline.Tokens = append(r.Timeline.Tokens, probe.Arrival{At: g.duration(), Read: g.r.IntN(5)})
	}
	if g.r.IntN(3) == 0 {
		r.Failure = &probe.Failure{Kind: probe.FailureKind(g.text()), Phase: probe.Phase(g.text()), Message: g.text(), Status: g.r.IntN(600)}
	}
	return r
}

// gen draws values.
type gen struct{ r *rand.Rand }

func (g gen) coin() bool { return g.r.IntN(2) == 0 }

func (g gen) text() string {
	t := texts[g.r.IntN(len(texts))]
	if g.r.IntN(5) == 0 {
		t += " " + texts[g.r.IntN(len(texts))]
	}
	return t
}

func (g gen) list() (l []string) {
	for range g.r.IntN(5) {
		l = append(l, g.text())
	}
	return l
}

// duration is one of the list, or near a second.
func (g gen) duration() time.Duration {
	if g.coin() {
		return time.Duration(g.r.Int64N(int64(2 * time.Minute)))
	}
	return durations[g.r.IntN(len(durations))]
}

func (g gen) mark() probe.Mark { return probe.Mark{At: g.duration(), OK: g.coin()} }

var segments = []probe.SegmentName{probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT, probe.Handling,
	probe.Queue, probe.Prefill, probe.FirstDecode, probe.Server, "unheard-of"}

func (g gen) segment() probe.SegmentName { return segments[g.r.IntN(len(segments))] }

func (g gen) waterfall() probe.Waterfall {
	var w probe.Waterfall
	for _, n := range segments {
		if g.coin() {
			w = append(w, probe.Segment{Name: n, Duration: g.duration(), Lo: g.duration(), Hi: g.duration(),
				Source: []probe.Source{probe.Measured, probe.Reported, probe.Estimated, ""}[g.r.IntN(4)]})
		}
	}
	return w
}

func (g gen) estimate() quantile.Estimate {
	return quantile.Estimate{At: g.duration(), OK: g.coin(), Censored: g.coin(), Max: g.coin(), N: g.r.IntN(200)}
}

func (g gen) figures() views.Figures {
	return views.Figures{
		Probes: g.r.IntN(100_000), Failed: g.r.IntN(50), Beside: g.r.IntN(5),
		P50: g.estimate(), P95: g.estimate(), P99: g.estimate(), Max: g.mark(), Per1k: g.mark(), Fixed: g.mark(),
		Slope: g.mark(), ITL: g.mark(), TPOT: g.mark(), Total: g.mark(), Answer: g.mark(), Limit: g.duration(),
		TokensPerSec: []float64{0, -1, 41.2, 1e300, math.NaN(), math.Inf(1), math.Inf(-1)}[g.r.IntN(7)],
		PromptTokens: g.r.IntN(1 << 20), PromptExact: g.coin(), TokensExact: g.coin(),
	}
}

func (g gen) shift() tally.Shift {
	change := func() tally.Change {
		return tally.Change{At: g.duration(), Lo: g.duration(), Hi: g.duration(), OK: g.coin()}
	}
	s := tally.Shift{P50: change(), P95: change()}
	for _, p := range []probe.Part{probe.NetworkPart, probe.QueuePart, probe.ServerPart, "unheard-of"} {
		if g.coin() {
			s.Parts = append(s.Parts, tally.PartChange{Part: p, Change: change()})
		}
	}
	return s
}

func (g gen) target(now time.Duration) views.Target {
	t := views.Target{
		Name: g.text(), Region: g.text(), Model: g.text(), URL: g.text(), Insecure: g.r.IntN(5) == 0,
		P50: g.waterfall(), P50Probes: g.r.IntN(50) - 1, Figures: g.figures(), Address: g.text(),
		Clock:     []probe.ClockKind{"", probe.KernelClock, probe.UserClock}[g.r.IntN(3)],
		LoadAsked: g.r.IntN(513), Load: g.r.IntN(513), Ladder: views.Progress{Done: g.r.IntN(9), Total: g.r.IntN(9)},
		FlagText: g.list(), FlagBrief: g.list(), Dialect: g.text(),
	}
	if g.coin() {
		t.Engine = &probe.EngineState{Running: g.r.IntN(1<<31) - 1, Waiting: g.r.IntN(600) - 1, CacheUse: 1.5*g.r.Float64() - 0.5}
	}
	if g.coin() {
		t.Live = &views.Live{Seq: g.r.IntN(1 << 30), Kind: probe.Sentinel, Waterfall: g.waterfall(), Elapsed: g.duration(), TTFT: g.mark()}
	}
	if g.coin() {
		t.Last = &views.Settled{Seq: g.r.IntN(1 << 30), Kind: probe.Ordinary, Waterfall: g.waterfall(), TTFT: g.duration(), PromptTokens: g.r.IntN(1 << 20),
			CachedTokens: g.r.IntN(1<<20) - 9, CachedTold: g.coin(), UncachedGuess: g.coin(), Marks: views.Marks{Headers: g.mark(), FirstEvent: g.mark(), FirstReasoning: g.mark(), FirstAnswer: g.mark(), Ack: g.mark()},
			Contention: g.mark(), Truth: g.waterfall(), Known: g.known()}
	}
	if g.r.IntN(3) == 0 {
		g.handOff(&t)
	}
	if g.r.IntN(4) == 0 {
		t.Held, t.HeldFor = g.text(), g.duration()
	}
	if g.r.IntN(4) == 0 {
		t.Failure = g.text()
	}
	if g.r.IntN(4) == 0 {
		t.LoadError = g.text()
	}
	t.P50Truth, t.P50Least, t.P50Most = g.waterfall(), g.coin(), g.coin()
	t.Fit = probe.Fit{Fixed: g.mark(), Per1k: g.mark(), FixedLo: g.duration(), FixedHi: g.duration(), Per1kLo: g.duration(), Per1kHi: g.duration()}
	t.Diagnosis = views.Diagnosis{Part: []probe.Part{"", probe.QueuePart, "unheard-of"}[g.r.IntN(3)], Share: g.r.Float64(),
		What: g.text(), Cure: g.text(), Note: g.text(), BriefWhat: g.text(), BriefCure: g.text()}
	t.Points = g.points(now)
	for range g.r.IntN(60) {
		t.Ranked = append(t.Ranked, g.duration())
		t.Costs = append(t.Costs, views.Cost{Tokens: []int{0, -1, 1, 16, 1 << 20, math.MaxInt}[g.r.IntN(6)], TTFT: g.duration(), Outside: g.duration(), Epoch: g.r.IntN(3)})
	}
	slices.Sort(t.Ranked)
	t.Epoch, t.Censored = len(t.Ranked)%3, g.r.IntN(5)
	for i := range g.r.IntN(9) {
		t.Fit.Line = append(t.Fit.Line, probe.LinePoint{Tokens: 16 << (2 * i), Cost: g.duration()})
	}
	return t
}

func (g gen) known() views.Known {
	flags := []probe.Flag{probe.FlagAtLeast, probe.FlagAtMost, probe.FlagModelLoad, probe.FlagProxyOnly, probe.FlagReportMismatch, "unheard-of"}
	return views.Known{
		Dialect: g.text(), Leave: reported.Leave(g.r.IntN(5)), Clock: probe.UserClock, RTT: g.coin(), Reused: g.coin(),
		Proxy: g.text(), Link: g.text(), Flags: flags[:g.r.IntN(len(flags)+1)],
	}
}

// points end near now, in order of time.
func (g gen) points(now time.Duration) (list []views.Point) {
	at := max(now, time.Minute) - time.Minute
	for range g.r.IntN(80) {
		at += time.Duration(g.r.Int64N(int64(2 * time.Second)))
		list = append(list, views.Point{At: at, TTFT: g.duration(), Failed: g.r.IntN(6) == 0, Epoch: g.r.IntN(3)})
	}
	return list
}

func (g gen) status() views.Status {
	return views.Status{
		Probes: g.r.IntN(1 << 30), Failed: g.r.IntN(9), Sent: g.r.Int64(), Received: g.r.Int64N(1 << 40),
		Budget: g.r.Int64N(1<<20) - 5, PerMinute: g.r.Int64N(1 << 30), Record: g.text(), RecordError: g.text(),
		Lag: g.duration(), ReadDelay: g.duration(), Dropped: g.r.IntN(3), Rate: g.kept(), Pressure: g.kept(),
		Notices: g.list(), Keys: []views.KeyHelp{{Key: g.text(), Does: g.text()}, {Key: "q", Does: "quit"}},
	}
}

func (g gen) kept() tally.Kept {
	if g.coin() {
		return tally.Kept{}
	}
	return tally.Kept{Asked: g.r.Float64() * 1000, Achieved: g.r.Float64() * 1000}
}

func (g gen) dialog() *views.Dialog {
	return &views.Dialog{
		Title: g.text(), Lines: g.list(), Width: g.r.IntN(120) - 9, Entry: g.coin(), Text: g.text(), Choices: g.list(), Chosen: g.r.IntN(8) - 2,
		Error: g.text(), Keys: []views.KeyHelp{{Key: "y", Does: g.text()}, {Key: g.text(), Does: "no"}},
	}
}
