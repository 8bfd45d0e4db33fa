package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/chat"
	"ttftop/probe/prober"
	"ttftop/probe/sim"
	"ttftop/views"
)

// rider takes the tour: a person at the screen, and a session whose probes cost
// what a formula says.
type rider struct {
	*person
	told  *told
	now   time.Duration
	epoch int
	done  int // of what the engine was asked for
	cost  func(target int, k probe.Knobs) probe.Waterfall
}

// part is a segment of so many milliseconds.
func part(name probe.SegmentName, v float64) probe.Segment {
	return probe.Segment{Name: name, Duration: time.Duration(v * float64(ms)), Source: probe.Reported}
}

// usual is what probes of the demo cost, about.
func usual(target int, k probe.Knobs) probe.Waterfall {
	per1k := [...]float64{64, 28}[target]
	if k.Model == "sim-1b" {
		per1k /= 8
	}
	if k.Cache == probe.Warm {
		per1k /= 10
	}
	return probe.Waterfall{
		part(probe.RTT, [...]float64{8, 141}[target]), part(probe.Handling, 5), part(probe.Queue, 30*float64(k.Pressure)),
		part(probe.Prefill, per1k*float64(k.PromptTokens)/1000), part(probe.FirstDecode, 10),
	}
}

// ride starts the tour on a screen of 80×24.
func ride(t *testing.T, change func(*probe.Settings)) *rider {
	t.Helper()
	var targets []probe.Target
	for _, c := range sim.Demo() {
		var models []string
		for _, m := range c.Models {
			models = append(models, m.Name)
		}
		targets = append(targets, targetAt(t, c.Name, atSimulator, models...))
	}
	r := &rider{person: sit(t, targets...), told: tellOf(t, targets...), cost: usual}
	if change != nil {
		change(&r.m.settings)
		r.tell()
	}
	for i := range targets {
		r.told.tell(probe.Calibrating{Target: i, Total: 8})
	}
	r.m.tour.asked = true
	return r
}

// tell folds the knobs in as the engine was asked for them.
func (r *rider) tell() {
	before := r.told.at(0).settings
	r.epoch++
	r.told.tell(probe.Changed{Epoch: r.epoch, At: r.told.start.Add(r.now), Before: before.Clone(), Settings: r.m.settings.Clone()})
	r.done = len(r.engine.applied)
}

// passes lets half a second go by: the engine turns the knobs that it was asked
// for, each target is probed, and a frame is drawn.
func (r *rider) passes() {
	r.t.Helper()
	if len(r.engine.applied) > r.done {
		r.tell()
	}
	r.now += time.Second / 2
	for i, k := range r.told.at(r.now).settings.Knobs {
		r.told.ended(func(res *probe.Result) {
			res.Target, res.Epoch, res.Waterfall = i, r.epoch, r.cost(i, k)
			res.Timeline.FirstToken = probe.At(res.Waterfall.Total())
		})
	}
	r.send(frame{r.told.at(r.now)})
}

// until lets time go by until the tour stands at a phase of a step.
func (r *rider) until(step int, phase tourPhase) {
	r.t.Helper()
	for range 400 {
		if r.m.tour.on && r.m.tour.step == step && r.m.tour.phase == phase {
			return
		}
		r.passes()
	}
	r.t.Fatalf("the tour does not come to phase %d of step %d, and stands at %+v:\n%s", phase, step, r.m.tour, r.screen())
}

func (r *rider) screen() string { return ansi.Strip(r.m.View().Content) }

func (r *rider) shows(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if screen := r.screen(); !strings.Contains(screen, text) {
			r.t.Errorf("the screen does not show %q:\n%s", text, screen)
		}
	}
}

// knobs are those of the first target, as the engine was last asked for.
func (r *rider) knobs() probe.Knobs { return r.m.settings.Knobs[0] }

