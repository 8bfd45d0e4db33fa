package sim

import (
	"slices"
	"time"
)

// staticBatch is the batch under way under Static; its size is 0 for none.
type staticBatch struct {
	size  int // requests that it began with: its steps cost as much to the end
	width int // tokens of each sequence, padding included
}

// batchReady is when the next batch begins, with at least one request waiting:
// when it is full, or the first request has waited long enough.
func (s *schedule) batchReady() time.Time {
	at := s.waiting[0].queued.Add(s.batchWait)
	if len(s.waiting) >= s.maxBatch {
		if full := s.waiting[s.maxBatch-1].queued; full.Before(at) {
			return full
		}
	}
	return at
}

// openBatch lets in a batch, as far as there is memory for all of each answer,
// and computes its prompts in one step, all padded to the longest.
func (s *schedule) openBatch(start time.Time) work {
	for len(s.running) < s.maxBatch {
		i := s.next(start)
		if i < 0 {
			break
		}
		r := s.waiting[i]
		if _, ok := s.pool.admit(&r.memory, nil, r.prompt.tokens+r.max); !ok {
			break
		}
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.running = append(s.running, r)
		s.begin(r, start)
		r.chunk = r.remaining()
		s.batch.width = max(s.batch.width, r.chunk)
	}
	s.batch.size = len(s.running)
	var w work
	for range s.batch.size {
		w.prompt(s.batch.width, 0, true)
	}
	return w
}

// continueBatch makes one decode step of all that the batch began with.
func (s *schedule) continueBatch() work {
	var w work
	for range s.batch.size {
		w.chunk(1+s.draft.Draft, s.batch.width)
	}
	s.batch.width++
	for _, r := range s.running {
		r.chunk = r.remaining() + s.drafts(r)
	}
	return w
}
