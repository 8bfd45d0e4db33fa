package prober

import (
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
	steps     map[string]probe.Mark // last known decode step, by model
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
// of a result that has one.
//
// alone says that nothing else of this program was in flight: other probes
// teach nothing once there is a baseline, since they wait for one another.
func (c *cutter) cut(r *probe.Result, o attempt.Outcome, alone bool) {
	if o.Header != nil && r.Failure == nil {
		if server := reported.Identify(o.Header, nil); server != "" {
			c.server = server
		}
	}
	figures := reported.Read(o.Header, o.Answer.Raw)
	c.report(r, figures, o.Answer.Cached)
	if !r.TTFT().OK {
		return
	}
	step := cut.Step(r.Timeline)
	if step.OK {
		c.steps[r.Knobs.Model] = step
	} else {
		step = c.steps[r.Knobs.Model]
	}
	in := cut.Input{
		Timeline: r.Timeline, RTT: r.RTT, Figures: figures, IgnoreReported: c.ignore, Uncached: r.UncachedTokens(),
		Step: step, Headers: c.server.HeadersLeave(), Flags: r.Flags,
	}
	if curve, ok := c.learn(r, in, alone); ok {
		in.Baseline = &curve
	}
	out := cut.Probe(in)
	r.Waterfall, r.Contention = out.Waterfall, out.Contention
	for _, f := range out.Flags {
		r.Flagged(f)
	}
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

// learn gives the probe to the baseline of its model and cache mode and
// returns the curve as it stands then.
func (c *cutter) learn(r *probe.Result, in cut.Input, alone bool) (baseline.Curve, bool) {
	key := baselineKey{r.Knobs.Model, r.Knobs.Cache}
	fitter := c.baselines[key]
	if fitter == nil {
		fitter = &baseline.Fitter{}
		c.baselines[key] = fitter
	}
	if _, known := fitter.Curve(); known && !alone {
		return fitter.Curve()
	}
	if r.Failure == nil && !r.Has(probe.FlagClockStep) && !r.Has(probe.FlagModelLoad) && r.Kind != probe.Warmup && r.PromptTokens > 0 {
		fitter.Add(baseline.Point{At: r.At, Tokens: r.UncachedTokens(), Server: max(0, cut.Server(in)-in.Step.At)})
	}
	return fitter.Curve()
}

// curve is the baseline of a model in a cache mode.
func (c *cutter) curve(model string, cache probe.Cache) (baseline.Curve, bool) {
	if f := c.baselines[baselineKey{model, cache}]; f != nil {
		return f.Curve()
	}
	return baseline.Curve{}, false
}
