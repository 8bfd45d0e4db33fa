package sim

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ttftop/probe/quantile"
)

// Lag says how well this machine keeps up with the physics that it imitates.
// Figures are of the latest 1,024 steps of each engine.
type Lag struct {
	Steps    int           // that the figures are of
	StepP50  time.Duration // how late the end of a step, which is the start of the next, was noticed
	StepP95  time.Duration
	WriteP50 time.Duration // from there until every stream had written its token of that step
	WriteP95 time.Duration
	Stood    time.Duration // by how much timetables were put off in all, since the machine stood still
}

// Limits above which what clients see is no longer the engine's physics, and how
// many steps tell so: of fewer, the 95th percentile is a single one.
const (
	lateStep   = 5 * time.Millisecond
	lateWrite  = 20 * time.Millisecond
	leastSteps = 60
)

// LagNow is how far back a look at the present lag goes: long enough for many
// steps at a few probes a second, and short enough to forget what is over.
const LagNow = 15 * time.Second

// Behind reports whether the machine can't keep up: figures that clients
// measure are then its own and not the engine's.
func (l Lag) Behind() bool {
	return l.Steps >= leastSteps && (l.StepP95 > lateStep || l.WriteP95 > lateWrite)
}

// lagKept is how many steps a meter remembers.
const lagKept = 1024

// lagMeter measures the lag of one engine.
type lagMeter struct {
	mu           sync.Mutex
	late, writes ring
	stoodStill   time.Duration
}

// ring keeps the latest durations, and when each was noted.
type ring struct {
	kept []time.Duration
	at   []time.Time
	next int
}

func (r *ring) add(d time.Duration, at time.Time) {
	if len(r.kept) < lagKept {
		r.kept, r.at = append(r.kept, d), append(r.at, at)
		return
	}
	r.kept[r.next], r.at[r.next] = d, at
	r.next = (r.next + 1) % lagKept
}

// since appends the durations that were noted at a time or after it.
func (r *ring) since(t time.Time, to []time.Duration) []time.Duration {
	for i, at := range r.at {
		if !at.Before(t) {
			to = append(to, r.kept[i])
		}
	}
	return to
}

func newLagMeter() *lagMeter { return new(lagMeter) }

// step notes how late the end of a step was noticed, and begins to measure its
// writes.
func (m *lagMeter) step(late time.Duration) *stepWrites {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &stepWrites{meter: m, began: time.Now()}
	m.late.add(max(0, late), w.began)
	w.owed.Store(1) // until sealed
	return w
}

// stood notes that the timetable was put off.
func (m *lagMeter) stood(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stoodStill += by
}

// stepWrites measures how long the writes of one step take. Each request that
// got tokens owes one; one that gets more before it wrote has waited a whole
// step, which counts.
type stepWrites struct {
	meter *lagMeter
	began time.Time
	owed  atomic.Int32
	any   bool // written by the engine before sealed
}

// owe notes that a request has something to write.
func (w *stepWrites) owe(r *request) {
	w.any = true
	w.owed.Add(1)
	if before := r.writes.Swap(w); before != nil {
		before.done()
	}
}

// sealed notes that every request that owes a write is known.
func (w *stepWrites) sealed() {
	if w.any {
		w.done()
	}
}

// done notes one write.
func (w *stepWrites) done() {
	if w.owed.Add(-1) > 0 {
		return
	}
	now := time.Now()
	w.meter.mu.Lock()
	defer w.meter.mu.Unlock()
	w.meter.writes.add(now.Sub(w.began), now)
}

// wrote notes that a request owes no write any more, since all it had is
// written or it is given up.
func (r *request) wrote() {
	if w := r.writes.Swap(nil); w != nil {
		w.done()
	}
}

// Lag is how well this machine keeps up, over all engines.
func (s *Server) Lag() Lag { return s.LagSince(time.Time{}) }

// LagSince is Lag of the steps and writes that ended at a time or after it.
// Stood is of the whole time.
func (s *Server) LagSince(t time.Time) Lag {
	var l Lag
	var late, writes []time.Duration
	for _, e := range s.engines() {
		m := e.lag
		m.mu.Lock()
		late, writes = m.late.since(t, late), m.writes.since(t, writes)
		l.Stood += m.stoodStill
		m.mu.Unlock()
	}
	l.Steps = len(late)
	l.StepP50, l.StepP95 = middle(late)
	l.WriteP50, l.WriteP95 = middle(writes)
	return l
}

// middle is the median and the 95th percentile, 0 of none.
func middle(d []time.Duration) (p50, p95 time.Duration) {
	if len(d) == 0 {
		return 0, 0
	}
	slices.Sort(d)
	return d[quantile.Rank(0.5, len(d))], d[quantile.Rank(0.95, len(d))]
}
