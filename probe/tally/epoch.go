package tally

import (
	"cmp"
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
	"ttftop/probe/quantile"
)

// maxSamples bounds the probes that the figures of an epoch are taken from:
// the newest. Some more are kept, so that not each new one moves all others.
const (
	maxSamples = 10_000
	moreKept   = maxSamples / 4
)

// sample is what the figures need of one probe that counts.
type sample struct {
	ttft, per1k, itl, tpot, total, answer probe.Mark
	censored, beside                      bool
	waited                                bool // for the limit, of one that is censored

	seq   int
	cut   packed
	flags []probe.Flag
}

// result is what is kept of a success.
func (s *sample) result() *probe.Result {
	return &probe.Result{Seq: s.seq, Timeline: probe.Timeline{FirstToken: s.ttft}, Waterfall: s.cut.waterfall(), Flags: s.flags}
}

// epoch is the probes of a target between two changes of its knobs or levers.
type epoch struct {
	number  int // the session's, when it began
	knobs   probe.Knobs
	levers  probe.Levers
	limit   time.Duration
	samples []sample
	form    *form // of the last waterfall
	probes  int   // all that ended, those too that are not kept any more
	failed  int   // of these, censored
	beside  int   // of these, counted beside
	skipped int   // of failed
	ours    int   // of beside
	last    *last
	failure *probe.Failure // the newest of the endpoint's; nil where there was none
	acks    acks

	drawn    resampled
	known    bool // what follows is up to date
	numbers  Figures
	ranked   []time.Duration // TTFT of the successes that the figures are taken from, ascending
	order    []*sample       // these successes; of the newest refresh alone
	censored int             // probes that rank after them
	median   probe.Waterfall
	nearest  []*probe.Result // that median is the mean of
	tail     probe.Waterfall // of the p95, where that is known
}

// last is what is told of the last success of an epoch.
type last struct {
	promptTokens, cached     int
	promptExact, outputExact bool
}

func newEpoch(number int, limit time.Duration) *epoch {
	return &epoch{number: number, limit: limit}
}

// add takes an ordinary probe that has ended.
func (e *epoch) add(r *probe.Result) {
	s := sample{censored: r.Failure.Censored(), waited: r.Failure.Waited()}
	s.beside = r.Failure != nil && !s.censored
	switch {
	case r.Failure.ByEndpoint():
		e.failure = r.Failure
	case s.censored:
		e.skipped++
	case s.beside:
		e.ours++
	}
	switch {
	case s.censored:
		e.failed++
	case s.beside:
		e.beside++
	default:
		s.ttft, s.total, s.tpot = r.TTFT(), r.TotalTime(), r.TPOT()
		s.itl = median(r.ITL())
		if s.ttft.OK && r.UncachedKnown() && r.UncachedTokens() > 0 {
			s.per1k = probe.At(s.ttft.At * 1000 / time.Duration(r.UncachedTokens()))
		}
		if a := r.AnswerTTFT(); a.OK && a != s.ttft {
			s.answer = a
		}
		s.seq, s.flags, s.cut = r.Seq, r.Flags, pack(r.Waterfall, e.form)
		e.form = s.cut.form
		e.last = &last{r.PromptTokens, r.CachedTokens, r.PromptExact, r.OutputExact}
	}
	e.samples = append(e.samples, s)
	e.acks.add(r)
	if n := len(e.samples) - maxSamples; n >= moreKept {
		e.samples = slices.Delete(e.samples, 0, n)
	}
	e.probes++
	e.known = false
}

// newest are the samples that the figures are taken from.
func (e *epoch) newest() []sample {
	return e.samples[max(0, len(e.samples)-maxSamples):]
}

func (e *epoch) figures() Figures {
	e.refresh()
	return e.numbers
}

func (e *epoch) p50() (probe.Waterfall, int) {
	e.refresh()
	return e.median, len(e.ranked)
}

// p95 is the p95 waterfall; empty where the p95 isn't known.
func (e *epoch) p95() probe.Waterfall {
	e.refresh()
	return e.tail
}

func (e *epoch) within(limit time.Duration) (n, of int) {
	e.refresh()
	n, _ = slices.BinarySearch(e.ranked, limit+1)
	return n, len(e.ranked) + e.censored
}

