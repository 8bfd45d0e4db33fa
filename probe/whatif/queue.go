package whatif

import (
	"math"

	"ttftop/probe"
)

// The wait of a request is projected from two models. Where this program keeps
// load streams in flight the load is closed: each stream is followed by the
// next, and the more slowly they are served the more slowly they come. Where
// others cause the queue the load is open: they come at their own rate.

// queueWords is how the queue of a target is projected, for an assumption.
func (k Known) queueWords() string {
	if k.Knobs.Pressure > 0 {
		return "the queue goes with the service of the load streams"
	}
	if k.timed() {
		return "the queue stays: nothing runs or waits by the server's own page, so a batching timer may make it"
	}
	return "the queue goes by M/M/1, at worst as the service does"
}

// timed reports whether the queue seems to be a timer's, which no lever moves.
func (k Known) timed() bool { return k.Knobs.Pressure == 0 && k.Engine.Unshared(k.P50) }

// service is how long a request occupies the server until its first token, in
// nanoseconds.
func service(w probe.Waterfall) float64 { return of(w, probe.Prefill) + of(w, probe.FirstDecode) }

// shorter is what a service takes of what it takes now, when its prefill and
// decode take other times. Where every service shrinks to that share, waits
// shrink to it at least, whatever the requests of others are like: in Lindley's
// recursion W' = max(0, W + S − A) only the intervals A between arrivals stay.
func shorter(w probe.Waterfall, prefill, decode float64) float64 {
	p, d := of(w, probe.Prefill), of(w, probe.FirstDecode)
	return (prefill*p + decode*d) / (p + d)
}

// splitMost is what is left of the mean wait at most where half of the requests
// go to a second server: λ·E[S²] / 2(1 − λ·E[S]) with half of λ, whatever the
// services are like (the Pollaczek–Khinchine formula).
const splitMost = 0.5

// queueFactor is by how much the wait grows when every request takes other
// times for prefill and decode.
//
// In a closed loop without think time every time scales with the service of a
// stream, which is one prefill and its decode steps.
func (k Known) queueFactor(w probe.Waterfall, q, prefill, decode float64) (float64, string) {
	p, d := of(w, probe.Prefill), of(w, probe.FirstDecode)
	if p+d <= 0 {
		return 0, "the service time isn't known"
	}
	if k.Knobs.Pressure > 0 {
		steps := d * (probe.LoadOutputCap - 1)
		return (prefill*p + decode*steps) / (p + steps), ""
	}
	r := shorter(w, prefill, decode)
	wait, s := of(w, probe.Queue), service(w)
	rho := utilisation(wait, s, q)
	return waitMMc(1, r*rho, r*s, q) / wait, ""
}

// doubled is the wait with twice as many servers, in nanoseconds.
func (k Known) doubled(w probe.Waterfall, q float64) (float64, string) {
	wait := of(w, probe.Queue)
	if k.Knobs.Pressure == 0 {
		s := service(w)
		if s <= 0 {
			return 0, "the service time isn't known"
		}
		return waitMMc(2, utilisation(wait, s, q), s, q), ""
	}
	if k.StreamTime <= 0 {
		return 0, "no load stream has ended yet: their service isn't known"
	}
	next, ok := split(wait, float64(k.StreamTime), k.Knobs.Pressure)
	if !ok {
		return 0, "the queue is longer than the load streams can make it"
	}
	return next, ""
}

// waitMMc is the quantile q of the wait in an M/M/c queue, first come first
// served, for an offered load a = λ·s below c, where a service takes s in the
// mean: P(wait > t) = C(c, a)·e^(−(c−a)·t/s), with Erlang's C (Gross and Harris,
// "Fundamentals of Queueing Theory", section 2.3; Kleinrock, "Queueing Systems",
// volume 1, section 3.5). It is in the unit of s.
func waitMMc(c int, a, s, q float64) float64 {
	p := erlangC(c, a)
	if p <= 1-q {
		return 0
	}
	return s / (float64(c) - a) * math.Log(p/(1-q))
}

// erlangC is the chance that a request has to wait in an M/M/c queue with the
// offered load a < c.
func erlangC(c int, a float64) float64 {
	term, sum := 1.0, 0.0 // a^k / k!
	for k := range c {
		sum += term
		term *= a / float64(k+1)
	}
	last := term * float64(c) / (float64(c) - a)
	return last / (sum + last)
}

// utilisation is that of the M/M/1 queue whose wait has the quantile q at wait,
// where a service takes s: the inverse of waitMMc.
func utilisation(wait, s, q float64) float64 {
	return bisect(1-q, 1, func(rho float64) bool { return waitMMc(1, rho, s, q) < wait })
}

// split is the wait after half of n load streams have gone to a second server;
// false where they can't be what makes the wait.
//
// Each stream waits, is served at the bottleneck, and spends the rest of its
// time decoding beside others, as machines wait for one repairman and then run.
// A probe that arrives finds the bottleneck as the streams keep it (the arrival
// theorem), so wait = s·Q(n), where Q is found by mean value analysis (Reiser
// and Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks",
// JACM 27, 1980). The service s at the bottleneck is the one that gives the wait
// seen.
func split(wait, stream float64, n int) (float64, bool) {
	running := func(s float64) float64 { return max(0, stream-wait-s) }
	most := max(0, stream-wait)
	if atStation(n, most, 0)*most < wait {
		return 0, false
	}
	s := bisect(0, most, func(s float64) bool { return s*atStation(n, s, running(s)) < wait })
	half := (atStation(n/2, s, running(s)) + atStation(n-n/2, s, running(s))) / 2
	return min(wait, s*half), true
}

// atStation is the mean number of n customers that are at a station with the
// mean service s, waiting or in service, when they spend think elsewhere
// between two visits: Q(k) = k·R/(think + R) with R = s·(1 + Q(k−1)).
func atStation(n int, s, think float64) float64 {
	at := 0.0
	for k := 1; k <= n; k++ {
		r := s * (1 + at)
		if think+r <= 0 {
			return 0
		}
		at = float64(k) * r / (think + r)
	}
	return at
}

// bisect is where below turns false between lo and hi.
func bisect(lo, hi float64, below func(float64) bool) float64 {
	for range 60 {
		if mid := (lo + hi) / 2; below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
