package tui

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// 60 × (256 + 16) = 16,320 tokens a minute are what the defaults cost; with
// 2,048 tokens it is 123,840.
func TestConsent(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		asked      bool
		want       string // what was turned
	}{
		{"pressure for the first time", "b", true, ""},
		{"answered no", "b n", false, ""},
		{"another key is no answer", "b p", true, ""},
		{"enter types a value instead", "b enter 0 enter", false, ""},
		{"enter is none after typing", "down enter 4 enter enter", true, ""},
		{"answered with esc", "b esc", false, ""},
		{"a blank is none", "b space", true, ""},
		{"a digit typed too late is none", "b 5 1 2 y", false, "batch 0 → 1"},
		{"answered yes", "b y", false, "batch 0 → 1"},
		{"answered Yes", "b Y", false, "batch 0 → 1"},
		{"asked again after no", "b n b", true, ""},
		{"agreed once", "b y b", false, "batch 0 → 2"},
		{"agreed, down to none and up again", "b y B b", false, "batch 0 → 1"},
		{"typed", "down enter 4 enter", true, ""},
		{"typed, yes", "down enter 4 enter y", false, "batch 0 → 4"},

		{"below the limit", "enter 1 k enter", false, "prompt 256 → 1,024"},
		{"above the limit", "enter 2 k enter", true, ""},
		{"above the limit, no", "enter 2 k enter n", false, ""},
		{"above the limit, yes", "enter 2 k enter y", false, "prompt 256 → 2,048"},
		{"above what was agreed", "enter 2 k enter y p", true, "prompt 256 → 2,048"},
		{"below what was agreed", "enter 2 k enter y P P p p", false, "prompt 256 → 2,048"},
		{"by the rate", "r r r r", true, "rate 1/s → 5/s"},
		{"by the output", "enter 1 k enter o o o o o o", true, "prompt 256 → 1,024, output 16 → 512"},
		{"pressure was not agreed with the prompt", "enter 2 k enter y b", true, "prompt 256 → 2,048"},
		{"the prompt was not agreed with pressure", "b y up enter 2 k enter", true, "batch 0 → 1"},

		{"paused, nothing is asked", "space enter 8 k enter", false, "prompt 256 → 8,192"},
		{"but on going on", "space enter 8 k enter space", true, "prompt 256 → 8,192"},
		{"paused and lowered again", "space enter 8 k enter P P P P space", false, "prompt 256 → 512"},
		{"pressure while paused", "space b space", true, "batch 0 → 1"},
		{"undo to what was never agreed", "space enter 8 k enter P P P P space u u", true, "prompt 256 → 1,024"},
		{"undo to it, agreed", "space enter 8 k enter P P P P space u u y u", true, "prompt 256 → 2,048"},
		{"undo to it, left", "space enter 8 k enter P P P P space u u n", false, "prompt 256 → 1,024"},
		{"pause and go on with what was agreed", "enter 2 k enter y space space", false, "prompt 256 → 2,048"},
		{"undo to what was agreed", "enter 2 k enter y P u", false, "prompt 256 → 2,048"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sitAt(t, atReal)
			before := p.m.settings.Clone()
			p.press(c.keys)
			if p.asked() != c.asked {
				t.Errorf("%s: asked %v, want %v: %+v", c.keys, p.asked(), c.asked, p.m.dialog)
			}
			if p.asked() && p.m.dialog == nil {
				t.Error("it waits for an answer to a question that isn't shown")
			}
			if got := described(before, p.m.settings); got != c.want {
				t.Errorf("%s: %q, want %q", c.keys, got, c.want)
			}
			p.agrees()
		})
	}
}

// Nobody pays for an endpoint that is simulated or on this machine.
func TestFreeEndpointsAreNotAskedAbout(t *testing.T) {
	for _, at := range []string{atSimulator, atLoopback} {
		p := sitAt(t, at)
		p.press("enter 1 2 8 k enter b B enter 5 1 2 enter r r r r space space m")
		if p.asked() {
			t.Errorf("%s: %+v", at, p.m.dialog)
		}
		if k := p.last().Knobs[0]; k.PromptTokens != 131072 || k.Pressure != 512 || k.Model != "b" {
			t.Errorf("%s: %+v", at, k)
		}
	}
	p := sit(t, targetAt(t, "near", atLoopback), targetAt(t, "far", atReal))
	p.press("x b")
	if p.asked() {
		t.Error("pressure on the free one of two is asked about")
	}
	p.press("x b")
	if !p.asked() {
		t.Error("pressure on both is not asked about")
	}
}

