package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/reported"
	"ttftop/views/viewtest"
)

// sitInspecting is a person with the state of the demo scene.
func sitInspecting(t *testing.T, keys string) *person {
	t.Helper()
	p := sit(t, targetAt(t, "near", atSimulator, "a", "b"), targetAt(t, "far", atSimulator, "a", "b"))
	p.engineDoes(func(st *state) { st.targets = viewtest.Demo().Targets })
	p.press(keys)
	return p
}

// screen is what the person reads.
func (p *person) screen() string { return ansi.Strip(p.m.View().Content) }

func TestInspector(t *testing.T) {
	p := sitInspecting(t, "w")
	for _, want := range []string{"waterfall of A near", "▸ prefill", "reported by vllm", "H headers 10.7", "21.2 ms + 83.4 ms per 1,000 uncached input tokens"} {
		if !strings.Contains(p.screen(), want) {
			t.Errorf("the inspector does not show %q:\n%s", want, p.screen())
		}
	}
	for _, c := range []struct{ keys, want string }{
		{"down", "▸ first decode"}, {"j", "▸ dns"}, {"k", "▸ first decode"}, {"up up", "▸ queue"},
		{"?", "Cure: fewer requests"}, {"up", "Cure: fewer gateways"}, {"enter", "H headers"}, {"enter", "Cure: fewer gateways"},
		{"]", "waterfall of B far"}, {"[", "waterfall of A near"},
	} {
		p.press(c.keys)
		if !strings.Contains(p.screen(), c.want) {
			t.Errorf("after %s there is no %q:\n%s", c.keys, c.want, p.screen())
		}
	}
	// It is live: the next frame's figures are in it.
	p.engineDoes(func(st *state) { st.targets = viewtest.Estimated(nil).Targets })
	if !strings.Contains(p.screen(), "estimated 2.25") {
		t.Errorf("the inspector stands still:\n%s", p.screen())
	}
}

// The inspector is left as other dialogs are, and turns no knob.
func TestInspectorIsLeft(t *testing.T) {
	for _, keys := range []string{"w esc", "w w", "w ? esc", "w down ? w"} {
		if p := sitInspecting(t, keys); p.m.inspect != nil || strings.Contains(p.screen(), "waterfall of") {
			t.Errorf("%s does not leave it", keys)
		}
	}
	p := sitInspecting(t, "w p P b m c n o r left right u x 8 1")
	if p.m.inspect == nil || p.m.dialog != nil || len(p.engine.applied) > 0 {
		t.Errorf("a key of the explorer works in the inspector: %v", p.engine.applied)
	}
	p.press("space")
	if !p.last().Paused || p.m.inspect == nil {
		t.Error("space does not pause in the inspector")
	}
	for _, key := range []string{"q", "ctrl+c"} {
		if p := sitInspecting(t, "w "+key); !p.m.quitting {
			t.Errorf("%s does not quit the inspector", key)
		}
	}
}

// Before the first probe there is nothing to choose.
func TestInspectorOfNothing(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"))
	p.press("w down up ? enter")
	if !strings.Contains(p.screen(), "No probe of this target has had a first token yet") {
		t.Errorf("%s", p.screen())
	}
}

func TestIntervalsOnRequest(t *testing.T) {
	p := sitInspecting(t, "i")
	if !strings.Contains(p.screen(), "9.30 (8.37–10.7) e") {
		t.Errorf("no intervals:\n%s", p.screen())
	}
	p.press("i")
	if strings.Contains(p.screen(), "8.37") {
		t.Errorf("the intervals stay:\n%s", p.screen())
	}
	if p.m.notice != "intervals: off" {
		t.Errorf("it is not told: %q", p.m.notice)
	}
}

func TestTruthOnRequest(t *testing.T) {
	p := sitInspecting(t, "")
	p.m.books = true
	p.press("g")
	if !strings.Contains(p.screen(), "truth ") || !strings.HasPrefix(p.m.notice, "the simulator's books: on") {
		t.Errorf("no truth:\n%s", p.screen())
	}
	p.press("g")
	if strings.Contains(p.screen(), "truth ") {
		t.Errorf("the truth stays:\n%s", p.screen())
	}
	p = sitAt(t, atReal)
	p.press("g")
	if p.m.truth || p.m.notice != noBooks || !strings.Contains(p.screen(), "a real one keeps none") {
		t.Errorf("a real endpoint is compared with books: %q\n%s", p.m.notice, p.screen())
	}
}

// Where the lanes have no line for a detail, that is said, and where it is.
func TestDetailWithoutALine(t *testing.T) {
	p := sitInspecting(t, "")
	p.m.books = true
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, c := range []struct{ keys, want string }{
		{"i", "intervals: on"},
		{"g", "the simulator's books: on; the figures under the bars have no line here: w has them"},
		{"i i", "intervals: on, but there is no line for them here: w has them"}, // the truth is in the lines of figures
		{"g", "the simulator's books: off"},
		{"2 g", "the simulator's books: on, but there is no line for them here: w has them"},
		{"w g g", "the simulator's books: on"},
	} {
		p.press(c.keys)
		if p.m.notice != c.want {
			t.Errorf("%s: %q, want %q", c.keys, p.m.notice, c.want)
		}
	}
}

// What the inspector needs of a probe reaches it.
func TestGatherMarks(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.ended(func(r *probe.Result) {
		r.Timeline.Headers, r.Timeline.FirstEvent, r.Timeline.FirstReasoning = probe.At(20*ms), probe.At(60*ms), probe.At(100*ms)
		r.Timeline.FirstAnswer, r.Contention = probe.At(150*ms), probe.At(3*ms)
		r.Server, r.Dialect, r.Reused, r.Proxy = "vllm", "vllm", true, "p:1"
		r.Flags = []probe.Flag{probe.FlagAtLeast}
	})
	v := w.at(0).targets[0]
	l := v.Last
	if l.Marks.Headers.At != 20*ms || l.Marks.FirstEvent.At != 60*ms || l.Marks.FirstReasoning.At != 100*ms || l.Marks.FirstAnswer.At != 150*ms || l.Contention.At != 3*ms {
		t.Errorf("%+v", l)
	}
	k := l.Known
	if k.Server != "vllm" || k.Dialect != "vllm" || k.Leave != reported.OnAcceptance || k.Clock != probe.KernelClock || !k.RTT || !k.Reused || k.Proxy != "p:1" || !k.Has(probe.FlagAtLeast) || !v.P50Least {
		t.Errorf("%+v, p50 at least %v", k, v.P50Least)
	}
}
