package baseline

import (
	"strings"
	"testing"
)

// A server that has become slower puts the curve in doubt at the fifth probe,
// and two short ones beside them decide it.
func TestDoubtIsDecided(t *testing.T) {
	was := server{fixed: 15, perK: 200, noise: .01, idle: 1}
	is := server{fixed: 45, perK: 600, noise: .01, idle: 1}
	for seed := range uint64(20) {
		s := newSession(seed)
		s.ladder(was, 2)
		for range 20 {
			s.probe(was, 512, false)
		}
		s.f.Curve()
		for i := range doubtful {
			if s.f.InDoubt() {
				t.Fatalf("session %d: in doubt after %d slow probes", seed, i)
			}
			s.probe(is, 512, false)
		}
		if !s.f.InDoubt() || len(s.told) > 0 {
			t.Fatalf("session %d: after %d slow probes in doubt: %v, told %q", seed, doubtful, s.f.InDoubt(), s.told)
		}
		for range witness {
			s.probe(is, 16, false)
		}
		if len(s.told) != 1 || !strings.Contains(s.told[0], "slower") || s.f.InDoubt() {
			t.Fatalf("session %d: told %q, in doubt: %v", seed, s.told, s.f.InDoubt())
		}
		if w := worst(curveOf(t, &s.f), is, 16, 512); w > .1 {
			t.Errorf("session %d: the curve anew is off by %.0f %%", seed, 100*w)
		}
	}
}

// Waits that differ are no doubt, nor are those that short probes don't meet a
// decision; a probe as quick as ever ends the doubt.
func TestDoubtIsNotDecided(t *testing.T) {
	was := server{fixed: 15, perK: 200, noise: .01, idle: 1}
	waiting, steady := was, was
	waiting.idle, waiting.wait = 0, 300
	steady.fixed += 200
	for seed := range uint64(20) {
		s := newSession(seed)
		s.ladder(was, 2)
		for range 20 {
			s.probe(was, 512, false)
		}
		s.f.Curve()
		for range 8 {
			s.probe(steady, 512, false)
		}
		for range 3 {
			s.probe(was, 16, false)
		}
		if !s.f.InDoubt() || len(s.told) > 0 {
			t.Fatalf("session %d: in doubt %v, told %q", seed, s.f.InDoubt(), s.told)
		}
		s.probe(was, 512, false)
		if s.f.InDoubt() {
			t.Errorf("session %d: in doubt after a quick probe", seed)
		}
		for range 12 {
			s.probe(waiting, 512, false)
			s.probe(waiting, 16, false)
		}
		if len(s.told) > 0 {
			t.Errorf("session %d: waits are told as %q", seed, s.told)
		}
	}
}
