package sim

import (
	"fmt"
	"sync/atomic"
)

// What may wait at one replica: beyond it requests are refused, so that load
// above the capacity fills a queue and not the memory of the machine.
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

func (b backlog) full() bool { return b.requests >= mostWaiting || b.blocks >= mostWaitingBlocks }

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
	return fmt.Sprintf("the queue was full, in which up to %d requests wait: %d background users went away, and %d requests were refused with 429",
		mostWaiting, r.Users, r.Requests)
}
