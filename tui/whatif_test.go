package tui

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/views"
	"ttftop/views/viewtest"
)

// The panel is left as other dialogs are, goes through the levers and the
// targets, and turns no knob.
func TestWhatIf(t *testing.T) {
	p := sitInspecting(t, "v")
	for _, want := range []string{"what if · A near", "projected, not measured", "▸ smaller model", "assumes: on the same hardware", "now "} {
		if !strings.Contains(p.screen(), want) {
			t.Errorf("the panel does not show %q:\n%s", want, p.screen())
		}
	}
	for _, c := range []struct{ keys, want string }{
		{"down", "▸ prompt caching"}, {"j", "▸ speculative decoding"}, {"k k k", "▸ closer region"}, {"down", "▸ smaller model"},
		{"]", "what if · B far"}, {"[", "what if · A near"},
	} {
		p.press(c.keys)
		if !strings.Contains(p.screen(), c.want) {
			t.Errorf("after %s there is no %q:\n%s", c.keys, c.want, p.screen())
		}
	}
	p.press("p P b m c n o r left right u x 8 1")
	if p.m.levers == nil || len(p.engine.applied) > 0 {
		t.Errorf("a key of the explorer works in the panel: %v", p.engine.applied)
	}
	for _, keys := range []string{"v esc", "v v"} {
		if p := sitInspecting(t, keys); p.m.levers != nil || strings.Contains(p.screen(), "what if ·") {
			t.Errorf("%s does not leave it", keys)
		}
	}
}

// What is projected from is what the screen shows of the selected target.
func TestKnown(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "big-8b", "small-1b"), targetAt(t, "far", atSimulator, "big-8b"))
	p.engineDoes(func(st *state) {
		st.targets = viewtest.Demo().Targets
		st.targets[0].Figures.PromptTokens, st.targets[0].Figures.CachedTokens = 1023, 7
		st.targets[0].P50Least = true
		st.targets[0].P50Most, st.targets[0].Ladder = true, views.Progress{Done: 6, Total: 8}
		st.targets[0].Engine = &probe.EngineState{Waiting: 3}
		st.targets[0].Figures.ProxyOnly = true
		st.targets[0].Figures.Probes, st.targets[0].Figures.Failed, st.targets[0].Figures.Beside = 45, 30, 14
		st.targets[1].Flags = []probe.Flag{probe.FlagAtMost}
		st.targets[1].Ladder = views.Progress{Done: 8, Total: 8}
		st.streams = []time.Duration{4 * time.Second, 0}
	})
	k := p.m.known()
	if k.P50.Total() != p.m.state.targets[0].P50.Total() || k.Prompt != 1023 || k.Cached != 7 || !k.AtLeast || !k.ProxyOnly || k.StreamTime != 4*time.Second || len(k.Models) != 2 || k.Curve != nil {
		t.Errorf("%+v", k)
	}
	if !k.AtMost || !k.Calibrating || k.Engine == nil || k.Engine.Waiting != 3 || k.Probes != 45 || k.Failed != 44 {
		t.Errorf("%+v", k)
	}
	p.press("]")
	if k := p.m.known(); k.AtLeast || !k.AtMost || k.Calibrating || k.ProxyOnly || k.StreamTime != 0 {
		t.Errorf("%+v", k)
	}
}

// The p95 is projected once it is known, and the acknowledgement reaches the
// screen.
func TestGatherTailAndAck(t *testing.T) {
	target := targetAt(t, "near", atReal, "a")
	target.Handoff = "fast"
	w := tellOf(t, target)
	for i := range 25 {
		w.ended(func(r *probe.Result) {
			r.CachedTokens = 5
			r.Ack = &probe.Ack{Model: "fast", At: probe.At(time.Duration(30+i) * ms), Flags: []probe.Flag{probe.FlagOtherModel}}
		})
	}
	v := w.at(0).targets[0]
	if len(v.P95) == 0 || v.Figures.CachedTokens != 5 || v.Handoff != "fast" || v.Last.Ack == nil || v.Last.Marks.Ack.At != 54*ms || v.Figures.Handoff.P50.At != 42*ms {
		t.Errorf("%+v, %+v", v, v.Last)
	}
	if len(v.FlagText) == 0 || v.FlagText[len(v.FlagText)-1] != "another model acknowledged than the one asked for" {
		t.Errorf("%q", v.FlagText)
	}
}

// What this program did not send is no failure that forbids a projection.
func TestWhatIfOfFaultsOnThisSide(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.engineDoes(func(st *state) { st.targets[0].Figures = views.Figures{Probes: 60, Beside: 41, Ours: 40} })
	if k := p.m.known(); k.Probes != 20 || k.Failed != 1 {
		t.Errorf("%d of %d", k.Failed, k.Probes)
	}
}
