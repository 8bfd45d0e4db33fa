package ab

import (
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/probe/anytime"
)

// side is what has been found of A or B.
type side struct {
	ttft    anytime.Sample // nanoseconds
	parts   [len(parts)]bounded
	failed  int
	refused map[int]int // by HTTP status: a rate limit, another 4xx
	heard   bool        // it has answered, whatever it was asked
	silent  string      // why none was answered, "" where one was
	asked   probe.Knobs // of the last probe
	turned  bool        // not all probes were asked the same

	models   map[string]bool
	clocks   map[probe.ClockKind]int
	sources  [len(parts)]map[probe.Source]int
	prompts  anytime.Sample // tokens
	letters  anytime.Sample // characters of the prompt for each of them, where both are known
	cached   int            // probes with some of the prompt cached
	reused   int            // probes on a kept connection
	answered int

	least, most int // probes whose queue is at least, or at most, what it says
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
	if r.PromptExact && r.PromptChars > 0 && r.PromptTokens > 0 {
		s.letters.Add(float64(r.PromptChars) / float64(r.PromptTokens))
	}
	if r.CachedTokens > 0 || r.Has(probe.FlagCached) || r.Has(probe.FlagFromCache) {
		s.cached++
	}
	if r.Reused {
		s.reused++
	}
	for _, f := range r.Flags {
		switch f {
		case probe.FlagAtLeast:
			s.least++
		case probe.FlagAtMost:
			s.most++
		}
	}
	s.cut(r.Waterfall)
}

// bound stands before the side's queue where that of most of its probes is a
// bound.
func (s *side) bound() string {
	switch least, most := 2*s.least > s.answered, 2*s.most > s.answered; {
	case least && most:
		return "~"
	case least:
		return "≥ "
	case most:
		return "≤ "
	}
	return ""
}

// cut takes the waterfall part by part. Of one that is not cut, all that is not
// network is the server's.
func (s *side) cut(w probe.Waterfall) {
	if len(w) == 0 {
		return
	}
	for i, p := range parts {
		if p == probe.ServerPart || p == probe.NetworkPart || !undivided(w) {
			x := pieceOf(w, p)
			s.parts[i].add(x.value, x.least, x.most)
		}
	}
	for _, seg := range w {
		for i, p := range parts {
			if seg.Name.Part() == p {
				if s.sources[i] == nil {
					s.sources[i] = map[probe.Source]int{}
				}
				s.sources[i][seg.Source]++
			}
		}
	}
}

// level is the median of a part.
func (s *side) level(b *bounded, i int, median *anytime.Mixture) PartSpan {
	p := PartSpan{Part: parts[i], Source: s.source(i), Span: span(b.level(median))}
	if p.Part == probe.QueuePart {
		p.Bound = s.bound()
	}
	return p
}

// refuse takes a result that does not count.
func (s *side) refuse(r *probe.Result) {
	f := r.Failure
	if f == nil || f.Kind != probe.FailRateLimit && f.Kind != probe.FailStatus {
		return
	}
	if s.refused == nil {
		s.refused = map[int]int{}
	}
	status := f.Status
	if status == 0 {
		status = http.StatusTooManyRequests
	}
	s.refused[status]++
}

// refusals is how many probes were refused.
func (s *side) refusals() (n int) {
	for _, k := range s.refused {
		n += k
	}
	return n
}

// refusedWith are the statuses of the refusals, "" without any.
func (s *side) refusedWith() string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(s.refused)) {
		all = append(all, strconv.Itoa(status))
	}
	if len(all) == 0 {
		return ""
	}
	return "HTTP " + strings.Join(all, ", ")
}

// source is how a part is mostly known, "" where it was never seen. All that is
// not network is measured, whatever it is cut into.
func (s *side) source(i int) probe.Source {
	if parts[i] == probe.ServerPart && s.parts[i].n() > 0 {
		return probe.Measured
	}
	return most(s.sources[i])
}

// spent reports whether a part ever took any time.
func (s *side) spent(i int) bool { return s.parts[i].value.Above(0) > 0 }

// middle is the median of a sample, 0 of an empty one.
func middle(s *anytime.Sample) float64 {
	if v := s.Middle(); !math.IsNaN(v) {
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
