package ab

import (
	"math"

	"ttftop/probe"
	"ttftop/probe/anytime"
)

// side is what has been found of A or B.
type side struct {
	ttft   anytime.Sample // nanoseconds
	parts  [len(parts)]anytime.Sample
	failed int
	asked  probe.Knobs // of the last probe
	turned bool        // not all probes were asked the same

	models   map[string]bool
	clocks   map[probe.ClockKind]int
	sources  [len(parts)]map[probe.Source]int
	prompts  anytime.Sample // tokens
	cached   int            // probes with some of the prompt cached
	reused   int            // probes on a kept connection
	answered int
}

// add takes a result that counts.
func (s *side) add(r *probe.Result) {
	s.ttft.Add(ttft(r))
	asked := r.Knobs
	asked.Rate = 0 // how often is no matter
	s.turned = s.turned || s.ttft.N() > 1 && asked != s.asked
	s.asked = asked
	if r.Failure != nil {
		s.failed++
		return
	}
	s.answered++
	if s.models == nil {
		s.models, s.clocks = map[string]bool{}, map[probe.ClockKind]int{}
	}
	s.models[r.Knobs.Model] = true
	s.clocks[r.Clock]++
	s.prompts.Add(float64(r.PromptTokens))
	if r.CachedTokens > 0 || r.Has(probe.FlagCached) || r.Has(probe.FlagFromCache) {
		s.cached++
	}
	if r.Reused {
		s.reused++
	}
	s.cut(r.Waterfall)
}

// cut takes the waterfall part by part. Of one that is not cut, all that is not
// network is the server's.
func (s *side) cut(w probe.Waterfall) {
	if len(w) == 0 {
		return
	}
	for i, p := range parts {
		switch {
		case p == probe.ServerPart:
			s.parts[i].Add(float64(serverTime(w)))
		case p == probe.NetworkPart || !undivided(w):
			s.parts[i].Add(float64(w.Of(p)))
		}
	}
	for _, seg := range w {
		for i, p := range parts {
			if seg.Name.Part() == p && seg.Duration > 0 {
				if s.sources[i] == nil {
					s.sources[i] = map[probe.Source]int{}
				}
				s.sources[i][seg.Source]++
			}
		}
	}
}

// prompt is the median prompt length in tokens, 0 where it is not known.
func (s *side) prompt(median *anytime.Mixture) float64 {
	if v := s.prompts.Interval(median).Estimate; !math.IsNaN(v) {
		return v
	}
	return 0
}

// most is the value that was seen most often, the smallest of equals.
func most[K ~string](seen map[K]int) (best K) {
	for v, n := range seen {
		if n > seen[best] || n == seen[best] && v < best {
			best = v
		}
	}
	return best
}
