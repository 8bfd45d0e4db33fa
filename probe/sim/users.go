package sim

import (
	"context"
	"hash/maphash"
	"math/rand/v2"
	"time"
)

// users sends background requests to an engine at random instants: gaps are
// exponentially distributed. Each prompt is unique.
func (s *Server) users(ctx context.Context, e *engine, stream uint64) {
	u := s.cfg.Users
	rng := rand.New(rand.NewPCG(s.cfg.Seed, stream))
	at := time.Now()
	for n := uint64(0); ; n++ {
		at = at.Add(time.Duration(rng.ExpFloat64() / u.Rate * float64(time.Second)))
		if !s.pace.until(ctx.Done(), at) {
			return
		}
		if now := time.Now(); now.Sub(at) > behindLimit {
			at = now // the machine stood still: no burst of what was missed
		}
		e.submit(&request{prompt: s.userPrompt(stream, n), max: u.OutputTokens, arrived: at, queued: at})
	}
}

// userPrompt is a prompt of the users' length that nobody else has.
func (s *Server) userPrompt(stream, n uint64) prompt {
	p := prompt{tokens: s.cfg.Users.PromptTokens}
	chain := maphash.Comparable(hashSeed, link64{stream, n})
	for range p.tokens / s.cfg.BlockTokens {
		chain = maphash.Comparable(hashSeed, link64{chain, 0})
		p.blocks = append(p.blocks, chain)
	}
	return p
}
