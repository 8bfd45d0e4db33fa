package sim

import (
	"math/rand/v2"
	"slices"
	"time"
)

// settings are what the levers of an engine are set to.
type settings struct {
	costs
	maxBatch   int
	maxWaiting int // requests in the queue
	policy     Policy
	batchWait  time.Duration // of Static
	order      Order
	kvBlocks   int // memory for keys and values
	cacheSize  int // blocks in the prefix cache
}

// schedule holds the requests of an engine and decides what each step does. It
// has no clock and no goroutine; one goroutine uses it.
type schedule struct {
	settings
	pool *kvPool
	rng  *rand.Rand // of the fate of drafts

	waiting []*request // by the instant they were queued
	running []*request // in the order they were let in
	batch   staticBatch

	preempted       int // requests that lost their memory
	drafted, proven int // tokens that the draft model made, and those of them that were right
}

func newSchedule(s settings, blockTokens int, seed uint64) *schedule {
	c := &schedule{pool: newKVPool(blockTokens), rng: rand.New(rand.NewPCG(seed, 0x5bec))}
	c.configure(s)
	return c
}

// configure changes the settings between two steps. Another policy rules once
// the requests that run now have ended.
func (s *schedule) configure(to settings) {
	s.settings = to
	s.pool.resize(to.kvBlocks, to.cacheSize)
}

// enqueue puts a request behind those that were queued before it.
func (s *schedule) enqueue(r *request) {
	i := len(s.waiting)
	for i > 0 && s.waiting[i-1].queued.After(r.queued) {
		i--
	}
	s.waiting = slices.Insert(s.waiting, i, r)
}

// drop forgets the requests that nobody waits for, which frees their slots and
// memory.
func (s *schedule) drop() {
	s.waiting = slices.DeleteFunc(s.waiting, func(r *request) bool { return r.gone.Load() })
	s.remove(func(r *request) bool { return r.gone.Load() })
}

// remove ends the running requests that are over.
func (s *schedule) remove(over func(*request) bool) {
	s.running = slices.DeleteFunc(s.running, func(r *request) bool {
		if !over(r) {
			return false
		}
		s.pool.release(&r.memory)
		return true
	})
}

// start is when the next step begins if the last one ended at free: at once
// where requests run, else when there is a request, or under Static a batch.
// False where there is nothing to do.
func (s *schedule) start(free time.Time) (time.Time, bool) {
	if len(s.running) > 0 {
		return free, true
	}
	if len(s.waiting) == 0 {
		return time.Time{}, false
	}
	at := s.waiting[0].queued
	if s.policy == Static {
		at = s.batchReady()
	}
	if at.After(free) {
		return at, true
	}
	return free, true
}

// plan fills the step that begins at start and returns its work.
func (s *schedule) plan(start time.Time) work {
	if len(s.running) == 0 {
		s.batch = staticBatch{}
		if s.policy == Static {
			return s.openBatch(start)
		}
	}
	if s.batch.size > 0 {
		return s.continueBatch()
	}
	return s.planContinuous(start)
}

// planContinuous goes through the running requests first, each with its next
// tokens or the next chunk of its prompt, and then lets in those that were
// queued by start while tokens of the budget, slots and memory are left.
func (s *schedule) planContinuous(start time.Time) work {
	var w work
	budget, before := s.budget, s.preempted
	for i := 0; i < len(s.running); i++ {
		budget -= s.take(i, budget, &w)
	}
	if s.preempted > before || s.policy != Continuous {
		return w
	}
	for budget > 0 && len(s.running) < s.maxBatch {
		i := s.next(start)
		if i < 0 || !s.admit(s.waiting[i], start) {
			break
		}
		s.running = append(s.running, s.waiting[i])
		s.waiting = slices.Delete(s.waiting, i, i+1)
		budget -= s.take(len(s.running)-1, budget, &w)
	}
	return w
}

// next is which of the waiting requests that were queued by start is let in
// next; negative for none.
func (s *schedule) next(start time.Time) int {
	best := -1
	for i, r := range s.waiting {
		if r.queued.After(start) {
			break
		}
		if best < 0 || s.order == ShortestPrompt && r.remaining() < s.waiting[best].remaining() {
			best = i
		}
		if s.order == FirstCome {
			break
		}
	}
	return best
}

