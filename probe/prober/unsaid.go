package prober

import (
	"fmt"
	"strconv"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/cut"
)

const (
	savedPart = 0.5 // share of what a cache should save that shows there is one
	savedMin  = 3 * time.Millisecond
	savedTold = 3 // probes in a row that show a cache before it is told
)

// unsaid notices what a server does without saying so: it had a prompt cached,
// or loaded its model first.
type unsaid struct {
	loads loads
	saved map[baselineKey]int // probes in a row that show a cache
}

// look flags the result, and returns what a person should know of it once; ""
// for nothing. uncached is the baseline of unique prompts.
func (u *unsaid) look(r *probe.Result, in cut.Input, uncached *baseline.Curve) string {
	defer u.loads.note(r)
	if r.Failure != nil || !in.Step.OK {
		return ""
	}
	s := cut.Server(in) - in.Step.At
	if uncached == nil {
		u.loads.begin(r, s, in.Step.At)
		return ""
	}
	if text := u.loads.look(r, s, in.Step.At, *uncached); text != "" {
		return text
	}
	return u.lookForCache(r, s, in.Step.At, *uncached)
}

// lookForCache finds prompts with a shared prefix that cost far less than they
// can without a cache, though none is spoken of.
func (u *unsaid) lookForCache(r *probe.Result, s, step time.Duration, c baseline.Curve) string {
	if r.Knobs.Cache != probe.Warm || r.CachedTokens > 0 || !c.Covers(r.PromptTokens) {
		return ""
	}
	usual, lo, _ := c.At(r.PromptTokens)
	prefill, _, _ := c.Prefill(r.PromptTokens)
	saved := time.Duration(savedPart * r.Knobs.CacheShare * float64(prefill))
	key := baselineKey{r.Knobs.Model, r.Knobs.Cache}
	if u.saved == nil {
		u.saved = map[baselineKey]int{}
	}
	if saved < savedMin || s > min(usual-saved, lo) {
		if u.saved[key] < savedTold {
			u.saved[key] = 0
		}
		return ""
	}
	r.Flagged(probe.FlagSilentCache)
	u.saved[key]++
	if u.saved[key] != savedTold {
		return ""
	}
	return fmt.Sprintf("The server caches prompts and does not say so: prompts of %d tokens that share a prefix take it %s where unique ones take %s. How many tokens it had to prefill is not known, so its time stays in one piece.",
		r.PromptTokens, roundly(s+step), roundly(usual+step))
}

// roundly is a duration for a sentence.
func roundly(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	}
	return strconv.FormatFloat(d.Round(10*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}
