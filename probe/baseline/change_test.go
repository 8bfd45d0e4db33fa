package baseline

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe/race"
)

func TestServerChanges(t *testing.T) {
	was := server{fixed: 20, perK: 41, noise: .03, idle: 1}
	queued := was
	queued.idle, queued.wait = .5, 100
	scaled := func(s server, by float64) server {
		s.fixed *= by
		s.perK *= by
		return s
	}
	tests := []struct {
		name        string
		before      server
		after       server
		want        string // a word of the sentence
		withinCount int    // probes until it is told
	}{
		{"a smaller model", was, scaled(was, .5), "faster", 12},
		{"a larger model", was, scaled(was, 2), "slower", 40},
		{"a third slower", was, scaled(was, 1.35), "slower", 40},
		{"faster under load", queued, scaled(queued, .5), "faster", 40},
		{"slower under load", queued, func() server { s := scaled(queued, 3); s.idle = 1; return s }(), "slower", 90},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(10) {
				s := newSession(seed)
				s.ladder(was, 2) // a quiet calibration in any case
				s.steady(tt.before, 1024, 200, false)
				if len(s.told) > 0 {
					t.Fatalf("session %d: told before the change: %v", seed, s.told)
				}
				after := 0
				for ; after < tt.withinCount && len(s.told) == 0; after++ {
					s.steady(tt.after, 1024, 1, false)
				}
				if len(s.told) != 1 || !strings.Contains(s.told[0], tt.want) {
					t.Fatalf("session %d: after %d probes told %q", seed, after, s.told)
				}
				s.steady(tt.after, 1024, 120, false)
				if len(s.told) != 1 {
					t.Errorf("session %d: told more than once: %q", seed, s.told)
				}
				if w := worst(curveOf(t, &s.f), tt.after, 16, 1024); w > .15 {
					t.Errorf("session %d: after the change the curve is off by %.0f %%", seed, 100*w)
				}
			}
		})
	}
}

func TestNoChangeNoSentence(t *testing.T) {
	for name, sv := range map[string]server{
		"idle":          {fixed: 20, perK: 41, noise: .03, idle: 1},
		"noisy":         {fixed: 20, perK: 41, noise: .10, idle: 1},
		"half queued":   {fixed: 20, perK: 41, noise: .03, idle: .5, wait: 100},
		"mostly queued": {fixed: 20, perK: 41, noise: .03, idle: .2, wait: 300},
		"jitter":        {fixed: 20, perK: 41, noise: .01, jitter: 5, idle: 1},
		"very noisy":    {fixed: 20, perK: 41, noise: .25, idle: 1},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(race.Fewer(4)) {
				s := newSession(100 + seed)
				s.ladder(server{fixed: 20, perK: 41, noise: .03, idle: 1}, 2)
				s.steady(sv, 1024, 1000, false)
				if len(s.told) > 0 {
					t.Errorf("session %d: told %q", seed, s.told)
				}
			}
		})
	}
}

// The first requests after a start are slow: it is told once, and the curve
// stands on the later ones.
func TestWarmUp(t *testing.T) {
	warm := server{fixed: 20, perK: 41, noise: .03, idle: 1}
	coldOne := server{fixed: 60, perK: 100, noise: .03, idle: 1}
	for seed := range uint64(10) {
		s := newSession(seed)
		for _, n := range rungs[:4] {
			s.probe(coldOne, n, false)
		}
		s.ladder(warm, 2)
		s.steady(warm, 256, 30, false)
		if len(s.told) != 1 || !strings.Contains(s.told[0], "warmed up") || !strings.Contains(s.told[0], "first 4 probes") {
			t.Errorf("session %d: told %q", seed, s.told)
		}
		if w := worst(curveOf(t, &s.f), warm, 16, 256, 1024, 8192); w > .10 {
			t.Errorf("session %d: the curve is off by %.0f %%", seed, 100*w)
		}
	}
}

// Changes below half a millisecond are nothing to tell a person.
func TestTinyChangeIsNotTold(t *testing.T) {
	was := server{fixed: .3, perK: .1, noise: .02, idle: 1}
	is := server{fixed: .5, perK: .1, noise: .02, idle: 1}
	s := newSession(8)
	s.ladder(was, 2)
	s.steady(was, 256, 100, false)
	s.steady(is, 256, 100, false)
	s.steady(was, 256, 100, false)
	if len(s.told) > 0 {
		t.Errorf("told %q", s.told)
	}
}

func TestChangedTellsOnce(t *testing.T) {
	f := Fitter{changed: "The server has become faster."}
	if s, ok := f.Changed(); !ok || s == "" {
		t.Errorf("got %q, %v", s, ok)
	}
	if s, ok := f.Changed(); ok || s != "" {
		t.Errorf("told again: %q", s)
	}
}

// A burst of dear probes that is over within seconds is no change.
func TestShortStallIsNoChange(t *testing.T) {
	idle := server{fixed: 20, perK: 41, noise: .03, idle: 1}
	stalled := server{fixed: 120, perK: 41, noise: .01, idle: 1}
	s := newSession(3)
	s.ladder(idle, 2)
	s.steady(idle, 1024, 60, false)
	for range 40 { // ten a second
		s.now = s.now.Add(-900 * time.Millisecond)
		s.probe(stalled, 1024, false)
	}
	if len(s.told) > 0 {
		t.Errorf("told %q", s.told)
	}
}

// A server that answers one prompt in ten from a cache has always done so.
func TestNowAndThenCheapIsNoChange(t *testing.T) {
	idle := server{fixed: 20, perK: 41, noise: .03, idle: 1}
	cached := server{fixed: 20, noise: .03, idle: 1}
	for seed := range uint64(race.Fewer(6)) {
		s := newSession(seed)
		s.ladder(idle, 2)
		for range 1500 {
			sv := idle
			if s.r.IntN(10) == 0 {
				sv = cached
			}
			s.probe(sv, 1024, false)
		}
		if len(s.told) > 0 {
			t.Errorf("session %d: told %q", seed, s.told)
		}
	}
}

// Dear first probes of a server whose later ones agree on nothing are no
// warm-up.
func TestScatteredStartIsNoWarmUp(t *testing.T) {
	f := &Fitter{}
	at := epoch
	add := func(n int, ms float64) {
		at = at.Add(time.Second)
		f.Add(Point{At: at, Tokens: n, Server: time.Duration(ms * 1e6)})
		f.Curve()
	}
	for _, n := range []int{16, 256, 1024} {
		add(n, 900)
	}
	for i := range 16 {
		add([]int{16, 256, 1024, 4096}[i%4], 30+float64(i*97%16)*20)
	}
	if s, ok := f.Changed(); ok {
		t.Errorf("told %q", s)
	}
}