func (e *epoch) refresh() {
	if e.known {
		return
	}
	e.known = true
	e.order = e.rank()
	limit := e.exceeds()
	f := Figures{Probes: e.probes, Failed: e.failed, Beside: e.beside, Skipped: e.skipped, Ours: e.ours, Limit: limit}
	f.AtLeast = mostAre(e.order, probe.FlagAtLeast)
	f.ProxyOnly = mostAre(e.order, probe.FlagProxyOnly)
	summary := quantile.Summarize(e.ranked, e.censored, limit)
	f.P50, f.P95, f.P99 = summary.P50, summary.P95, summary.P99
	if n := len(e.ranked); n > 0 {
		f.Max = probe.At(e.ranked[n-1])
	}
	f.Per1k = e.median50(func(s *sample) probe.Mark { return s.per1k })
	f.ITL = e.median50(func(s *sample) probe.Mark { return s.itl })
	f.TPOT = e.median50(func(s *sample) probe.Mark { return s.tpot })
	f.Total = e.median50(func(s *sample) probe.Mark { return s.total })
	f.Answer = e.median50(func(s *sample) probe.Mark { return s.answer })
	if f.TPOT.OK {
		f.TokensPerSec = float64(time.Second) / float64(f.TPOT.At)
	}
	if e.last != nil {
		f.PromptTokens, f.PromptExact, f.TokensExact = e.last.promptTokens, e.last.promptExact, e.last.outputExact
		f.CachedTokens = e.last.cached
	}
	f.Handoff = e.acks.figures(e.limit)
	e.numbers = f
	e.cut()
}

// exceeds is what a censored probe is known to exceed: 0 where each of them failed
// without being waited for.
func (e *epoch) exceeds() time.Duration {
	for i := range e.newest() {
		if e.newest()[i].waited {
			return e.limit
		}
	}
	return 0
}

// cut takes the waterfalls of the quantiles.
func (e *epoch) cut() {
	near, p50 := cut.NearestOf(0.5, e.ranked, e.censored, e.waterfall)
	e.nearest, e.median = nil, nil
	for _, i := range near {
		e.nearest = append(e.nearest, e.order[i].result())
	}
	if len(near) > 0 {
		e.median = cut.MeanOf(e.nearest, p50)
	}
	e.tail = nil
	if !e.numbers.P95.Max {
		e.tail = e.around(0.95)
	}
}

// waterfall is that of the success at a place of the order.
func (e *epoch) waterfall(i int) probe.Waterfall { return e.order[i].cut.waterfall() }

// around is the waterfall near a quantile; empty where that falls on a failure.
func (e *epoch) around(q float64) probe.Waterfall {
	near, ttft := cut.NearestOf(q, e.ranked, e.censored, e.waterfall)
	waterfalls := make([]probe.Waterfall, len(near))
	for i, at := range near {
		waterfalls[i] = e.waterfall(at)
	}
	if len(waterfalls) == 0 {
		return nil
	}
	return cut.Mean(waterfalls, ttft)
}

// mostAre reports whether more than half of the successes carry a flag.
func mostAre(order []*sample, flag probe.Flag) bool {
	n := 0
	for _, s := range order {
		if slices.Contains(s.flags, flag) {
			n++
		}
	}
	return 2*n > len(order)
}

// rank puts the successes in the order of their TTFT, and counts the failures
// that rank after them.
func (e *epoch) rank() []*sample {
	newest := e.newest()
	order := make([]*sample, 0, len(newest))
	e.censored = 0
	for i := range newest {
		switch s := &newest[i]; {
		case s.ttft.OK:
			order = append(order, s)
		case s.censored:
			e.censored++
		}
	}
	slices.SortStableFunc(order, func(a, b *sample) int { return cmp.Compare(a.ttft.At, b.ttft.At) })
	e.ranked = make([]time.Duration, len(order))
	for i, s := range order {
		e.ranked[i] = s.ttft.At
	}
	return order
}

// median50 is the p50 of one figure over the probes that have it.
func (e *epoch) median50(of func(*sample) probe.Mark) probe.Mark {
	var c column
	for i := range e.newest() {
		c.take(of(&e.newest()[i]))
	}
	return c.median()
}

// column is one figure of many probes.
type column []time.Duration

func (c *column) take(m probe.Mark) {
	if m.OK {
		*c = append(*c, m.At)
	}
}

func (c column) sort() { slices.Sort(c) }

func (c column) at(q float64, censored int, limit time.Duration) quantile.Estimate {
	return quantile.Of(q, c, censored, limit)
}

func (c column) median() probe.Mark {
	c.sort()
	if e := c.at(0.5, 0, 0); e.OK {
		return probe.At(e.At)
	}
	return probe.Mark{}
}

// median is the p50 of the gaps of one probe.
func median(gaps []time.Duration) probe.Mark { return column(gaps).median() }
