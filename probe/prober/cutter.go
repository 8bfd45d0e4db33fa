package prober

import (
	"math"
	"slices"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/baseline"
	"ttftop/probe/cut"
	"ttftop/probe/reported"
	"ttftop/probe/stream"
)

// manyCached is the number of cached tokens from which a prompt that should
// have been unique is taken to have met a cache; a chat template is shorter.
const manyCached = 64

// cutter cuts the probes of one target, with what earlier ones have taught.
type cutter struct {
	ignore    bool
	server    reported.Server
	baselines map[baselineKey]*baseline.Fitter
	steps     map[string]probe.Mark // last decode step seen undisturbed, by model
}

// baselineKey is what a baseline is fitted for.
type baselineKey struct {
	model string
	cache probe.Cache
}

func newCutter(ignoreReported bool) cutter {
	return cutter{ignore: ignoreReported, baselines: map[baselineKey]*baseline.Fitter{}, steps: map[string]probe.Mark{}}
}

// cut reads what the server reports, teaches the baseline, and cuts the TTFT
// of a result that has one. scraped is what a metrics page says of it. alone says that nothing else of this program was
// in flight, climbed that the ladder has been up once, before which nothing is
// cut by the baseline. The sentence it returns tells that the server has changed; it is
// "" where it has not.
func (c *cutter) cut(r *probe.Result, o attempt.Outcome, scraped reported.Figures, alone, climbed bool) (changed string) {
	if o.Header != nil && r.Failure == nil {
		if server := reported.Identify(o.Header, nil); server != "" {
			c.server = server
		}
	}
	figures := reported.Read(o.Header, o.Answer.Raw).Or(scraped)
	c.report(r, figures, o.Answer.Cached)
	r.Server = string(c.server)
	if !r.TTFT().OK {
		return ""
	}
	step := c.step(r, alone)
	in := cut.Input{
		Timeline: r.Timeline, RTT: r.RTT, Figures: figures, IgnoreReported: c.ignore, Uncached: r.UncachedTokens(),
		Step: step, Headers: c.server.HeadersLeave(), Flags: r.Flags,
	}
	fitter := c.fitter(r.Knobs)
	if teaches(r, in) {
		fitter.Add(baseline.Point{At: r.At, Tokens: r.UncachedTokens(), Server: max(0, cut.Server(in)-in.Step.At), Loaded: !alone})
	}
	if curve, ok := fitter.Curve(); ok && climbed {
		in.Baseline = &curve
	}
	out := cut.Probe(in)
	r.Waterfall, r.Contention = out.Waterfall, out.Contention
	for _, f := range out.Flags {
		r.Flagged(f)
	}
	if out.AtLeast && !alone {
		r.Flagged(probe.FlagAtLeast)
	}
	changed, _ = fitter.Changed()
	return changed
}

// step is one decode step of the probe's stream, or the target's last known
// one. In a busy batch a step is longer than that of this stream alone: what
// other requests add to it is no first decode, so the steps seen undisturbed
// are the limit.
func (c *cutter) step(r *probe.Result, alone bool) probe.Mark {
	own, idle := cut.Step(r.Timeline), c.steps[r.Knobs.Model]
	switch {
	case !own.OK:
		return idle
	case alone || !idle.OK:
		c.steps[r.Knobs.Model] = own
		return own
	}
	return probe.At(min(own.At, idle.At))
}

// report notes what the server said of the request.
func (c *cutter) report(r *probe.Result, f reported.Figures, cached stream.Count) {
	r.Reported, r.Dialect = f.Raw, f.Dialect
	switch {
	case f.CachedTokens.OK:
		r.CachedTokens = f.CachedTokens.N
	case cached.OK:
		r.CachedTokens = cached.N
	}
	if r.Knobs.Cache == probe.Bust && r.CachedTokens > max(manyCached, r.PromptTokens/10) {
		r.Flagged(probe.FlagCached)
	}
	if len(f.Absurd) > 0 {
		r.Flagged(probe.FlagAbsurdReport)
	}
	if f.Loaded() {
		r.Flagged(probe.FlagModelLoad)
	}
}

// teaches reports whether a probe says something of the baseline: its server
// time is known, and nothing but the prompt and other requests is in it.
func teaches(r *probe.Result, in cut.Input) bool {
	if r.Failure != nil || r.Kind == probe.Warmup || r.PromptTokens <= 0 || !in.Step.OK {
		return false
	}
	return !slices.ContainsFunc(r.Flags, func(f probe.Flag) bool {
		switch f {
		case probe.FlagClockStep, probe.FlagModelLoad, probe.FlagBuffered, probe.FlagFromCache, probe.FlagHiddenReasoning, probe.FlagOtherModel:
			return true
		}
		return false
	})
}

// fitter is that of the model and cache mode.
func (c *cutter) fitter(k probe.Knobs) *baseline.Fitter {
	key := baselineKey{k.Model, k.Cache}
	if c.baselines[key] == nil {
		c.baselines[key] = &baseline.Fitter{}
	}
	return c.baselines[key]
}

// fit is the baseline of a model in a cache mode, in two figures.
func (c *cutter) fit(k probe.Knobs) probe.Fit {
	curve, ok := c.fitter(k).Curve()
	if !ok {
		return probe.Fit{}
	}
	var f probe.Fit
	f.Fixed.OK, f.Per1k.OK = true, true
	f.Fixed.At, f.FixedLo, f.FixedHi = curve.Fixed()
	f.Per1k.At, f.Per1kLo, f.Per1kHi = curve.Slope()
	f.Line = line(curve)
	f.Curve = &curve
	return f
}

// linePoints is how many points a baseline is told in: it bends little between
// them.
const linePoints = 17

// line is points of a curve at equal ratios of their lengths.
func line(curve baseline.Curve) []probe.LinePoint {
	short, long := curve.Span()
	short = max(short, 1)
	list := make([]probe.LinePoint, 0, linePoints)
	for i := range linePoints {
		n := int(math.Round(float64(short) * math.Pow(float64(long)/float64(short), float64(i)/(linePoints-1))))
		if len(list) == 0 || n > list[len(list)-1].Tokens {
			list = append(list, probe.LinePoint{Tokens: n, Cost: curve.Cost(n)})
		}
	}
	return list
}
