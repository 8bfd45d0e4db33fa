package sim

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// What may wait at one replica at most: beyond it requests are refused, so that
// load above the capacity fills a queue and not the memory of the machine.
const (
	mostWaiting       = 4096
	mostWaitingBlocks = 4 << 20 // of prompts; 8 bytes each
)

// backlog is what waits at a replica.
type backlog struct{ requests, blocks int }

func (b *backlog) add(r *request) {
	b.requests++
	b.blocks += len(r.prompt.blocks)
}

// full reports whether no more may wait where so many requests may.
func (b backlog) full(limit int) bool { return b.requests >= limit || b.blocks >= mostWaitingBlocks }

// shed refuses the requests that came last where more wait than may: the limit
// was lowered. One that has tokens already, and waits for its memory, stays.
func (s *schedule) shed() {
	over := len(s.waiting) - s.maxWaiting
	if over <= 0 {
		return
	}
	for _, r := range slices.Backward(s.waiting) {
		if over > 0 && !r.started.Load() {
			r.refused.Store(true)
			r.tell()
			over--
		}
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(r *request) bool { return r.refused.Load() })
}

// refusals counts those that found the queue of a model full.
type refusals struct{ users, requests atomic.Int64 }

// Refused is how many found a queue full: background users, who went away, and
// requests, which were answered with 429.
type Refused struct {
	Users    int64 `json:"users"`
	Requests int64 `json:"requests"`
}

// Refused is how many the server has refused so far.
func (s *Server) Refused() Refused {
	return Refused{s.refusals.users.Load(), s.refusals.requests.Load()}
}

// String is that in one sentence, "" where none was refused.
func (r Refused) String() string {
	if r == (Refused{}) {
		return ""
	}
	return fmt.Sprintf("the queue was full (max-waiting): %d background users went away, and %d requests were refused with 429", r.Users, r.Requests)
}
