package tally

import (
	"testing"
	"time"

	"ttftop/probe"
)

// paced tells paces two seconds apart, of so many probes due and sent, and of
// load streams asked for and in flight.
func paced(s *Tally, steps ...[4]int) {
	const every = 2 * time.Second
	e := probe.Pace{At: s.Start()}
	for _, step := range steps {
		e.At = e.At.Add(every)
		e.Due += step[0]
		e.Sent += step[1]
		if step[2] > 0 {
			e.Loaded += every
		}
		e.Asked += every * time.Duration(step[2])
		e.InFlight += every * time.Duration(step[3])
		s.Fold(e)
	}
}

func TestWhatIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		steps         [][4]int
		rate          Kept // at 10 a second
		pressure      Kept
		due, overLoad float64 // shares of the whole session
	}{
		"nothing told":          {nil, Kept{}, Kept{}, 1, 1},
		"too few to judge":      {[][4]int{{4, 0}, {4, 0}}, Kept{}, Kept{}, 0, 1},
		"all":                   {[][4]int{{20, 20, 8, 8}, {20, 20, 8, 8}}, Kept{10, 10}, Kept{8, 8}, 1, 1},
		"half":                  {[][4]int{{0, 0, 0, 0}, {20, 20, 8, 6}, {20, 0, 8, 2}}, Kept{10, 5}, Kept{8, 4}, 0.5, 0.5},
		"long ago is forgotten": {[][4]int{{20, 0, 8, 0}, {20, 20, 8, 8}, {20, 20, 8, 8}, {20, 20, 8, 8}, {20, 20, 8, 8}, {20, 20, 8, 8}}, Kept{10, 10}, Kept{8, 8}, 100.0 / 120, 5.0 / 6},
		"the load was turned":   {[][4]int{{0, 0, 0, 0}, {20, 20, 4, 4}, {20, 20, 12, 12}}, Kept{10, 10}, Kept{8, 8}, 1, 1},
		"slow probing":          {[][4]int{{0, 0}, {2, 2}, {2, 2}, {2, 2}, {2, 2}, {2, 1}, {2, 1}, {2, 1}}, Kept{10, 7}, Kept{}, 11.0 / 14, 1},
	} {
		s := session()
		paced(s, c.steps...)
		target := s.Target(0)
		probes, pressure := target.Overall()
		if got := target.Rate(10); got != c.rate {
			t.Errorf("%s: rate %+v, want %+v", name, got, c.rate)
		}
		if got := target.Pressure(8); got != c.pressure {
			t.Errorf("%s: pressure %+v, want %+v", name, got, c.pressure)
		}
		if got := target.Pressure(0); got != (Kept{}) {
			t.Errorf("%s: pressure %+v where none is asked for any more", name, got)
		}
		if probes.Share() != c.due || pressure.Share() != c.overLoad {
			t.Errorf("%s: overall %+v and %+v", name, probes, pressure)
		}
	}
}

func TestPacesAreBounded(t *testing.T) {
	s := session()
	for range 1000 {
		paced(s, [4]int{1, 1, 0, 0})
	}
	if n := len(s.Target(0).pace); n > paces {
		t.Errorf("%d are kept", n)
	}
}

func TestLateness(t *testing.T) {
	s := session()
	if share, worst := s.Lateness(); share != 0 || worst != 0 {
		t.Error("late before anything was told")
	}
	for _, lag := range []time.Duration{0, 2 * ms, 80 * ms, 4 * ms} {
		s.Fold(probe.Late{Lag: lag})
	}
	if share, worst := s.Lateness(); share != 0.25 || worst != 80*ms {
		t.Errorf("%v, %v", share, worst)
	}
}
