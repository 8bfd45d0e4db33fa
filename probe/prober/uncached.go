package prober

import (
	"ttftop/probe"
	"ttftop/probe/prompt"
)

// cachedTooMuch reports whether more of a prompt is said to have been cached
// than can be. What no other prompt shares has to be prefilled, and nothing
// would be left of a length to divide by. A prompt that the server has cut says
// nothing of that.
func cachedTooMuch(r *probe.Result) bool {
	if !r.PromptExact || r.Has(probe.FlagPromptCut) {
		return false
	}
	least := prompt.LeastTokens(r.PromptChars)
	if r.Knobs.Cache == probe.Warm {
		least = int(float64(least) * (1 - r.Knobs.CacheShare))
	}
	return r.UncachedTokens() < least/2
}
