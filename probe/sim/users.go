package sim

import (
	"context"
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

// check finds lengths of requests that don't go together. In a scenario file
// its fields are those of the table given.
func (u Users) check(table string, context int, inFile bool) error {
	name := func(lever, field string) string { return named(lever, table+"."+field, inFile) }
	switch {
	case u.Rate == 0 || u.PromptTokens < 1 || u.OutputTokens < 1: // bounds say so
		return nil
	case u.PromptTokens+u.OutputTokens > context:
		return fmt.Errorf("%s is %d and %s %d: together they may be %d, the context",
			name("user-prompt", "prompt_tokens"), u.PromptTokens, name("user-output", "output_tokens"), u.OutputTokens, context)
	case u.SharedTokens >= u.PromptTokens:
		return fmt.Errorf("%s is %d: set it to 0 to %d, less than their prompts have", name("user-shared", "shared_tokens"), u.SharedTokens, u.PromptTokens-1)
	}
	return nil
}

// mostSpread bounds the sigma of a distribution of lengths.
const mostSpread = 3

// checkTenants finds further users that there can't be. They have their names in
// a scenario file.
func (c Config) checkTenants() error {
	for i, u := range c.Tenants {
		if field, err := u.checkTenant(fmt.Sprintf("tenants[%d]", i), c.ContextTokens); err != nil {
			return misfit(fmt.Sprintf("tenants.%d.%s", i, field), err)
		}
	}
	return nil
}

// checkTenant finds what can't be in a table of a scenario file, and its field.
func (u Users) checkTenant(table string, context int) (field string, err error) {
	wrong := func(name string, value any, want string) (string, error) {
		return name, fmt.Errorf("%s.%s is %v: set it to %s", table, name, value, want)
	}
	switch {
	case !(u.Rate >= 0 && u.Rate <= MostUsers):
		return wrong("rate", plainly(u.Rate), fmt.Sprintf("0 to %d", MostUsers))
	case u.Day != 0 && (u.Day < time.Second || u.Day > 24*time.Hour):
		return wrong("day", u.Day, "1s to 24h, or to 0s for none")
	case u.Peak != 0 && !(u.Peak >= leastPeak && u.Peak <= mostPeak):
		return wrong("peak", plainly(u.Peak), fmt.Sprintf("%v to %v", leastPeak, mostPeak))
	case !(u.PromptSpread >= 0 && u.PromptSpread <= mostSpread):
		return wrong("prompt_spread", plainly(u.PromptSpread), fmt.Sprintf("0 to %d", mostSpread))
	case !(u.OutputSpread >= 0 && u.OutputSpread <= mostSpread):
		return wrong("output_spread", plainly(u.OutputSpread), fmt.Sprintf("0 to %d", mostSpread))
	case u.SharedTokens < 0:
		return wrong("shared_tokens", u.SharedTokens, "0 or more")
	case u.Rate > 0 && u.PromptTokens < 1:
		return wrong("prompt_tokens", u.PromptTokens, "1 or more")
	case u.Rate > 0 && u.OutputTokens < 1:
		return wrong("output_tokens", u.OutputTokens, "1 or more")
	}
	return "prompt_tokens", u.check(table, context, true)
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
		switch {
		case rng.Float64()*u.most() >= u.crowd(at.Sub(s.made)): // there is none
		case f.full():
			s.refusals.users.Add(1)
		default:
			f.submit(s.userRequest(u, s.contextOf(f.model), rng, stream, n, at))
		}
	}
}

// userRequest draws a request of a user, of at most so many tokens.
func (s *Server) userRequest(u Users, most int, rng *rand.Rand, stream, n uint64, at time.Time) *request {
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