func TestQuestionSaysWhatItCosts(t *testing.T) {
	p := sitAt(t, atReal)
	p.engineDoes(func(st *state) {
		st.ladders[0] = 0.5
		st.streams[0] = 2 * time.Second
	})
	p.press("b")
	text := strings.Join(p.m.dialog.Lines, "\n")
	for _, want := range []string{
		"batch 0 → 1",
		"About 33,040 tokens a minute, calibration included.", // 16,320 + 30 × (256 + 256) + 2,720 / 2
		"others who use it will wait",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the question does not say %q:\n%s", want, text)
		}
	}
	p.press("n up enter 4 k enter")
	if text := strings.Join(p.m.dialog.Lines, "\n"); strings.Contains(text, "Load streams") {
		t.Errorf("the question speaks of load streams where there are none:\n%s", text)
	}
}

// What is still to be calibrated counts, and all of it with another model.
func TestCalibrationIsCountedIn(t *testing.T) {
	p := sitAt(t, atReal)
	p.engineDoes(func(st *state) { st.ladders[0] = 1 })
	p.press("enter 1 5 9 0 enter") // 60 × (1,590 + 16) = 96,360, and 2 × (1,590 + 4) = 3,188 for the length
	if !p.asked() {
		t.Error("a calibration that is still to come is not counted")
	}
	p.press("n")
	p.engineDoes(nil)
	p.press("enter 1 6 1 0 enter") // 60 × (1,610 + 16) = 97,560, and 3,228
	if !p.asked() {
		t.Error("the calibration of a length is not counted")
	}
	p.press("n enter 1 5 9 0 enter")
	if p.asked() {
		t.Error("a calibration that is over is counted")
	}
	p.press("m")
	if !p.asked() {
		t.Error("the calibration of another model is not counted")
	}
	p.press("n o o o") // 60 × (1,590 + 128) = 103,080
	if !p.asked() {
		t.Error("the limit is not asked at")
	}
}

// Load streams that turn out to be quick make the present knobs dearer than
// what was agreed to: turning down is never asked about, turning up is.
func TestCheaperIsNotAskedAbout(t *testing.T) {
	p := sitAt(t, atReal)
	p.press("down enter 4 enter y")
	p.engineDoes(func(st *state) { st.streams[0] = 100 * time.Millisecond })
	p.press("B")
	if p.asked() || p.last().Knobs[0].Pressure != 2 {
		t.Fatalf("less pressure is asked about: %+v", p.m.dialog)
	}
	p.engineDoes(func(st *state) { st.streams[0] = 100 * time.Millisecond })
	p.press("b")
	if !p.asked() {
		t.Error("more of what was never agreed to is not asked about")
	}
}

// What is agreed to is what the question said, whatever has been learnt since.
func TestConsentIsToWhatWasSaid(t *testing.T) {
	p := sitAt(t, atReal)
	p.press("enter 2 k enter")
	p.engineDoes(func(st *state) { st.ladders[0] = 1 })
	p.press("y")
	if got := p.m.consent.perMinute; got != 60*(2048+16)+2*(2048+4) {
		t.Errorf("agreed to %d tokens a minute", got)
	}
}

// The knobs that the program is started with are asked about before anything
// is sent.
func TestStartThatCosts(t *testing.T) {
	start := func(change func(*probe.Knobs)) (*person, probe.Settings) {
		p := sit(t, targetAt(t, "far", atReal))
		p.m.state = nil
		wanted := p.m.settings.Clone()
		change(&wanted.Knobs[0])
		p.m.settings = wanted
		safe := p.m.safe(wanted)
		p.m.state = stateOf(p.m.targets, safe)
		p.m.state.ladders[0] = 1
		p.m.greet(wanted, safe)
		return p, safe
	}
	if p, safe := start(func(*probe.Knobs) {}); safe.Paused || p.asked() {
		t.Error("the defaults are asked about")
	}
	for name, change := range map[string]func(*probe.Knobs){
		"pressure": func(k *probe.Knobs) { k.Pressure = 4 },
		"prompt":   func(k *probe.Knobs) { k.PromptTokens = 1640 }, // too much with its calibration alone
	} {
		p, safe := start(change)
		if !safe.Paused || !p.asked() || !p.m.snapshot().Paused {
			t.Fatalf("%s: starts without a question", name)
		}
		p.press("n")
		if len(p.engine.applied) > 0 || !p.m.settings.Paused {
			t.Errorf("%s: no is taken for yes", name)
		}
		p.press("space")
		if !p.asked() {
			t.Errorf("%s: going on gets round the question", name)
		}
		p.engineDoes(func(st *state) { st.settings.Knobs[0].Model = "found" })
		p.press("y")
		if got := p.last(); got.Paused || got.Knobs[0].Model != "found" {
			t.Errorf("%s: after yes %+v", name, got)
		}
	}
}
