package tally

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
)

// Figures are the numbers of one target over one epoch. A Mark that is not OK
// is unknown, never zero.
type Figures struct {
	Probes        int // ended, of the kinds that enter the figures
	Failed        int // of these, ranked as slower than every success
	Beside        int // rate limits, refusals, faults on this side: counted, not ranked
	Skipped       int // of Failed: never sent, too many were in flight
	Ours          int // of Beside: the fault is on this side
	P50, P95, P99 quantile.Estimate
	Max           probe.Mark
	Per1k         probe.Mark    // p50 of TTFT per 1,000 uncached input tokens
	Fixed, Slope  probe.Mark    // fitted: fixed part, and per 1,000 uncached tokens; not OK while they say nothing
	FixedLoose    bool          // Fixed is not firm
	SlopeLoose    bool          // Slope is not firm
	ITL           probe.Mark    // p50 of the gaps between token arrivals
	TPOT          probe.Mark    // p50
	TokensPerSec  float64       // p50; 0 where undefined
	Total         probe.Mark    // p50 of the whole answer's time
	Answer        probe.Mark    // p50 of answer TTFT, where it differs
	Limit         time.Duration // what a censored probe is known to exceed; 0 where none was waited for
	PromptTokens  int           // of the last probe, as the endpoint counts them
	PromptExact   bool
	CachedTokens  int  // of the last probe, out of PromptTokens
	AtLeast       bool // most of the probes have a queue that is a lower bound
	ProxyOnly     bool // most of the probes know the round trip to a proxy alone
	Handoff       Handoff
	TokensExact   bool // output tokens are the server's count
}

// Failures are the probes that the endpoint failed, out of those that say
// whether it does.
func (f *Figures) Failures() (n, of int) {
	aside := f.Skipped + f.Ours
	return f.Failed + f.Beside - aside, f.Probes - aside
}

// Succeeded is how many probes did.
func (f *Figures) Succeeded() int { return f.Probes - f.Failed - f.Beside }
