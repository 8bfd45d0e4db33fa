package tally

import (
	"time"

	"ttftop/probe"
)

// maxCosts bounds the costs kept per target; beyond it the older half is
// thinned, so that lengths probed long ago stay.
const maxCosts = 4096

// Cost is what one prompt cost: a point of TTFT against prompt tokens, of a
// probe of any kind but the first request to a target.
type Cost struct {
	Tokens  int           // uncached prompt tokens
	TTFT    time.Duration // above 0
	Outside time.Duration // of it, network and first decode: what no baseline holds; −1 where that isn't known
	Epoch   int
}

// addCost notes what a probe that succeeded cost, in an epoch of the target.
func (t *Target) addCost(r *probe.Result, epoch int) {
	if r.Failure != nil || r.Kind == probe.Warmup || !r.TTFT().OK || r.TTFT().At <= 0 || !r.UncachedKnown() || r.UncachedTokens() <= 0 {
		return
	}
	c := Cost{Tokens: r.UncachedTokens(), TTFT: r.TTFT().At, Outside: -1, Epoch: epoch}
	if w := r.Waterfall; len(w) > 0 && w.Of(probe.ServerPart) == 0 {
		c.Outside = w.Of(probe.NetworkPart) + w.Of(probe.FirstDecodePart)
	}
	if len(t.costs) >= maxCosts {
		t.costs = thinned(t.costs)
	}
	t.costs = append(t.costs, c)
}

// thinned is a new list with every second cost of the older half left out.
func thinned(costs []Cost) []Cost {
	half := len(costs) / 2
	kept := make([]Cost, 0, maxCosts)
	for i := 0; i < half; i += 2 {
		kept = append(kept, costs[i])
	}
	return append(kept, costs[half:]...)
}

// Costs are what prompts of every epoch cost, oldest first. Nobody changes
// the list.
func (t *Target) Costs() []Cost { return t.costs[:len(t.costs):len(t.costs)] }
