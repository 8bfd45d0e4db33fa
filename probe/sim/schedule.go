package sim

import (
	"slices"
	"time"
)

// schedule holds the requests of an engine and decides what each step does. It
// has no clock and no goroutine; one goroutine uses it.
type schedule struct {
	costs
	maxBatch    int
	blockTokens int
	cache       *prefixCache

	waiting []*request // by the instant they were queued
	running []*request // in the order they were scheduled
}

// enqueue puts a request behind those that were queued before it.
func (s *schedule) enqueue(r *request) {
	i := len(s.waiting)
	for i > 0 && s.waiting[i-1].queued.After(r.queued) {
		i--
	}
	s.waiting = slices.Insert(s.waiting, i, r)
}

// drop forgets the requests that nobody waits for, which frees their slots.
func (s *schedule) drop() {
	gone := func(r *request) bool { return r.gone.Load() }
	s.waiting = slices.DeleteFunc(s.waiting, gone)
	s.running = slices.DeleteFunc(s.running, gone)
}

// start is when the next step begins if the last one ended at free: at once
// where requests run, else when the first one was queued. False where there is
// nothing to do.
func (s *schedule) start(free time.Time) (time.Time, bool) {
	if len(s.running) > 0 {
		return free, true
	}
	if len(s.waiting) == 0 {
		return time.Time{}, false
	}
	if q := s.waiting[0].queued; q.After(free) {
		return q, true
	}
	return free, true
}

// plan fills the step that begins at start and returns its work. Running
// requests come first, one token each or the next chunk of their prompt; then
// those that were queued by start are let in, first come first served, while
// tokens of the budget and slots are left.
func (s *schedule) plan(start time.Time) load {
	var l load
	budget := s.budget
	for _, r := range s.running {
		budget -= r.take(budget, &l)
	}
	for budget > 0 && len(s.running) < s.maxBatch && len(s.waiting) > 0 && !s.waiting[0].queued.After(start) {
		r := s.waiting[0]
		s.waiting = slices.Delete(s.waiting, 0, 1)
		s.running = append(s.running, r)
		s.admit(r, start)
		budget -= r.take(budget, &l)
	}
	return l
}

// admit gives a request its slot and what the prefix cache has of its prompt.
// The last token is always computed, since its pass yields the first output.
func (s *schedule) admit(r *request, start time.Time) {
	most := (r.prompt.tokens - 1) / s.blockTokens
	r.cached = s.cache.match(r.prompt.blocks[:most]) * s.blockTokens
	r.computed = r.cached
	r.scheduled = start
	r.started.Store(true)
	r.tell()
}

// take puts as much of the request into the step as the budget allows, and
// returns how many tokens that is.
func (r *request) take(budget int, l *load) int {
	r.chunk = min(budget, r.remaining())
	if r.chunk > 0 {
		l.add(r.chunk, r.computed)
	}
	return r.chunk
}

// finish ends the step that was planned: prompts advance, and each request
// whose prompt is done has one token more. Those that have all their tokens
// leave. It calls produced with every request that got a token, and the number
// of that token, before anybody else can know of it.
func (s *schedule) finish(end time.Time, produced func(*request, int)) {
	for _, r := range s.running {
		if !s.advance(r) {
			continue
		}
		n := int(r.ready.Load()) + 1
		if n == 1 {
			r.first = end
		}
		r.last = end
		produced(r, n)
		r.ready.Store(int32(n))
		r.tell()
	}
	s.running = slices.DeleteFunc(s.running, func(r *request) bool { return int(r.ready.Load()) >= r.max })
}

// advance books the step's chunk of a request, and reports whether it yielded
// a token.
func (s *schedule) advance(r *request) bool {
	if r.chunk == 0 {
		return false
	}
	inPrompt := r.computed < r.prompt.tokens
	r.computed += r.chunk
	if inPrompt {
		s.cache.use(r.prompt.blocks[:r.computed/s.blockTokens])
	}
	return r.computed >= r.prompt.tokens
}
