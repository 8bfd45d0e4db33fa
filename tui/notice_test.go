package tui

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/views"
)

// at brings a frame of an instant of the session.
func (p *person) at(now time.Duration) {
	p.t.Helper()
	p.engineDoes(func(st *state) { st.now = now })
}

// What a key did is told for a while, and anew for as long when it is pressed
// again; what stands stays.
func TestAnswersToKeysGo(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"))
	told := func() string { return strings.Join(p.m.snapshot().Status.Notices, "; ") }
	p.at(time.Minute)
	for _, keys := range []string{"C", "x", "y"} {
		start := p.m.state.now
		if keys == "y" {
			p.press("5")
		}
		p.press(keys)
		if told() == "" {
			t.Errorf("%s tells nothing", keys)
		}
		p.at(start + tellFor - 1)
		if told() == "" {
			t.Errorf("what %s did is gone too early", keys)
		}
		p.at(start + tellFor)
		if got := told(); got != "" {
			t.Errorf("what %s did stays: %s", keys, got)
		}
	}
	p.press("1 C")
	p.at(p.m.state.now + tellFor/2)
	p.press("C")
	p.at(p.m.state.now + tellFor/2)
	if told() == "" {
		t.Error("what was told anew goes with what was told before")
	}
	p.m.stand("for ever")
	p.at(24 * time.Hour)
	if told() != "for ever" {
		t.Errorf("what stands is %q", told())
	}
}

// x says what it did, and the screen shows it as long as it lasts.
func TestLink(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"))
	p.press("] x")
	p.at(time.Hour)
	if !p.m.unlinked || !strings.Contains(p.screenText(), " B ALONE ") {
		t.Errorf("unlinked %v:\n%s", p.m.unlinked, p.screenText())
	}
	p.press("x")
	if p.m.unlinked || strings.Contains(p.screenText(), "ALONE") {
		t.Errorf("unlinked %v:\n%s", p.m.unlinked, p.screenText())
	}
	p = sitAt(t, atSimulator)
	p.press("x")
	if p.m.unlinked || !strings.Contains(p.m.notice, "one target alone") {
		t.Errorf("of one target: unlinked %v, %q", p.m.unlinked, p.m.notice)
	}
}

// The effect names the knob that was turned last.
func TestEffectNamesTheLastTurn(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("p b")
	p.engineDoes(func(st *state) {
		st.effect = &views.Effect{Text: "prompt 256 → 512, batch 0 → 1", Turned: 2}
	})
	if e := p.m.snapshot().Effect; e.Last != "batch 0 → 1" || p.m.state.effect.Last != "" {
		t.Errorf("%+v, and the state's %+v", e, p.m.state.effect)
	}
}

func TestStill(t *testing.T) {
	before := probe.Settings{Knobs: []probe.Knobs{probe.DefaultKnobs, probe.DefaultKnobs}, Levers: []probe.Levers{{"rtt": "8ms"}, {"rtt": "8ms"}}}
	after := before.Clone()
	after.Knobs[1].PromptTokens = 1024
	if !still(before, after, 0) || still(before, after, 1) {
		t.Error("a turned target is taken for a still one, or the contrary")
	}
	after = before.Clone()
	after.Levers = []probe.Levers{{"rtt": "20ms"}, {"rtt": "8ms"}}
	if still(before, after, 0) || !still(before, after, 1) {
		t.Error("a turned lever is overlooked, or taken for that of another")
	}
}

// What the screen shortens is in the help: notices, the diagnosis, what a lane
// says, and the notes of markers.
func TestHelpTellsInFull(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.engineDoes(func(st *state) {
		st.now = time.Minute
		st.status.Notices = []string{"first notice", "second notice"}
		st.status.Behind = "this machine can't keep up"
		st.targets[0].Diagnosis = views.Diagnosis{What: "queue is 71 % of p95 TTFT", Cure: "add capacity", BriefWhat: "queue 71 %", BriefCure: "add"}
		st.targets[0].FlagText = []string{"the model was loaded first"}
		st.changes = []views.Change{{At: 30 * time.Second, Text: "a note " + strings.Repeat("in full ", 20), Note: true}, {At: 40 * time.Second, Text: "prompt 256 → 512"}}
	})
	seen := ""
	p.press("?")
	for last := -1; p.m.help.from > last; p.press("pgdown") {
		last = p.m.help.from
		seen += strings.Join(p.m.dialog.Lines, " ") + " "
	}
	for _, want := range []string{
		"! second notice ! first notice ! this machine can't keep up", "queue is 71 % of p95 TTFT: add capacity",
		"the model was loaded first", "30s ago: a note " + strings.TrimSpace(strings.Repeat("in full ", 20)), "quit",
	} {
		if !strings.Contains(seen, want) {
			t.Errorf("%q is not in the help: %s", want, seen)
		}
	}
	if strings.Contains(seen, "256 → 512") {
		t.Error("a turned knob is told of as a marker")
	}
}
