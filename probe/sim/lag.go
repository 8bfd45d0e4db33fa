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

// Limits above which what clients see is no longer the engine's physics.
const (
	lateStep  = 5 * time.Millisecond
	lateWrite = 20 * time.Millisecond
)

// Behind reports whether the machine can't keep up: figures that clients
// measure are then its own and not the engine's.
func (l Lag) Behind() bool { return l.StepP95 > lateStep || l.WriteP95 > lateWrite }

// lagKept is how many steps a meter remembers.
const lagKept = 1024

// lagMeter measures the lag of one engine.
type lagMeter struct {
	mu           sync.Mutex
	late, writes ring
	stoodStill   time.Duration
}

// ring keeps the latest durations.
type ring struct {
	kept []time.Duration
	next int
}

func (r *ring) add(d time.Duration) {
	if len(r.kept) < lagKept {
		r.kept = append(r.kept, d)
		return
	}
	r.kept[r.next] = d
	r.next = (r.next + 1) % lagKept
}

func newLagMeter() *lagMeter { return new(lagMeter) }

// step notes how late the end of a step was noticed, and begins to measure its
// writes.
func (m *lagMeter) step(late time.Duration) *stepWrites {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.late.add(max(0, late))
	w := &stepWrites{meter: m, began: time.Now()}
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
	took := time.Since(w.began)
	w.meter.mu.Lock()
	defer w.meter.mu.Unlock()
	w.meter.writes.add(took)
}

// wrote notes that a request owes no write any more, since all it had is
// written or it is given up.
func (r *request) wrote() {
	if w := r.writes.Swap(nil); w != nil {
		w.done()
	}
}

// Lag is how well this machine keeps up, over all engines.
func (s *Server) Lag() Lag {
	var l Lag
	var late, writes []time.Duration
	for _, e := range s.engines() {
		m := e.lag
		m.mu.Lock()
		late = append(late, m.late.kept...)
		writes = append(writes, m.writes.kept...)
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
