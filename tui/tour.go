package tui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/views"
)

// tourPhase is where a step of the tour stands.
type tourPhase int

const (
	tourTelling   tourPhase = iota // the first caption is read, and the knobs stand as the step begins
	tourMeasuring                  // the knobs are turned, and probes come in
	tourTold                       // what came out is read
)

// tour is a guided tour: it turns the knobs itself. Its clock is that of the
// session, as frames bring it.
type tour struct {
	asked  bool // it begins with the next frame
	on     bool
	step   int
	phase  tourPhase
	left   time.Duration // of the phase, while it is not held
	now    time.Duration // of the last frame
	held   bool
	start  probe.Settings // as they were before
	target int            // that was selected before
}

// ErrTour is why there is no tour of a session.
var ErrTour = errors.New("the tour is one of the simulated endpoints, and turns every knob: write ttftop demo --tour")

// tourable reports whether a session can have a tour: the endpoints are
// simulated, and the prompt has a length to turn.
func tourable(c prober.Config) bool {
	real := slices.ContainsFunc(c.Targets, func(t probe.Target) bool { return !t.Endpoint.Simulated })
	return !real && c.Template == nil
}

// startTour begins the tour.
func (m *model) startTour() {
	m.tour = tour{on: true, start: m.settings.Clone(), target: m.target, now: m.state.now}
	m.unlinked, m.sim.open = false, false
	m.tourStep(0)
}

// endTour gives the knobs back as they were before the tour.
func (m *model) endTour(why string) {
	start := m.tour.start
	start.Paused = m.settings.Paused
	m.target, m.tour = m.tour.target, tour{}
	m.turnTo(start)
	m.tell(why)
}

// tourStep goes to the beginning of a step.
func (m *model) tourStep(i int) {
	m.hush()
	m.tour.step = i
	m.tourPhase(tourTelling, tourRead)
	if i == len(tourScript)-1 {
		m.tour.left = tourReadMore
		m.target = m.tour.target
		m.turnTo(m.tour.start)
		return
	}
	s := tourScript[i]
	m.target = min(s.target, len(m.targets)-1)
	m.turnTo(m.turned(m.opening(), s.from))
}

func (m *model) tourPhase(p tourPhase, lasts time.Duration) { m.tour.phase, m.tour.left = p, lasts }

// opening is how the knobs stand where the tour begins.
func (m *model) opening() probe.Settings {
	s := m.tour.start.Clone()
	for i, t := range m.targets {
		k := probe.DefaultKnobs
		k.Rate, k.Model = max(tourRate, s.Knobs[i].Rate), s.Knobs[i].Model
		if len(t.Models) > 0 {
			k.Model = t.Models[0]
		}
		s.Knobs[i] = k
	}
	return s
}

// turned is what settings become when knobs are turned for all targets.
func (m model) turned(s probe.Settings, knobs []knobTo) probe.Settings {
	m.settings = s
	for _, k := range knobs {
		next, err := m.withTyped(k.knob, k.text)
		if err != nil {
			panic(fmt.Sprintf("the tour's script: %v", err))
		}
		m.settings = next
	}
	return m.settings
}

// turnTo sets the knobs, where they stand otherwise. A turn of the tour is none
// that a person could take back.
func (m *model) turnTo(s probe.Settings) {
	if differ(m.settings, s) {
		m.set(s)
	}
}

// tourGoesOn brings the tour to the time of a frame.
func (m *model) tourGoesOn() {
	t := &m.tour
	if t.asked {
		m.startTour()
	}
	if !t.on {
		return
	}
	passed := m.state.now - t.now
	t.now = m.state.now
	if m.state.over {
		m.endTour("the token budget is reached: the tour has ended")
		return
	}
	if t.phase == tourMeasuring && m.measured() {
		m.tourPhase(tourTold, tourReadMore)
		return
	}
	if t.held {
		return
	}
	if t.left -= passed; t.left > 0 {
		return
	}
	if t.phase == tourTelling && m.lastStep() {
		m.endTour("")
		return
	}
	if t.phase == tourTelling && !m.readyToTurn() && t.left > -tourPatience {
		return
	}
	m.tourNext()
}

// lastStep reports whether the tour is at its end, and the knobs are given back.
func (m *model) lastStep() bool { return m.tour.step == len(tourScript)-1 }

// tourNext goes on to the next phase, and after the last one to the next step.
func (m *model) tourNext() {
	switch t := &m.tour; {
	case m.lastStep():
		m.endTour("")
	case t.phase == tourTelling:
		m.turnTo(m.turned(m.settings, tourScript[t.step].turn))
		m.tourPhase(tourMeasuring, tourPatience)
	case t.phase == tourMeasuring && t.left <= 0: // it tells what there is
		m.tourPhase(tourTold, tourReadMore)
	default:
		m.tourStep(t.step + 1)
	}
}

// tourBack goes to the beginning of the step, or from there to the one before.
func (m *model) tourBack() {
	i := m.tour.step
	if m.tour.phase == tourTelling {
		i = max(0, i-1)
	}
	m.tourStep(i)
}

// readyToTurn reports whether the knobs stand as the step begins for long
// enough that a change can be measured.
func (m *model) readyToTurn() bool {
	return m.tourHas() >= tourProbes || len(tourScript[m.tour.step].turn) == 0
}

// measured reports whether what the step is about is known of every target.
func (m *model) measured() bool {
	if m.tourHas() < tourProbes {
		return false
	}
	for i, left := range m.state.ladders {
		if left > 0 || len(m.state.targets[i].P50) == 0 {
			return false
		}
	}
	if tourScript[m.tour.step].side == 0 {
		return true
	}
	if m.state.effect == nil {
		return false
	}
	for _, e := range m.state.effect.Targets {
		if !e.Shift.P50.OK {
			return false
		}
	}
	return true
}

// tourHas is how many probes have succeeded with the knobs as they stand now,
// of the target with the fewest.
func (m *model) tourHas() int {
	if differ(m.state.settings, m.settings) {
		return 0 // the engine has not turned them yet
	}
	least := math.MaxInt
	for _, t := range m.state.targets {
		least = min(least, t.Figures.P50.N)
	}
	return least
}

// tourView is what the screen shows of the tour; nil where there is none.
func (m *model) tourView(s views.Snapshot) *views.Tour {
	t := m.tour
	if !t.on {
		return nil
	}
	step := tourScript[t.step]
	v := &views.Tour{Step: t.step + 1, Steps: len(tourScript), Name: step.name, Remark: m.tourRemark(), Text: step.before, Part: step.part, Share: step.side == 0}
	if v.Told = t.phase == tourTold; v.Told {
		v.Text = step.after
		if !v.Shows(s, step.side) {
			v.Text = "This time the figures don't show it: go back, or watch them sharpen."
		}
	}
	return v
}

// tourRemark says what the tour waits for.
func (m *model) tourRemark() string {
	t := m.tour
	has := fmt.Sprintf("%d of %d probes", min(m.tourHas(), tourProbes), tourProbes)
	switch {
	case t.phase == tourMeasuring && m.tourHas() >= tourProbes:
		return "measuring: calibration"
	case t.phase == tourMeasuring:
		return "measuring: " + has
	case t.held:
		return "held"
	case t.left > 0:
		return fmt.Sprintf("%.0f s left", math.Ceil(t.left.Seconds()))
	}
	return "before: " + has
}