// admit gives a request its memory, and what the prefix cache has of its
// prompt. The last token is always computed, since its pass yields the next
// one. False where there is no room.
func (s *schedule) admit(r *request, start time.Time) bool {
	most := min(len(r.prompt.blocks), (r.remaining()-1)/s.pool.blockTokens)
	n, ok := s.pool.admit(&r.memory, r.prompt.blocks[:most], r.remaining())
	if !ok {
		return false
	}
	r.computed = n * s.pool.blockTokens
	s.begin(r, start)
	return true
}

// begin notes that the first step of a request begins.
func (s *schedule) begin(r *request, start time.Time) {
	if r.started.Load() {
		return // it comes back after it lost its memory
	}
	r.cached = r.computed
	r.scheduled = start
	r.started.Store(true)
	r.tell()
}

// take puts as much of running request i into the step as the budget and the
// memory allow, and returns how many tokens that is. Where memory is full, the
// requests that were let in last lose theirs.
func (s *schedule) take(i, budget int, w *work) int {
	r := s.running[i]
	r.chunk = min(budget, r.remaining()+s.drafts(r))
	if r.chunk <= 0 {
		r.chunk = 0
		return 0
	}
	for !s.pool.grow(&r.memory, r.computed+r.chunk) {
		s.preempt()
		if len(s.running) <= i {
			return 0 // it was the last one itself
		}
	}
	r.into(w)
	return r.chunk
}

// into puts the chunk of a request into the step.
func (r *request) into(w *work) {
	if left := r.remaining(); left > 1 {
		w.prompt(r.chunk, r.computed, r.chunk >= left)
		return
	}
	w.chunk(r.chunk, r.computed)
}

// drafts is how many tokens are drafted for a request in its next step: none
// while it computes its prompt, and never more than it may still produce.
func (s *schedule) drafts(r *request) int {
	produced := int(r.ready.Load())
	if produced == 0 || r.remaining() > 1 {
		return 0
	}
	return min(s.draft.Draft, r.max-produced-1)
}

// preempt takes the memory of the request that was let in last. It waits again,
// and computes everything anew when its turn comes.
func (s *schedule) preempt() {
	last := len(s.running) - 1
	r := s.running[last]
	s.running = s.running[:last]
	s.pool.release(&r.memory)
	r.computed, r.chunk = 0, 0
	s.preempted++
	s.enqueue(r)
}

// finish ends the step that was planned: prompts advance, and each request
// whose tokens are all computed has one more, and those of its drafts that were
// right. Those that have all their tokens leave. It calls produced with every
// request that got tokens, and the numbers of the first and the last of them,
// before anybody else can know of it.
func (s *schedule) finish(end time.Time, produced func(r *request, from, to int)) {
	for _, r := range s.running {
		n := s.advance(r)
		if n == 0 {
			continue
		}
		from := int(r.ready.Load()) + 1
		to := from + n - 1
		if from == 1 {
			r.first = end
		}
		r.last = end
		produced(r, from, to)
		r.ready.Store(int32(to))
		r.tell()
	}
	s.remove(func(r *request) bool { return int(r.ready.Load()) >= r.max })
}

// advance books the step's chunk of a request, and returns how many tokens it
// yielded.
func (s *schedule) advance(r *request) int {
	left := r.remaining()
	if r.chunk < left || r.chunk == 0 {
		r.computed += r.chunk
		s.publish(r)
		return 0
	}
	right := 0
	if drafted := r.chunk - left; drafted > 0 {
		right = s.draft.accepted(drafted, s.rng)
		s.drafted += drafted
		s.proven += right
	}
	r.computed += left + right
	s.publish(r)
	return 1 + right
}

// publish lets others use what is computed of a request's prompt.
func (s *schedule) publish(r *request) {
	if s.batch.size == 0 && len(r.memory.known) < len(r.prompt.blocks) {
		s.pool.publish(&r.memory, r.prompt.blocks[:min(len(r.prompt.blocks), r.computed/s.pool.blockTokens)])
	}
}
