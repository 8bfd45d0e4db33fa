package sim

import (
	"context"
	"slices"
	"sync"
)

// fleet is the replicas of one model, each with memory and a queue of its own.
type fleet struct {
	model Model
	start func(number int, s *settings) *engine // makes a replica, and runs it

	mu       sync.Mutex
	replicas []*engine // those that ever were: those above count end what they have
	count    int       // that get requests
	routing  Routing
	turn     int
}

// set gives every replica its settings, and starts those that are missing.
func (f *fleet) set(c Config) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := c.settings(f.model)
	for _, e := range f.replicas {
		e.set(s)
	}
	for len(f.replicas) < c.Replicas {
		f.replicas = append(f.replicas, f.start(len(f.replicas), s))
	}
	f.count, f.routing = c.Replicas, c.Routing
}

// pick chooses the replica that a request goes to. Among equals it is the first.
func (f *fleet) pick() *engine {
	f.mu.Lock()
	defer f.mu.Unlock()
	ready := f.replicas[:f.count]
	if f.routing == RoundRobin {
		f.turn = (f.turn + 1) % len(ready)
		return ready[f.turn]
	}
	return slices.MinFunc(ready, func(a, b *engine) int { return int(a.load.Load() - b.load.Load()) })
}

// all are the replicas that ever were.
func (f *fleet) all() []*engine {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.replicas)
}

// newFleet makes the replicas of a model, which run until ctx ends.
func (s *Server) newFleet(ctx context.Context, m Model) *fleet {
	f := &fleet{model: m}
	f.start = func(number int, set *settings) *engine {
		e := newEngine(set, s.fixed.BlockTokens, s.fixed.Seed+uint64(number), s.pace, s.ledger)
		s.work.Go(func() { e.run(ctx) })
		return e
	}
	return f
}

// engines are those of every model, in order.
func (s *Server) engines() []*engine {
	var all []*engine
	for _, name := range s.names {
		all = append(all, s.fleets[name].all()...)
	}
	return all
}
