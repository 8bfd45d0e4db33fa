package prober

import (
	"fmt"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/cut"
)

const (
	loadAfter = 15 * time.Second // a pause in which a server may have unloaded its model
	loadLeast = time.Second      // no model is loaded quicker…
	loadTimes = 4                // …or in less than so many times what the request costs
	savedPart = 0.5              // share of what a cache should save that shows there is one
	savedMin  = 3 * time.Millisecond
	savedTold = 3 // probes in a row that show a cache before it is told
)

// unsaid notices what a server does without saying so: it had a prompt cached,
// or loaded its model first.
type unsaid struct {
	model   string               // that answered last
	ended   time.Time            // when
	loading map[string]time.Time // until when each model was last being loaded
	saved   map[baselineKey]int  // probes in a row that show a cache
}

// look flags the result, and returns what a person should know of it once; ""
// for nothing. uncached is the baseline of unique prompts.
func (u *unsaid) look(r *probe.Result, in cut.Input, uncached *baseline.Curve) string {
	defer u.note(r)
	if uncached == nil || r.Failure != nil || !in.Step.OK {
		return ""
	}
	s := cut.Server(in) - in.Step.At
	if text := u.lookForLoad(r, s, *uncached); text != "" {
		return text
	}
	return u.lookForCache(r, s, *uncached)
}

func (u *unsaid) note(r *probe.Result) {
	if end := r.At.Add(r.TotalTime().At); end.After(u.ended) {
		u.model, u.ended = r.Knobs.Model, end
	}
}

// lookForLoad finds a first request after a pause, or after another model, that
// took far longer than on an idle server; and those that waited for the same.
func (u *unsaid) lookForLoad(r *probe.Result, s time.Duration, c baseline.Curve) string {
	if !c.Covers(r.UncachedTokens()) || !c.Idle() || r.Knobs.Pressure > 0 {
		return ""
	}
	usual, _, hi := c.At(r.UncachedTokens())
	if s < hi+max(loadLeast, loadTimes*usual) {
		return ""
	}
	if r.At.Before(u.loading[r.Knobs.Model]) {
		r.Flagged(probe.FlagModelLoad)
		return ""
	}
	pause := r.At.Sub(u.ended)
	if u.ended.IsZero() || pause < loadAfter && u.model == r.Knobs.Model {
		return ""
	}
	if u.loading == nil {
		u.loading = map[string]time.Time{}
	}
	u.loading[r.Knobs.Model] = r.At.Add(r.TTFT().At)
	r.Flagged(probe.FlagModelLoad)
	after := "a pause of " + pause.Round(time.Second).String()
	if u.model != r.Knobs.Model {
		after = "another model"
	}
	return fmt.Sprintf("The first prompt after %s took the server %s where %s is usual: the model was loaded first, or the server had to wake up.",
		after, roundly(s), roundly(usual))
}

// lookForCache finds prompts with a shared prefix that cost far less than they
// can without a cache, though none is spoken of.
func (u *unsaid) lookForCache(r *probe.Result, s time.Duration, c baseline.Curve) string {
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
		r.PromptTokens, roundly(s), roundly(usual))
}

// roundly is a duration for a sentence.
func roundly(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
