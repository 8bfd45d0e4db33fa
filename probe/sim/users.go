package sim

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"time"
)

// Users are background users: requests that nobody reads, which arrive at
// random (a Poisson process) at each model.
type Users struct {
	Rate         float64 // requests per second and model, over the day; 0 for none
	PromptTokens int     // median
	OutputTokens int     // median
	PromptSpread float64 // sigma of a lognormal distribution; 0: all prompts are of the same length
	OutputSpread float64 // the same of outputs; chats are seen to have about 1
	SharedTokens int     // that all their prompts begin with, such as a system prompt; within PromptTokens

	Day  time.Duration // that a day of theirs takes, from 9 o'clock on; 0 for a rate that never changes
	Peak float64       // lunchtime against the mean of the day, 1.7 to 8; 0 for 3
}

// check finds lengths of requests that don't go together.
func (u Users) check(context int, inFile bool) error {
	switch {
	case !(u.PromptSpread >= 0 && u.OutputSpread >= 0) || u.PromptSpread > 3 || u.OutputSpread > 3:
		return errors.New("background users need spreads of 0 to 3")
	case u.Rate == 0:
		return nil
	case u.PromptTokens < 1 || u.OutputTokens < 1 || u.PromptTokens+u.OutputTokens > context:
		return fmt.Errorf("%s is %d and %s %d: each must be at least 1, and together at most %d, the context",
			called("user-prompt", inFile), u.PromptTokens, called("user-output", inFile), u.OutputTokens, context)
	case u.SharedTokens < 0 || u.SharedTokens >= u.PromptTokens:
		return fmt.Errorf("background users share %d tokens: it must be less than their prompts of %d", u.SharedTokens, u.PromptTokens)
	}
	return nil
}

// checkTenants finds further users that there can't be.
func (c Config) checkTenants() error {
	for i, u := range c.Tenants {
		err := u.check(c.ContextTokens, true)
		switch {
		case !(u.Rate >= 0 && u.Rate <= MostUsers):
			err = fmt.Errorf("it needs a Rate of 0 to %d, and has %v", MostUsers, u.Rate)
		case u.Day != 0 && (u.Day < time.Second || u.Day > 24*time.Hour):
			err = fmt.Errorf("its day is %v: set it to 1s to 24h, or to 0 for none", u.Day)
		case u.Peak != 0 && !(u.Peak >= leastPeak && u.Peak <= mostPeak):
			err = fmt.Errorf("its peak is %v: set it to %v to %v", u.Peak, leastPeak, float64(mostPeak))
		}
		if err != nil {
			return fmt.Errorf("tenant %d: %w", i+1, err)
		}
	}
	return nil
}

func (u Users) faster(speed float64) Users {
	u.Rate *= speed
	u.Day = shorter(u.Day, speed)
	return u
}

// A day: few at night, many from 7 to 22 o'clock, and a rush around half past
// twelve. The shape is an assumption; what is to be seen is that a rush comes
// and goes.
const (
	dayBegins  = 9 // o'clock, at the start of the server
	lunch      = 12.5
	lunchWidth = 0.8 // hours, standard deviation
	leastPeak  = 1.7 // of a day without a rush
	mostPeak   = 8   //
	dayMean    = 0.3 + 0.7*15/24*2/math.Pi
	lunchMean  = lunchWidth * 2.5066282746310002 / 24 // √(2π)
)

// atHour is the number of people about at an hour of the day, rush apart.
func atHour(hour float64) float64 {
	return 0.3 + 0.7*max(0, math.Sin(math.Pi*(hour-7)/15))*inDay(hour)
}

// inDay is 1 from 7 to 22 o'clock, else 0.
func inDay(hour float64) float64 {
	if hour < 7 || hour > 22 {
		return 0
	}
	return 1
}

// crowd is the rate against its mean, so long after the start.
func (u Users) crowd(since time.Duration) float64 {
	if u.Day == 0 {
		return 1
	}
	hour := math.Mod(dayBegins+24*since.Seconds()/u.Day.Seconds(), 24)
	peak := u.peak()
	rush := (peak*dayMean - atHour(lunch)) / (1 - peak*lunchMean)
	d := (hour - lunch) / lunchWidth
	return (atHour(hour) + rush*math.Exp(-d*d/2)) / (dayMean + rush*lunchMean)
}

func (u Users) peak() float64 {
	if u.Peak == 0 {
		return 3
	}
	return u.Peak
}

// most is an upper bound of crowd.
func (u Users) most() float64 {
	if u.Day == 0 {
		return 1
	}
	return 1.1 * u.peak()
}

// users sends background requests to a model until ctx ends: those of the
// levers, or those of a tenant. A changing rate is made by thinning (Lewis and
// Shedler, "Simulation of Nonhomogeneous Poisson Processes by Thinning", 1979).
func (s *Server) users(ctx context.Context, f *fleet, of func(*Config) Users, stream uint64) {
	rng := rand.New(rand.NewPCG(s.fixed.Seed, stream))
	at := time.Now()
	for n := uint64(0); ; n++ {
		changed := *s.changed.Load()
		u := of(s.obeyed.Load())
		if u.Rate == 0 {
			<-changed
		} else {
			at = at.Add(time.Duration(rng.ExpFloat64() / (u.Rate * u.most()) * float64(time.Second)))
		}
		if u.Rate == 0 || !s.pace.until(changed, at) {
			if ctx.Err() != nil {
				return
			}
			at = time.Now()
			continue
		}
		if now := time.Now(); now.Sub(at) > behindLimit {
			at = now // the machine stood still: no burst of what was missed
		}
		if rng.Float64()*u.most() < u.crowd(at.Sub(s.made)) {
			if e := f.pick(); !e.full() { // else this one goes away
				e.submit(s.userRequest(u, rng, stream, n, at))
			}
		}
	}
}

// userRequest draws a request of a user.
func (s *Server) userRequest(u Users, rng *rand.Rand, stream, n uint64, at time.Time) *request {
	most := s.fixed.ContextTokens
	output := min(lengthOf(u.OutputTokens, u.OutputSpread, rng), most/2)
	tokens := min(max(lengthOf(u.PromptTokens, u.PromptSpread, rng), u.SharedTokens+1), most-output)
	return &request{prompt: s.userPrompt(tokens, u.SharedTokens, stream, n), max: output, arrived: at, queued: at}
}

// lengthOf draws a length: lognormal around its median.
func lengthOf(median int, spread float64, rng *rand.Rand) int {
	if spread == 0 {
		return median
	}
	return max(1, int(math.Round(float64(median)*math.Exp(spread*rng.NormFloat64()))))
}

// userPrompt is a prompt that nobody else has but for its first shared tokens.
func (s *Server) userPrompt(tokens, shared int, stream, n uint64) prompt {
	p := prompt{tokens: tokens}
	size := s.fixed.BlockTokens
	chain := maphash.Comparable(hashSeed, link64{stream, 0})
	for end := size; end <= tokens; end += size {
		own := uint64(0)
		if end > shared {
			own = n + 1
		}
		chain = maphash.Comparable(hashSeed, link64{chain, own})
		p.blocks = append(p.blocks, chain)
	}
	return p
}