// The whole tour by itself: each caption tells what was measured, and after the
// end the knobs are as they were.
func TestTour(t *testing.T) {
	r := ride(t, func(s *probe.Settings) {
		for i := range s.Knobs {
			s.Knobs[i].PromptTokens, s.Knobs[i].Rate = 512, 5
		}
	})
	start := r.m.settings.Clone()

	r.passes()
	r.shows("tour 1 of 6: distance", "sim-near", "space hold")
	if k := r.knobs(); k.PromptTokens != probe.DefaultKnobs.PromptTokens || k.Rate != 5 {
		t.Errorf("the tour opens with %+v", k)
	}
	r.until(0, tourTold)
	r.shows("A 39.4 ms, network 8.00 of it  B 163 ms, network 141 of it", "most of it is network")
	if r.m.target != 1 {
		t.Error("the far target is not the one that is diagnosed")
	}

	r.until(1, tourMeasuring)
	r.shows("tour 2 of 6: a long prompt", "measuring: 0 of 8 probes", "must be read before")
	if k := r.knobs(); k.PromptTokens != 2048 {
		t.Errorf("measured with a prompt of %d", k.PromptTokens)
	}
	r.until(1, tourTold)
	r.shows("prompt 256 → 2,048: A +115 ms, prefill +115 of it  B +50.2 ms, prefill +50.2", "grows with the prompt")

	r.until(2, tourTold)
	r.shows("tour 3 of 6: the cache", "cache bust → warm:", "A −118 ms, prefill −118 of it")
	r.until(3, tourTold)
	r.shows("tour 4 of 6: a smaller model", "A −115 ms, prefill −115 of it", "reads faster")
	if k := r.knobs(); k.Cache != probe.Bust || k.Model != "sim-1b" || k.PromptTokens != 2048 {
		t.Errorf("the smaller model is measured with %+v", k)
	}
	r.until(4, tourTold)
	r.shows("tour 5 of 6: pressure", "batch 0 → 64:", "A +1,920 ms, queue +1,920 of it", "waiting for a place")
	if k := r.knobs(); k.Model != "sim-8b" || k.PromptTokens != 256 || k.Pressure != 64 {
		t.Errorf("pressure is measured with %+v", k)
	}

	r.until(5, tourTelling)
	r.shows("tour 6 of 6: the end", "they are yours")
	if differ(r.m.settings, start) {
		t.Errorf("at the end the knobs differ: %s", described(start, r.m.settings))
	}
	for range 20 {
		r.passes()
	}
	if r.m.tour.on || strings.Contains(r.screen(), "tour") {
		t.Errorf("the tour does not end:\n%s", r.screen())
	}
	if r.now < 70*time.Second || r.now > 110*time.Second {
		t.Errorf("the tour takes %v", r.now)
	}
	if len(r.m.undo) > 0 || r.m.target != 0 {
		t.Error("the tour leaves turns to take back, or another target selected")
	}
	r.agrees()
}

// What the figures don't show is not said.
func TestTourSaysOnlyWhatItMeasures(t *testing.T) {
	r := ride(t, nil)
	r.cost = func(target int, k probe.Knobs) probe.Waterfall {
		k.PromptTokens = 100
		return usual(target, k)
	}
	r.until(1, tourTold)
	r.shows("unclear", "the figures don't show it")
}

// Without probes a step waits, and at last goes on without a result.
func TestTourWaitsForProbes(t *testing.T) {
	r := ride(t, nil)
	r.until(0, tourTold)
	r.until(1, tourMeasuring)
	waited := time.Duration(0)
	for ; r.m.tour.phase == tourMeasuring; waited += time.Second {
		if waited == 40*time.Second {
			r.shows("measuring: 0 of 8")
		}
		r.now += time.Second
		r.send(frame{r.told.at(r.now)}) // the engine does not do what it is asked
		if waited > 2*tourPatience {
			t.Fatal("the tour hangs")
		}
	}
	if waited < tourPatience-time.Second {
		t.Errorf("it waits for %v only", waited)
	}
	r.shows("not yet", "the figures don't show it")
}

