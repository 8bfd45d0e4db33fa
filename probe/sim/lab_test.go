package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// lab runs a schedule by its own step clock, as fast as the machine can: no
// goroutine, no timer, no noise.
type lab struct {
	*bed
	ended []*request

	arrive   func() (time.Time, bool) // queues the next request; false when there are no more
	received time.Time                // when the latest one of these arrives
}

// newLab is a lab for the first model of a configuration.
func newLab(t testing.TB, cfg Config) *lab {
	cfg = cfg.filled()
	if err := cfg.check(); err != nil {
		t.Fatal(err)
	}
	zero := time.Unix(1000, 0)
	return &lab{bed: &bed{t: t, zero: zero, free: zero, schedule: newSchedule(*cfg.settings(cfg.Models[0]), cfg.BlockTokens, cfg.Seed)}}
}

// drive runs steps until nothing is left to do; again is called with each
// request that ends.
func (l *lab) drive(again func(r *request)) {
	for {
		start, ok := l.start(l.free)
		if l.arrive != nil && (!ok || !l.received.After(start)) {
			if l.received, ok = l.arrive(); !ok {
				l.arrive = nil
			}
			continue
		}
		if !ok {
			return
		}
		w := l.plan(start)
		l.free = start.Add(l.costs.step(w))
		l.finish(l.free, func(r *request, _, to int) {
			if to == r.max {
				l.ended = append(l.ended, r)
				if again != nil {
					again(r)
				}
			}
		})
	}
}

// poisson queues n requests that arrive at random at a rate per second.
func (l *lab) poisson(n int, rate float64, rng *rand.Rand, of func(i int) (tokens, output int)) {
	at, i := 0.0, 0
	l.arrive = func() (time.Time, bool) {
		if i == n {
			return time.Time{}, false
		}
		i++
		at += rng.ExpFloat64() / rate
		tokens, output := of(i)
		r := l.queue(time.Duration(at*float64(time.Second)), uint64(1000+i), tokens, output)
		return r.queued, true
	}
	l.drive(nil)
}

// closed has a number of clients that send their next request when the last
// one ends, total in all. The requests that are looked at are those that were
// queued after the first two of each client had ended.
func (l *lab) closed(clients, total int, of func() (tokens, output int)) (looked []*request) {
	sent := 0
	send := func(at time.Duration) {
		if sent < total {
			sent++
			tokens, output := of()
			r := l.queue(at, uint64(1000+sent), tokens, output)
			if sent > 2*clients {
				looked = append(looked, r)
			}
		}
	}
	for range clients {
		send(0)
	}
	l.drive(func(*request) { send(l.since(l.free)) })
	return looked
}

// equal are requests of one size.
func equal(tokens, output int) func() (int, int) {
	return func() (int, int) { return tokens, output }
}

// varied are requests whose answers are of random length, from half to one and
// a half of the mean, so that clients don't march in step.
func varied(tokens, output int) func() (int, int) {
	rng := rand.New(rand.NewPCG(uint64(tokens), uint64(output)))
	return func() (int, int) { return tokens, output/2 + rng.IntN(output+1) }
}

// ttfts are the times from queue to first token, in order.
func ttfts(rs []*request) []time.Duration {
	d := make([]time.Duration, len(rs))
	for i, r := range rs {
		d[i] = r.first.Sub(r.queued)
	}
	slices.Sort(d)
	return d
}

func mean(d []time.Duration) time.Duration {
	var sum time.Duration
	for _, x := range d {
		sum += x
	}
	return sum / time.Duration(max(1, len(d)))
}

// throughput is output tokens per second, from the first token looked at to the
// last.
func throughput(rs []*request) float64 {
	from, to, tokens := rs[0].first, rs[0].last, 0
	for _, r := range rs {
		if r.first.Before(from) {
			from = r.first
		}
		if r.last.After(to) {
			to = r.last
		}
		tokens += r.max
	}
	return float64(tokens) / to.Sub(from).Seconds()
}

// claim holds a figure of the engine against one from elsewhere, and prints both.
func claim(t *testing.T, what string, got, want, tolerance float64, source string) {
	t.Helper()
	off := got/want - 1
	line := fmt.Sprintf("%-58s engine %9.4g  expected %9.4g  %+6.1f %%  (%s)", what, got, want, 100*off, source)
	if !(math.Abs(off) <= tolerance) {
		t.Errorf("%s: more than %.0f %% off", line, 100*tolerance)
		return
	}
	t.Log(line)
}

// within holds a figure of the engine to a range.
func within(t *testing.T, what string, got, least, most float64, source string) {
	t.Helper()
	line := fmt.Sprintf("%-58s engine %9.4g  expected %.4g to %.4g  (%s)", what, got, least, most, source)
	if !(got >= least && got <= most) {
		t.Error(line)
		return
	}
	t.Log(line)
}
