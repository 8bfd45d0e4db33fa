package prober

import (
	"cmp"
	"slices"
	"time"

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

// fewestTokens is the number of token events from which a stream shows its step
// whatever one of its gaps is.
const fewestTokens = 4

// cutter cuts the probes of one target, with what earlier ones have taught.
type cutter struct {
	ignore    bool
	server    reported.Server
	baselines map[baselineKey]*baseline.Fitter
	prefills  map[baselineKey]*ownPrefill // prefill as the server itself reports it
	credits   map[string]*credit          // of these reports, by model
	overlaps  map[baselineKey]*overlap
	steps     map[string]*knownSteps // by model
	watches   map[string]*stepWatch  // and what the steps tell of the server
	headers   headerWatch            // of a server that is not known
	rests     map[baselineKey]*rests
	decodes   map[string]*decodePlace // by dialect
	answering map[string]*answering   // by the model that was asked for
	unsaid    unsaid
}

// baselineKey is what a baseline is fitted for.
type baselineKey struct {
	model string
	cache probe.Cache
}

func newCutter(ignoreReported bool) cutter {
	return cutter{
		ignore: ignoreReported, baselines: map[baselineKey]*baseline.Fitter{}, prefills: map[baselineKey]*ownPrefill{}, credits: map[string]*credit{}, overlaps: map[baselineKey]*overlap{},
		steps: map[string]*knownSteps{}, watches: map[string]*stepWatch{}, answering: map[string]*answering{},
		rests: map[baselineKey]*rests{}, decodes: map[string]*decodePlace{},
	}
}

// lesson is what a person should know that a probe has taught: sentences, ""
// for nothing.
type lesson struct {
	changed string // the server has changed: what was learnt of it starts anew
	alias   string // the answers name another model than the one asked for
	unsaid  string // it does something without saying so
	belied  string // it is not as its name says
}

// cut reads what the server reports, teaches the baseline, and cuts the TTFT of a
// result that has one. scraped is what a metrics page says of it, alone that
// nothing else of this program was in flight, climbed that the ladder has been up
// once, before which nothing is cut by the baseline.
func (c *cutter) cut(r *probe.Result, o attempt.Outcome, scraped reported.Figures, alone, climbed bool) lesson {
	figures := c.hear(r, o, scraped)
	by, k := c.answered(r), r.Knobs
	k.Model = by.key // what is learnt is kept apart by the model that answers
	if !r.TTFT().OK {
		return lesson{changed: by.changed, alias: by.alias}
	}
	in, changed := c.input(r, k, figures, alone)
	found := lesson{alias: by.alias, unsaid: c.unsaid.look(r, in, c.curve(c.baselines, unique(k), climbed))}
	in.Flags = r.Flags
	if by.teaches {
		c.learn(r, k, in, alone)
	}
	found.belied = c.believe(&in, k, r.At, climbed)
	out := c.divide(in, k)
	c.settle(r, k, in, out, alone && by.teaches)
	r.Waterfall, r.Contention, r.Basis = out.Waterfall, out.Contention, out.Basis
	for _, f := range out.Flags {
		r.Flagged(f)
	}
	if out.AtLeast && (!alone || r.Waterfall.Of(probe.QueuePart) > r.TTFT().At/10) {
		r.Flagged(probe.FlagAtLeast) // a small queue of a probe alone is the spread of an idle server
	}
	found.changed = cmp.Or(by.changed, changed, c.moved(k))
	if changed != "" {
		c.headers.outdate()
	}
	return found
}

// hear notes what the server says of itself and of the request.
func (c *cutter) hear(r *probe.Result, o attempt.Outcome, scraped reported.Figures) reported.Figures {
	if o.Header != nil && r.Failure == nil {
		if server := reported.Identify(o.Header, nil); server != "" {
			c.server = server
		}
	}
	figures := reported.Read(o.Header, o.Answer.Raw).Or(scraped)
	c.report(r, figures, o.Answer.Cached)
	if outlasts(o.Header, r.TotalTime().At) {
		r.Flagged(probe.FlagAbsurdReport)
	}
	r.Server = string(c.server)
	return figures
}

// input is what the cut of a probe depends on, as far as it shows that itself.
// changed says that its steps are those of another server, "" for not.
func (c *cutter) input(r *probe.Result, k probe.Knobs, figures reported.Figures, alone bool) (in cut.Input, changed string) {
	told := c.toldStep(figures)
	step := c.step(r, k.Model, cut.Server(cut.Input{Timeline: r.Timeline, RTT: r.RTT}), told, alone)
	stepped, changed := c.watch(r, k.Model, alone)
	in = cut.Input{
		Timeline: r.Timeline, RTT: r.RTT, Figures: figures, IgnoreReported: c.ignore, Uncached: r.UncachedTokens(),
		OutputTokens: r.OutputTokens, Alone: alone, Step: step, StepBasis: basisOf(step, cut.Step(r.Timeline), told),
		Headers: c.server.HeadersLeave(), CacheUnsaid: r.Knobs.Cache == probe.Warm && r.CachedTokens == 0,
	}
	if stepped {
		in.Doubt = cut.Changed
	}
	return in, changed
}

// settle takes note of what a cut shows of the server; sound says that nothing
// else of this program was in flight, and that the usual model answered.
func (c *cutter) settle(r *probe.Result, k probe.Knobs, in cut.Input, out cut.Output, sound bool) {
	made(c.decodes, in.Figures.Dialect).add(out.DecodeInReport)
	if out.Rest.OK {
		made(c.rests, keyOf(k)).add(in.Uncached, out.Rest.At)
	}
	if out.OwnPrefill.OK && sound && teaches(r, in) {
		c.own(k).add(baseline.Point{At: r.At, Tokens: r.UncachedTokens(), Server: out.OwnPrefill.At})
	}
}

// moved tells that the server has become faster or slower, "" for not; then what
// it reported before is forgotten.
func (c *cutter) moved(k probe.Knobs) string {
	sentence, moved := fitterOf(c.baselines, k).Changed()
	if moved {
		delete(c.prefills, keyOf(k))
		delete(c.rests, keyOf(k))
		c.headers.outdate()
	}
	return sentence
}

// watch looks whether the steps of a model are those of another server than
// before, and then forgets what was learnt of that. stepped says that an
// undisturbed one may be.
func (c *cutter) watch(r *probe.Result, model string, alone bool) (stepped bool, changed string) {
	own := cut.Step(r.Timeline)
	if !own.OK || len(r.Timeline.Tokens) < fewestTokens {
		return false, ""
	}
	w := made(c.watches, model)
	switch {
	case alone:
		stepped, changed = w.add(own.At)
	case r.Knobs.Pressure == 0 && r.Ack == nil:
		w.addBeside(own.At)
	}
	if changed == "" {
		return stepped, ""
	}
	c.steps[model] = &knownSteps{sound: []time.Duration{own.At}}
	for _, cache := range []probe.Cache{probe.Bust, probe.Warm} {
		delete(c.baselines, baselineKey{model, cache})
		delete(c.prefills, baselineKey{model, cache})
		delete(c.rests, baselineKey{model, cache})
	}
	return stepped, changed
}

// learn teaches the baseline.
func (c *cutter) learn(r *probe.Result, k probe.Knobs, in cut.Input, alone bool) {
	if teaches(r, in) {
		c.overlap(k).add(r, alone)
		fitterOf(c.baselines, k).Add(baseline.Point{At: r.At, Tokens: r.UncachedTokens(), Server: max(0, cut.Server(in)-in.Step.At), Loaded: !alone})
	}
}

// believe completes what the cut of a probe that began at an instant depends on
// with what earlier ones have taught. It returns what a person should know of
// the server's name, "" for nothing.
func (c *cutter) believe(in *cut.Input, k probe.Knobs, at time.Time, climbed bool) (belied string) {
	if !slices.Contains(in.Flags, probe.FlagPromptCut) { // else how much was read is only as sure as the count
		in.Baseline = c.expected(k, in.Uncached, climbed)
	}
	if climbed {
		in.OwnPrefill = c.own(k).of(in.Uncached)
	}
	in.Above = fitterOf(c.baselines, k).Above(in.Uncached)
	if in.Doubt == cut.NoDoubt && (c.inDoubt(k) || made(c.watches, k.Model).inDoubt() || c.overlap(k).unseen(at)) {
		in.Doubt = cut.Slower
	}
	in.Rest, in.DecodeInReport = made(c.rests, keyOf(k)).of(in.Uncached), made(c.decodes, in.Figures.Dialect).settled
	if in.Baseline != nil {
		in.BeforeHeaders = c.headers.before(k.Model, in.Uncached)
		belied = c.headers.judge(in, c.headers.add(*in, k.Model), c.server)
	}
	if in.Headers == cut.HeadersUnknown {
		in.Headers = c.headers.rule()
	}
	return belied
}

// expected is the baseline of requests with so many uncached prompt tokens; nil
// where there is none. Until prompts with a shared prefix have a baseline of
// their own, their uncached tokens cost what those of unique prompts do. Theirs
// has few lengths, as a rule one and the first probe, which found no cache: it
// shows what such a request costs, and the one of unique prompts what of that is
// prefill.
func (c *cutter) expected(k probe.Knobs, uncached int, climbed bool) *baseline.Curve {
	own, others := c.curve(c.baselines, k, climbed), c.curve(c.baselines, unique(k), climbed)
	switch {
	case own == nil:
		return others
	case others == nil || own.Lengths() >= others.Lengths():
		return own
	}
	moved := others.Through(uncached, own.Cost(uncached))
	return &moved
}

// inDoubt reports whether the baseline of the knobs is in doubt.
func (c *cutter) inDoubt(k probe.Knobs) bool { return fitterOf(c.baselines, k).InDoubt() }

// stepsInDoubt reports whether the decode steps of probes that overlap may be
// those of a slower server.
func (c *cutter) stepsInDoubt(k probe.Knobs) bool { return made(c.watches, c.now(k).Model).inDoubt() }

// unique are the knobs with prompts that share nothing.
func unique(k probe.Knobs) probe.Knobs {
	k.Cache = probe.Bust
	return k
}

// curve is the curve of a fitter, nil until it stands.
func (c *cutter) curve(fitters map[baselineKey]*baseline.Fitter, k probe.Knobs, climbed bool) *baseline.Curve {
	if curve, ok := fitterOf(fitters, k).Curve(); ok && climbed {
		return &curve
	}
	return nil
}

// toldStep is what the server says that a token after the first took.
func (c *cutter) toldStep(f reported.Figures) probe.Mark {
	if c.ignore || f.Step.At <= 0 {
		return probe.Mark{}
	}
	return f.Step
}

// report notes what the server said of the request.
func (c *cutter) report(r *probe.Result, f reported.Figures, cached stream.Count) {
	r.Reported, r.Dialect = f.Raw, f.Dialect
	r.CachedTold = r.CachedTold || f.CachedTokens.OK || cached.OK
	switch {
	case f.CachedTokens.OK:
		r.CachedTokens = f.CachedTokens.N
	case cached.OK:
		r.CachedTokens = cached.N
	}
	if r.PromptExact && r.CachedTokens > r.PromptTokens || cachedTooMuch(r) || r.CachedTokens > attempt.MostPrompt(r.PromptTokens) {
		r.CachedTokens, r.CachedTold = 0, false
		r.Flagged(probe.FlagAbsurdReport)
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
		case probe.FlagClockStep, probe.FlagLateRead, probe.FlagModelLoad, probe.FlagBuffered, probe.FlagFromCache, probe.FlagHiddenReasoning, probe.FlagSilentCache, probe.FlagPromptCut:
			return true
		}
		return false
	})
}

// own is what the server reports of its prefill in the model and cache mode.
func (c *cutter) own(k probe.Knobs) *ownPrefill { return made(c.prefills, keyOf(k)) }

// overlap counts how long probes of the model and cache mode have overlapped.
func (c *cutter) overlap(k probe.Knobs) *overlap { return made(c.overlaps, keyOf(k)) }

func keyOf(k probe.Knobs) baselineKey { return baselineKey{k.Model, k.Cache} }

// fitterOf is the fitter of the model and cache mode.
func fitterOf(fitters map[baselineKey]*baseline.Fitter, k probe.Knobs) *baseline.Fitter {
	return made(fitters, keyOf(k))
}

// made is what a map has under a key, made where there is nothing.
func made[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}
