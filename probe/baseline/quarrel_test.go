package baseline

import "testing"

// A calibration amid other people's traffic shows no idle server, whatever it
// fits; calmer repeats do.
func TestContradictions(t *testing.T) {
	calm := server{fixed: 15, perK: 200, noise: .02, idle: 1}
	busy := calm
	busy.idle, busy.wait = .3, 400
	short := []int{16, 1024, 64, 256}
	seen, again := 0, 0
	const sessions = 50
	for seed := range uint64(sessions) {
		s := newSession(seed)
		climb := func(sv server) {
			for range 2 {
				for _, n := range short {
					s.probe(sv, n, false)
				}
			}
		}
		climb(calm)
		if c := curveOf(t, &s.f); c.Contradicted() || !c.Idle() {
			t.Errorf("session %d: an idle server's rungs contradict each other", seed)
		}
		s = newSession(seed)
		climb(busy)
		if c := curveOf(t, &s.f); c.Contradicted() && !c.Idle() {
			seen++
		}
		climb(calm)
		if c := curveOf(t, &s.f); !c.Contradicted() && c.Idle() {
			again++
		}
	}
	if seen < sessions*9/10 || again < sessions*9/10 {
		t.Errorf("of %d calibrations amid traffic %d are seen to be, and %d are good once calm ones came", sessions, seen, again)
	}
}
