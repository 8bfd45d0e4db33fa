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
	replicas []*engine // that get requests
	leaving  []*engine // that get none any more, and end what they have
	routing  Routing
	turn     int
}

// set gives every replica its settings, starts those that are missing, and
// takes those that are too many out of service.
func (f *fleet) set(c Config) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := c.settings(f.model)
	for len(f.replicas) > c.Replicas {
		last := len(f.replicas) - 1
		f.leaving = append(f.leaving, f.replicas[last])
		f.replicas[last].retire()
		f.replicas = f.replicas[:last]
	}
	for _, e := range slices.Concat(f.replicas, f.leaving) {
		e.set(s)
	}
	for len(f.replicas) < c.Replicas {
		f.replicas = append(f.replicas, f.start(f.free(), s))
	}
	f.routing = c.Routing
}

// free is the lowest number that no replica has. The caller holds mu.
func (f *fleet) free() int {
	n := 0
	for slices.ContainsFunc(slices.Concat(f.replicas, f.leaving), func(e *engine) bool { return e.number == n }) {
		n++
	}
	return n
}

// submit hands a request to the replica that it goes to, or returns false where
// the queue there is full.
func (f *fleet) submit(r *request) bool {
	f.mu.Lock() // a replica is not retired between being picked and being given
	defer f.mu.Unlock()
	return f.pick().submit(r)
}

// pick chooses the replica that a request goes to. Among equals it is the first.
// The caller holds mu.
func (f *fleet) pick() *engine {
	if f.routing == RoundRobin {
		f.turn = (f.turn + 1) % len(f.replicas)
		return f.replicas[f.turn]
	}
	return slices.MinFunc(f.replicas, func(a, b *engine) int { return int(a.load.Load() - b.load.Load()) })
}

// full reports whether every replica refuses requests.
func (f *fleet) full() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !slices.ContainsFunc(f.replicas, func(e *engine) bool { return !e.full() })
}

// all are the replicas that there are, by their numbers.
func (f *fleet) all() []*engine {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Concat(f.replicas, f.leaving)
	slices.SortFunc(all, func(a, b *engine) int { return a.number - b.number })
	return all
}

// forget drops a replica that has left.
func (f *fleet) forget(gone *engine) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leaving = slices.DeleteFunc(f.leaving, func(e *engine) bool { return e == gone })
}

// newFleet makes the replicas of a model, which run until they have left or ctx
// ends.
func (s *Server) newFleet(ctx context.Context, m Model) *fleet {
	f := &fleet{model: m}
	f.start = func(number int, set *settings) *engine {
		e := newEngine(set, number, s.fixed.BlockTokens, s.fixed.Seed+uint64(number), s.pace, s.ledger)
		s.work.Go(func() {
			e.run(ctx)
			f.forget(e)
		})
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
