package sim

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLag(t *testing.T) {
	m := newLagMeter()
	s := &Server{names: []string{"m"}, fleets: map[string]*fleet{"m": {replicas: []*engine{{lag: m}}}}}
	if l := s.Lag(); l != (Lag{}) || l.Behind() {
		t.Errorf("before any step: %+v", l)
	}
	for i := range 2000 {
		m.step(time.Duration(i) * time.Microsecond).sealed()
	}
	// The latest 1,024: 976 to 1,999 µs.
	l := s.Lag()
	if l.Steps != lagKept || l.StepP50 != 1487*time.Microsecond || l.StepP95 != 1948*time.Microsecond || l.Behind() {
		t.Errorf("%+v", l)
	}
	for range 2000 {
		m.step(6 * time.Millisecond)
	}
	if l := s.Lag(); !l.Behind() {
		t.Errorf("%+v is not behind", l)
	}
}

// A step's writes take until its last stream has written; one that gets more
// tokens before it wrote has taken a whole step.
func TestWritesOfAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newLagMeter()
		a, b := new(request), new(request)
		w := m.step(0)
		w.owe(a)
		w.owe(b)
		w.sealed()
		time.Sleep(3 * time.Millisecond)
		a.wrote()
		time.Sleep(4 * time.Millisecond)
		b.wrote()
		b.wrote()
		w = m.step(0)
		w.owe(a)
		w.sealed()
		time.Sleep(20 * time.Millisecond)
		w = m.step(0)
		w.owe(a)
		w.sealed()
		time.Sleep(time.Millisecond)
		a.wrote()
		want := []time.Duration{7 * time.Millisecond, 20 * time.Millisecond, time.Millisecond}
		if len(m.writes.kept) != 3 || m.writes.kept[0] != want[0] || m.writes.kept[1] != want[1] || m.writes.kept[2] != want[2] {
			t.Errorf("writes took %v, want %v", m.writes.kept, want)
		}
	})
}

// The present lag forgets what is over, and says nothing of too few steps.
func TestLagSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newLagMeter()
		s := &Server{names: []string{"m"}, fleets: map[string]*fleet{"m": {replicas: []*engine{{lag: m}}}}}
		now := func() Lag { return s.LagSince(time.Now().Add(-LagNow)) }
		for range leastSteps - 1 {
			m.step(10 * time.Millisecond).sealed()
		}
		if now().Behind() {
			t.Errorf("%+v is behind", now())
		}
		m.step(10 * time.Millisecond).sealed()
		if !now().Behind() {
			t.Errorf("%+v is not behind", now())
		}
		time.Sleep(LagNow + time.Second)
		if l := now(); l != (Lag{}) || !s.Lag().Behind() {
			t.Errorf("later it is %+v, and over all %+v", l, s.Lag())
		}
	})
}
