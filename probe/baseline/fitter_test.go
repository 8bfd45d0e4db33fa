package baseline

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"ttftop/probe/race"
)

func TestEqualPointsGiveEqualCurves(t *testing.T) {
	curve := func() Curve {
		s := newSession(9)
		s.ladder(server{fixed: 20, perK: 41, noise: .05, idle: .6, wait: 80}, 3)
		s.steady(server{fixed: 20, perK: 41, noise: .05, idle: .6, wait: 80}, 512, 100, false)
		c, _ := s.f.Curve()
		return c
	}
	if a, b := curve(), curve(); !reflect.DeepEqual(a, b) {
		t.Errorf("%v and %v differ", a, b)
	}
}

func TestCurveStandsUntilTheNextAdd(t *testing.T) {
	f := exact(server{fixed: 20, perK: 40}, 2, 16, 1024)
	a := curveOf(t, f)
	b := curveOf(t, f)
	if &a.draws[0] != &b.draws[0] {
		t.Error("computed again without a new point")
	}
	before, _, _ := a.At(1024)
	for i := range 30 {
		f.Add(Point{At: epoch.Add(time.Duration(i) * time.Minute), Tokens: 1024, Server: 10 * time.Millisecond})
	}
	curveOf(t, f)
	if after, _, _ := a.At(1024); after != before {
		t.Error("a curve changed after it was given out")
	}
}

// Whatever is added, the fitter stays bounded, never panics and its figures
// are in order.
func TestAnyPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	f := &Fitter{}
	at := epoch
	for range race.Fewer(3000) {
		at = at.Add(time.Duration(r.Int64N(int64(3*time.Minute))) - time.Minute)
		p := Point{At: at, Tokens: r.IntN(1 << uint(1+r.IntN(20))), Server: time.Duration(r.Int64N(1 << uint(1+r.IntN(40)))), Loaded: r.IntN(5) == 0}
		switch r.IntN(50) {
		case 0:
			p.Tokens = -p.Tokens - 1
		case 1:
			p.Server = -p.Server - 1
		case 2:
			p.Server = 0
		case 3:
			p.At = time.Time{}
		}
		f.Add(p)
		c, ok := f.Curve()
		f.Changed()
		if !ok {
			continue
		}
		inOrder(t, c)
	}
	if len(f.lengths) > maxLengths {
		t.Errorf("%d lengths kept", len(f.lengths))
	}
	for _, l := range f.lengths {
		if len(l.quiet) > seriesCap || len(l.loaded) > seriesCap || cap(l.quiet) > 4*seriesCap {
			t.Errorf("%d and %d points kept, room for %d", len(l.quiet), len(l.loaded), cap(l.quiet))
		}
	}
}

func inOrder(t *testing.T, c Curve) {
	t.Helper()
	for _, n := range []int{0, 1, 100, 10_000, 1 << 20} {
		for name, figure := range map[string]func() (mid, lo, hi time.Duration){
			"at": func() (mid, lo, hi time.Duration) { return c.At(n) }, "prefill": func() (mid, lo, hi time.Duration) { return c.Prefill(n) }, "fixed": c.Fixed,
		} {
			if mid, lo, hi := figure(); lo < 0 || lo > mid || mid > hi {
				t.Fatalf("%s %d: %v (%v…%v)", name, n, mid, lo, hi)
			}
		}
	}
	if c.fit.a < 0 || c.fit.b < 0 || c.fit.c < 0 || c.fit.d < 0 {
		t.Fatalf("negative coefficient: %+v", c.fit.model)
	}
}

// Thinning keeps the newest points in full and spreads the older ones over
// time, whatever they cost.
func TestSeriesIsThinnedByTime(t *testing.T) {
	var s series
	for i := range 1500 {
		s = s.add(Point{At: epoch.Add(time.Duration(i) * time.Second), Server: time.Duration(i)})
	}
	if len(s) != seriesCap {
		t.Fatalf("%d points, want %d", len(s), seriesCap)
	}
	for i := 1; i < freshest; i++ {
		if gap := s[len(s)-i].At.Sub(s[len(s)-i-1].At); gap != time.Second {
			t.Fatalf("the newest points stand %v apart", gap)
		}
	}
	if age := s[len(s)-1].At.Sub(s[0].At); age < 20*time.Minute {
		t.Errorf("the oldest point is %v old", age)
	}
	old := s[:len(s)-freshest]
	for i := 1; i < len(old); i++ {
		if gap := old[i].At.Sub(old[i-1].At); gap > 2*time.Minute {
			t.Errorf("a gap of %v among the older points", gap)
		}
	}
}

// Old points leave, but never so many that a length is known from a few only.
func TestSeriesForgets(t *testing.T) {
	var s series
	for i := range 20 {
		s = s.add(Point{At: epoch.Add(time.Duration(i) * time.Second)})
	}
	later := epoch.Add(2 * horizon)
	for i := range 3 {
		s = s.add(Point{At: later.Add(time.Duration(i) * time.Second)})
	}
	if len(s) != keepAged {
		t.Errorf("%d points are left, want %d", len(s), keepAged)
	}
	for i := range 10 {
		s = s.add(Point{At: later.Add(time.Duration(i) * time.Minute)})
	}
	if s[0].At.Before(later) {
		t.Errorf("a point of %v is left", s[0].At)
	}
}

func fullFitter() (*Fitter, Point) {
	s := newSession(4)
	sv := server{fixed: 20, perK: 41, perKK: 2, noise: .05, idle: .5, wait: 100}
	for range seriesCap {
		s.ladder(sv, 1)
	}
	return &s.f, Point{At: s.now, Tokens: 1024, Server: 70 * time.Millisecond}
}

// One probe's work: a point and the curve after it, on a full window.
func BenchmarkCurve(b *testing.B) {
	f, p := fullFitter()
	b.ReportAllocs()
	for b.Loop() {
		p.At = p.At.Add(time.Second)
		f.Add(p)
		f.Curve()
	}
}

// The worst case: every length that is kept apart is in use.
func BenchmarkCurveManyLengths(b *testing.B) {
	f, p := fullFitter()
	for i := range maxLengths {
		f.Add(Point{At: p.At, Tokens: 32 << uint(i%10) * (8 + i/10) / 8, Server: time.Duration(20+i) * time.Millisecond})
	}
	b.ReportAllocs()
	for b.Loop() {
		p.At = p.At.Add(time.Second)
		f.Add(p)
		f.Curve()
	}
}

func BenchmarkAt(b *testing.B) {
	f, _ := fullFitter()
	c, _ := f.Curve()
	for b.Loop() {
		c.At(1024)
	}
}
