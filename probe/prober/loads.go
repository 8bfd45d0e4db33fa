package prober

import (
	"fmt"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
)

const (
	loadLeast = time.Second // no model is loaded quicker…

	loadAfter = 15 * time.Second // …after a pause in which servers unload their models…
	loadTimes = 4                // …in less than so many times what the request costs

	soonAfter = 3 * time.Second // a pause in which few servers do…
	soonTimes = 10              // …so that it takes so many times to be believed…
	soonAlike = 0.5             // …and that such loads differ by no more than this share of the last
)

// loads notices that a server loaded its model, or woke up, before it answered.
type loads struct {
	model   string                  // that answered last
	ended   time.Time               // when
	loading map[string]time.Time    // until when each model was last being loaded
	first   map[string]firstRequest // to each model, until there is a baseline to hold it against
	soon    time.Duration           // what the last load after a short pause took beyond the usual
	waits   bool                    // requests take as long without a pause, or differ as waits do: a short one shows nothing
}

// firstRequest is the very first one to a model.
type firstRequest struct {
	tokens     int
	took, step time.Duration // without its first decode, and that
}

func (l *loads) note(r *probe.Result) {
	if end := r.At.Add(r.TotalTime().At); end.After(l.ended) {
		l.model, l.ended = r.Knobs.Model, end
	}
}

// begin keeps what the first request to a model took, without its first decode.
func (l *loads) begin(r *probe.Result, s, step time.Duration) {
	if l.first == nil {
		l.first = map[string]firstRequest{}
	}
	if _, known := l.first[r.Knobs.Model]; !known {
		l.first[r.Knobs.Model] = firstRequest{r.UncachedTokens(), s, step}
	}
}

// look finds a first request after a pause, or after another model, that took
// far longer than on an idle server; and those that waited for the same. The
// very first request to a model is told of once the others show what is usual.
// Times are told with the first decode, which s and the baseline leave out.
func (l *loads) look(r *probe.Result, s, step time.Duration, c baseline.Curve) string {
	if !c.Idle() || r.Knobs.Pressure > 0 {
		return ""
	}
	if text := l.lookAtFirst(r.Knobs.Model, c); text != "" {
		return text
	}
	if !c.Covers(r.UncachedTokens()) {
		return ""
	}
	usual, _, hi := c.At(r.UncachedTokens())
	if s < hi+max(loadLeast, loadTimes*usual) {
		return ""
	}
	if r.At.Before(l.loading[r.Knobs.Model]) {
		r.Flagged(probe.FlagModelLoad)
		return ""
	}
	pause := r.At.Sub(l.ended)
	if l.ended.IsZero() || l.model == r.Knobs.Model && pause < loadAfter && !l.soonLoaded(pause, s, usual, hi) {
		return ""
	}
	if l.loading == nil {
		l.loading = map[string]time.Time{}
	}
	l.loading[r.Knobs.Model] = r.At.Add(r.TTFT().At)
	r.Flagged(probe.FlagModelLoad)
	after := "a pause of " + roundly(pause.Round(time.Second))
	if l.model != r.Knobs.Model {
		after = "another model"
	}
	return fmt.Sprintf("The first prompt after %s took the server %s where %s is usual: the model was loaded first, or the server had to wake up.",
		after, roundly(s+step), roundly(usual+step))
}

// soonLoaded reports whether a request that took very long after a short pause
// met a load: not on a server whose requests also do without one.
func (l *loads) soonLoaded(pause, s, usual, hi time.Duration) bool {
	if s < hi+max(loadLeast, soonTimes*usual) {
		return false
	}
	over := s - usual
	differ := l.soon > 0 && max(over-l.soon, l.soon-over) > time.Duration(soonAlike*float64(l.soon))
	l.waits = l.waits || pause < soonAfter || differ
	if l.waits {
		return false
	}
	l.soon = over
	return true
}

// lookAtFirst holds the very first request to a model against the baseline.
func (l *loads) lookAtFirst(model string, c baseline.Curve) string {
	first, kept := l.first[model]
	if !kept {
		return ""
	}
	delete(l.first, model)
	usual, _, hi := c.At(first.tokens)
	if !c.Covers(first.tokens) || first.took < hi+max(loadLeast, soonTimes*usual) {
		return ""
	}
	return fmt.Sprintf("The very first prompt took the server %s where %s is usual: the model was loaded first, or the server had to wake up.",
		roundly(first.took+first.step), roundly(usual+first.step))
}
