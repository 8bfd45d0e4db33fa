package sim

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
