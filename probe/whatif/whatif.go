// Package whatif projects what the TTFT of a target would be if a lever were
// pulled: a smaller model, a cached or a shorter prompt, more capacity, a
// closer region. It is arithmetic on what was measured, and each figure has its
// assumption in a sentence: nothing here is a measurement.
//
// Start with Project. What can't be projected says why: nothing is made of a
// server time that isn't cut, of a queue that is only a lower bound, or of a
// baseline that isn't there.
package whatif

import (
	"time"

	"ttftop/probe"
)

// Known is what is known of a target over one epoch.
type Known struct {
	P50, P95   probe.Waterfall // cut near the quantile; empty where that isn't known
	Curve      probe.Curve     // the fitted baseline, nil for none
	Knobs      probe.Knobs
	Models     []string      // that the endpoint offers
	Prompt     int           // tokens of a prompt
	Cached     int           // of these, from a cache
	AtLeast    bool          // the queue is a lower bound
	AtMost     bool          // the queue is an upper bound
	ProxyOnly  bool          // the round trip is that to a proxy
	StreamTime time.Duration // how long a load stream takes, 0 for unknown

	Probes, Failed int                // that ended, and how many of these failed, in whatever way
	Calibrating    bool               // the baseline is still being fitted
	Engine         *probe.EngineState // as the server's own page last showed it; nil for none
}

// Lever is something that moves the TTFT.
type Lever string

// The levers of the server, in the order in which they cost least, and those of
// the client.
const (
	Model        Lever = "smaller model"
	Caching      Lever = "prompt caching"
	Speculation  Lever = "speculative decoding"
	Quantization Lever = "8-bit weights"
	Capacity     Lever = "twice the capacity"

	Prompt Lever = "half the prompt"
	Region Lever = "closer region"
)

// Projection is what a lever would do.
type Projection struct {
	Lever    Lever
	Beside   bool   // it is the client's, beside the server's in their order of cost
	Does     string // what is changed: "sim-1b, 12 % as large"
	P50, P95 Estimate
	Assumes  string // in one sentence
}

// Estimate is a projected TTFT, with the interval that comes from what it rests
// on: it is a point where that was measured or reported.
type Estimate struct {
	At, Lo, Hi time.Duration
	OK         bool
	Uncertain  bool   // it rests on a baseline that is: the interval is open
	Why        string // why there is none, where it is not OK
}

// Project projects every lever: those of the server in the order in which they
// cost least, and then those of the client.
func Project(k Known) []Projection {
	list := make([]Projection, 0, len(levers))
	for _, l := range levers {
		p := l(k)
		next := Projection{
			Lever: p.lever, Beside: p.beside, Does: p.does, Assumes: p.assumes,
			P50: p.estimate(k, k.P50, 0.50), P95: p.estimate(k, k.P95, 0.95),
		}
		if next.P50.Uncertain || next.P95.Uncertain {
			next.Assumes += "; baseline uncertain: " + k.doubt()
		}
		list = append(list, next)
	}
	return list
}

// plan is a lever as it would be pulled at a target.
type plan struct {
	lever         Lever
	beside        bool
	fitted        bool // it rests on the fitted baseline, however the TTFT was cut
	does, assumes string
	why           string // why nothing can be projected; "" where it can
	// times gives each segment's factor, near a quantile; or why there is none.
	times func(w probe.Waterfall, q float64) (factors, string)
}

// factors are by how much segments grow; one that isn't there stays as it is.
type factors map[probe.SegmentName]span

// span is a factor, and the least and the most it may be.
type span struct{ mid, lo, hi float64 }

func exactly(f float64) span { return span{f, f, f} }

func (p plan) estimate(k Known, w probe.Waterfall, q float64) Estimate {
	if len(w) == 0 {
		return Estimate{Why: k.few()}
	}
	if p.why != "" {
		return Estimate{Why: p.why}
	}
	f, why := p.times(w, q)
	if why != "" {
		return Estimate{Why: why}
	}
	uncertain := k.doubt() != "" && (p.fitted || f.touches(w, probe.Queue) || f.touches(w, probe.Prefill))
	if uncertain {
		w = opened(w)
	}
	e := apply(w, f)
	e.Uncertain = uncertain
	return e
}

// touches reports whether the factors change a segment that is estimated.
func (f factors) touches(w probe.Waterfall, name probe.SegmentName) bool {
	by, ok := f[name]
	return ok && by != exactly(1) && estimated(w, name)
}

// apply lengthens and shortens the segments. The TTFT itself is known exactly,
// so only what changes brings its interval with it, and what is estimated
// together shrinks by no more than its sum.
func apply(w probe.Waterfall, f factors) Estimate {
	at, lo, hi := float64(w.Total()), float64(w.Total()), float64(w.Total())
	known, guessed, shortest := 0.0, 0.0, 1.0
	for _, s := range w {
		if s.Source == probe.Estimated {
			guessed += float64(s.Duration)
		}
		by, ok := f[s.Name]
		if !ok {
			continue
		}
		least, most := s.Duration, s.Duration
		if s.Source == probe.Estimated {
			least, most = s.Lo, s.Hi
		}
		at += (by.mid - 1) * float64(s.Duration)
		a, b := (by.lo-1)*float64(least), (by.lo-1)*float64(most)
		c, d := (by.hi-1)*float64(least), (by.hi-1)*float64(most)
		lo += min(a, b, c, d)
		hi += max(a, b, c, d)
		if s.Source == probe.Estimated {
			shortest = min(shortest, by.lo)
		} else {
			known += min(0, a)
		}
	}
	lo = max(lo, float64(w.Total())+known-(1-shortest)*guessed)
	return Estimate{At: positive(at), Lo: positive(min(lo, at)), Hi: positive(max(hi, at)), OK: true}
}

func positive(ns float64) time.Duration { return max(0, time.Duration(ns)) }
