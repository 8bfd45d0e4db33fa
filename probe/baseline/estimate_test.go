package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"ttftop/probe/race"
)

// Errors of the curve on synthetic servers, over twenty sessions each of a
// ladder of three rounds and five minutes at 1,024 tokens with sentinels. The
// limits are what the estimator reaches; -v prints what it reached.
func TestErrorsOnSyntheticServers(t *testing.T) {
	if race.Enabled {
		t.Skip("takes many sessions")
	}
	straight := server{fixed: 20, perK: 41, noise: .03, idle: 1}
	attention := server{fixed: 20, perK: 41, perKK: 3, noise: .03, idle: 1}
	hidden := server{fixed: 12, perK: 80, perKK: 2, weights: 15, noise: .03, idle: 1}
	queued := func(s server, idle, wait float64) server { s.idle, s.wait = idle, wait; return s }
	concave := server{fixed: 20, noise: .03, idle: 1, bend: func(k float64) float64 { return 60 * math.Pow(k, .8) }}
	stairs := server{fixed: 20, noise: .03, idle: 1, bend: func(k float64) float64 { return 30 * math.Ceil(2*k) }}
	steady := straight
	steady.idle, steady.draw = .5, func(r *rand.Rand) float64 { return 40 + 2*r.NormFloat64() }
	tests := []struct {
		name   string
		sv     server
		limits [4]float64 // greatest allowed rms error, by length
		busy   bool       // may be taken for a server that is never idle
	}{
		{"straight, idle", straight, [4]float64{.03, .01, .03, .03}, false},
		{"attention, idle", attention, [4]float64{.03, .01, .03, .05}, false},
		{"hidden under weights, idle", hidden, [4]float64{.03, .01, .05, .08}, false},
		{"straight, half queued", queued(straight, .5, 100), [4]float64{.04, .02, .04, .06}, false},
		{"attention, half queued", queued(attention, .5, 100), [4]float64{.04, .02, .04, .06}, false},
		{"hidden, four in five queued", queued(hidden, .2, 200), [4]float64{.20, .03, .60, .20}, true},
		{"straight, always the same wait or none", steady, [4]float64{.06, .02, .20, .06}, true},
		{"straight, jitter of 5 ms", server{fixed: 20, perK: 41, noise: .01, jitter: 5, idle: 1}, [4]float64{.10, .05, .08, .03}, false},
		{"straight, noise of 10 %", server{fixed: 20, perK: 41, noise: .10, idle: 1}, [4]float64{.10, .04, .12, .10}, false},
		{"concave", concave, [4]float64{.05, .06, .20, .25}, false},
		{"stairs", stairs, [4]float64{.05, .05, .15, .10}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const sessions = 20
			var square [4]float64
			lengths := [4]int{16, 1024, 256, 8192}
			covered := [4]int{}
			for seed := range uint64(sessions) {
				s := newSession(seed)
				s.ladder(tt.sv, 3)
				s.steady(tt.sv, 1024, 300, false)
				c := curveOf(t, &s.f)
				if !c.Idle() && !tt.busy {
					t.Errorf("session %d: the server was seen idle", seed)
				}
				for i, n := range lengths {
					square[i] += math.Pow(off(c, tt.sv, n), 2) / sessions
					_, lo, hi := c.At(n)
					if truth := tt.sv.truth(n) * 1e6; float64(lo) <= truth && truth <= float64(hi) {
						covered[i]++
					}
				}
			}
			for i, n := range lengths {
				rms := math.Sqrt(square[i])
				t.Logf("%5d tokens: rms error %4.1f %%, interval holds the truth in %d of %d", n, 100*rms, covered[i], sessions)
				if rms > tt.limits[i] {
					t.Errorf("%d tokens: rms error %.1f %%, want at most %.0f %%", n, 100*rms, 100*tt.limits[i])
				}
			}
		})
	}
}

// A server that is never idle shows only its best: the curve says so.
func TestNeverIdle(t *testing.T) {
	told := 0
	for seed := range uint64(20) {
		s := newSession(seed)
		busy := server{fixed: 20, perK: 41, noise: .03, wait: 300}
		s.ladder(busy, 3)
		s.steady(busy, 1024, 300, false)
		if c := curveOf(t, &s.f); !c.Idle() {
			told++
		}
	}
	if told < 15 {
		t.Errorf("%d of 20 sessions tell that the server was never idle", told)
	}
}

// Load by others for a quarter of an hour doesn't move the baseline, nor does
// load of our own for as long as it likes.
func TestLoadDoesNotRaiseIt(t *testing.T) {
	idle := server{fixed: 20, perK: 41, noise: .03, idle: 1}
	loaded := idle
	loaded.idle, loaded.wait = 0, 400
	for _, tt := range []struct {
		name   string
		probes int
		ours   bool
	}{{"others", 900, false}, {"ours", 4000, true}} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(1)
			s.ladder(idle, 2)
			s.steady(idle, 256, 200, false)
			s.steady(loaded, 256, tt.probes, tt.ours)
			if w := worst(curveOf(t, &s.f), idle, 16, 256, 1024, 8192); w > .08 {
				t.Errorf("after the load the curve is off by %.0f %%", 100*w)
			}
			if len(s.told) > 0 {
				t.Errorf("load was taken for a change: %v", s.told)
			}
		})
	}
}

// Probes at a new length under our own load don't bend the curve upwards.
func TestLengthKnownOnlyUnderLoad(t *testing.T) {
	idle := server{fixed: 20, perK: 41, noise: .02, idle: 1}
	loaded := idle
	loaded.idle, loaded.wait, loaded.draw = 0, 0, func(r *rand.Rand) float64 { return 500 + 400*r.ExpFloat64() }
	s := newSession(2)
	s.ladder(idle, 2)
	for range 60 {
		s.probe(loaded, 3000, true)
	}
	if e := off(curveOf(t, &s.f), idle, 3000); math.Abs(e) > .10 {
		t.Errorf("at the loaded length the curve is off by %.0f %%", 100*e)
	}
}

// After an hour of load by others the curve still knows what lengths cost that
// were not probed since, and says that the server is not seen idle any more.
func TestLongLoadByOthers(t *testing.T) {
	idle := server{fixed: 20, perK: 41, noise: .03, idle: 1}
	busy := idle
	busy.idle, busy.wait = 0, 600
	s := newSession(5)
	s.ladder(idle, 2)
	s.steady(idle, 1024, 100, false)
	if c := curveOf(t, &s.f); !c.Idle() {
		t.Error("the server was seen idle")
	}
	s.steady(busy, 1024, 3600, false)
	c := curveOf(t, &s.f)
	if e := off(c, idle, 1024); e > .10 {
		t.Errorf("after an hour of load the curve lies %.0f %% above the idle server", 100*e)
	}
	if c.Idle() {
		t.Error("the server was not seen idle for an hour")
	}
	if len(s.told) > 0 {
		t.Errorf("told %q", s.told)
	}
}

// A hinge that the points hardly show doesn't make short prompts surely free.
func TestHingeIsUncertain(t *testing.T) {
	for _, near := range (shape{hinge: .1, curve: true}).neighbours() {
		if near.hinge == 0 && near.curve {
			return
		}
	}
	t.Error("no replicate goes without the hinge")
}
