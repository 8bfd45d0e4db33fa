package baseline

import (
	"math"
	"math/rand/v2"
	"time"
)

// server is a synthetic one whose truth is known: prefill as the larger of its
// compute and of reading the weights, noise of its own, and a queue.
type server struct {
	fixed       float64 // ms
	perK, perKK float64 // ms per 1,000 tokens, and per 1,000 squared
	weights     float64 // ms that reading the weights takes
	bend        func(k float64) float64
	noise       float64 // relative standard deviation of an idle request
	jitter      float64 // mean of an exponential delay of the path, ms
	idle        float64 // share of requests that find it free
	wait        float64 // mean wait of the others, ms
	draw        func(r *rand.Rand) float64
}

func (s server) prefill(n int) float64 {
	k := float64(n) / 1000
	if s.bend != nil {
		return s.bend(k)
	}
	return max(0, s.perK*k+s.perKK*k*k-s.weights)
}

func (s server) truth(n int) float64 { return s.fixed + s.prefill(n) }

func (s server) cost(r *rand.Rand, n int) time.Duration {
	v := s.truth(n)*max(0.5, 1+s.noise*r.NormFloat64()) + s.jitter*r.ExpFloat64()
	if r.Float64() >= s.idle {
		switch {
		case s.draw != nil:
			v += s.draw(r)
		default:
			v += s.wait * r.ExpFloat64()
		}
	}
	return time.Duration(v * float64(time.Millisecond))
}

var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// session probes a server as the program does: a ladder, then one length with
// a sentinel now and then, one probe a second.
type session struct {
	r      *rand.Rand
	f      Fitter
	now    time.Time
	count  int
	probed int
	told   []string
}

func newSession(seed uint64) *session {
	return &session{r: rand.New(rand.NewPCG(seed, 7)), now: epoch}
}

var rungs = []int{16, 64, 256, 1024, 2048, 4096, 8192}

func (s *session) ladder(sv server, repeats int) {
	for range repeats {
		for _, n := range rungs {
			s.probe(sv, n, false)
		}
	}
}

func (s *session) steady(sv server, n, probes int, loaded bool) {
	for range probes {
		s.count++
		if s.count%15 == 0 {
			s.probe(sv, 16, loaded)
			continue
		}
		s.probe(sv, n, loaded)
	}
}

func (s *session) probe(sv server, n int, loaded bool) {
	tokens := n + s.r.IntN(3) - 1
	s.now = s.now.Add(time.Second)
	s.f.Add(Point{At: s.now, Tokens: tokens, Server: sv.cost(s.r, n), Loaded: loaded})
	if s.probed++; s.probed < 40 || s.probed%20 == 0 { // the opening needs each; later it is only time
		s.f.Curve()
	}
	if sentence, ok := s.f.Changed(); ok {
		s.told = append(s.told, sentence)
	}
}

// off is the relative error of the curve at n, as a share of the truth.
func off(c Curve, sv server, n int) float64 {
	mid, _, _ := c.At(n)
	truth := sv.truth(n) * float64(time.Millisecond)
	return (float64(mid) - truth) / truth
}

func worst(c Curve, sv server, lengths ...int) float64 {
	w := 0.0
	for _, n := range lengths {
		w = max(w, math.Abs(off(c, sv, n)))
	}
	return w
}