func TestTourKeys(t *testing.T) {
	r := ride(t, nil)
	r.passes()
	r.press("space")
	for range 100 {
		r.passes()
	}
	if r.m.tour.step != 0 || r.m.tour.phase != tourTelling || r.m.settings.Paused {
		t.Errorf("held, the tour goes on, or probing is paused: %+v", r.m.tour)
	}
	r.shows("held")
	r.press("space right")
	if r.m.tour.phase != tourMeasuring {
		t.Error("→ does not go on to the measurement")
	}
	r.press("n")
	r.shows("tour 2 of 6")
	r.until(1, tourMeasuring)
	r.press("left")
	if r.m.tour.step != 1 || r.m.tour.phase != tourTelling || r.knobs().PromptTokens != 256 {
		t.Errorf("← does not go to the beginning of the step: %+v, prompt %d", r.m.tour, r.knobs().PromptTokens)
	}
	r.press("b b")
	if r.m.tour.step != 0 {
		t.Error("← does not go to the step before, or before the first")
	}

	before := r.m.settings.Clone()
	r.press("p B m c o r + j u x C ] L enter")
	if differ(before, r.m.settings) || r.m.dialog != nil || r.m.unlinked || r.engine.cleared > 0 {
		t.Errorf("a knob turns under the tour: %s", described(before, r.m.settings))
	}
	r.shows("the tour turns the knobs")
	r.press("5 e")
	if r.m.settings.Pairs.On {
		t.Error("pairs are sent during the tour")
	}
	r.press("4")
	r.shows("▸4 probes", "tour 1 of 6")
	r.press("enter")
	if r.m.table.open == nil {
		t.Error("no probe can be opened during the tour")
	}
	r.press("esc")
	if r.m.table.open != nil || !r.m.tour.on {
		t.Error("esc leaves more than the probe")
	}
	r.press("1 z esc")
	if r.m.zoom != "" || !r.m.tour.on {
		t.Error("esc leaves more than the zoom")
	}
	r.press("?")
	r.shows("let it go on")
	r.press("esc esc")
	if r.m.tour.on {
		t.Error("esc does not end the tour")
	}
	r.shows("the tour has ended")
	if r.press("p"); r.knobs().PromptTokens != 512 {
		t.Error("after the tour a knob does not turn")
	}
	r.agrees()
}

// In the last step the knobs are the person's already.
func TestTourGivesTheKnobsBack(t *testing.T) {
	r := ride(t, nil)
	r.passes()
	for range 20 {
		if r.m.tour.step < len(tourScript)-1 {
			r.press("right")
		}
	}
	r.press("b")
	if r.m.tour.on || r.knobs().Pressure != 1 {
		t.Errorf("b does not turn the batch: %+v, pressure %d", r.m.tour, r.knobs().Pressure)
	}
	r.agrees()
}

// The token budget ends the tour, since nothing is measured any more.
func TestTourEndsWithTheBudget(t *testing.T) {
	r := ride(t, nil)
	r.passes()
	r.told.tell(probe.Spent{Sent: 10, Budget: 10, Exhausted: true})
	r.passes()
	if r.m.tour.on {
		t.Error("the tour goes on")
	}
	r.shows("the token budget is reached: the tour")
}

// The script names knobs and values that there are.
func TestTourScript(t *testing.T) {
	r := ride(t, nil)
	r.passes()
	for _, s := range tourScript {
		from := r.m.turned(r.m.opening(), s.from)
		to := r.m.turned(from, s.turn)
		if last := s.part == ""; !last && s.side != 0 && !differ(from, to) {
			t.Errorf("%s: nothing is turned", s.name)
		}
		for _, k := range s.turn {
			if k.knob == knobModel && !slices.Contains(r.m.targets[0].Models, k.text) {
				t.Errorf("%s: no model %s", s.name, k.text)
			}
		}
		for _, text := range []string{s.before, s.after} {
			if len([]rune(text)) > 2*76 {
				t.Errorf("%s: %q needs more than two lines", s.name, text)
			}
		}
		if len([]rune(s.after)) > 78 {
			t.Errorf("%s: %q needs more than the line below the figures", s.name, s.after)
		}
	}
}

func TestTourable(t *testing.T) {
	near, far := targetAt(t, "near", atSimulator), targetAt(t, "far", atReal)
	for _, c := range []struct {
		name   string
		config prober.Config
		want   bool
	}{
		{"simulated", prober.Config{Targets: []probe.Target{near}}, true},
		{"one is real", prober.Config{Targets: []probe.Target{near, far}}, false},
		{"a request of one's own", prober.Config{Targets: []probe.Target{near}, Template: &chat.Template{}}, false},
	} {
		if got := tourable(c.config); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// The caption has a place at every size that has room for it, in every view.
func TestTourLayout(t *testing.T) {
	r := ride(t, nil)
	r.until(0, tourTold)
	for v := range mode(views.NViews) {
		r.press(v.Key())
		for _, size := range []tea.WindowSizeMsg{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 12}, {Width: 160, Height: 45}, {Width: 240, Height: 70}} {
			r.send(size)
			r.shows("tour 1 of 6")
			if screen := r.screen(); size.Width >= 80 && !strings.Contains(screen, "network 141") {
				t.Errorf("%s at %d×%d does not tell what was measured:\n%s", v, size.Width, size.Height, screen)
			}
		}
		r.send(tea.WindowSizeMsg{Width: 20, Height: 5})
	}
}
