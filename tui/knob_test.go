package tui

import (
	"strings"
	"testing"

	"ttftop/probe"
)

func TestTurn(t *testing.T) {
	for _, c := range []struct {
		knob int
		from probe.Knobs
		up   bool
		want string
	}{
		{knobPrompt, probe.Knobs{PromptTokens: 256}, true, "512"},
		{knobPrompt, probe.Knobs{PromptTokens: 300}, true, "512"},
		{knobPrompt, probe.Knobs{PromptTokens: 300}, false, "256"},
		{knobPrompt, probe.Knobs{PromptTokens: 16}, false, "16"},
		{knobPrompt, probe.Knobs{PromptTokens: 131072}, true, "131,072"},
		{knobPressure, probe.Knobs{}, true, "1"},
		{knobPressure, probe.Knobs{Pressure: 1}, false, "0"},
		{knobPressure, probe.Knobs{Pressure: 1024}, true, "1,024"},
		{knobCache, probe.Knobs{Cache: probe.Bust}, true, "warm"},
		{knobCache, probe.Knobs{Cache: probe.Warm}, false, "bust"},
		{knobConn, probe.Knobs{Conn: probe.WarmConn}, true, "cold"},
		{knobRate, probe.Knobs{Rate: 1}, true, "2/s"},
		{knobRate, probe.Knobs{Rate: 0.1}, false, "0.1/s"},
	} {
		k := c.from
		knobs[c.knob].turn(&k, c.up)
		if got := knobs[c.knob].get(k); got != c.want {
			t.Errorf("%s from %+v, up %v: %s, want %s", knobs[c.knob].name, c.from, c.up, got, c.want)
		}
	}
}

func TestTypedValues(t *testing.T) {
	for _, c := range []struct {
		knob int
		text string
		want string // "" for refused
	}{
		{knobPrompt, "8k", "8,192"}, {knobPrompt, "1.5k", "1,500"}, {knobPrompt, " 1,000 ", "1,000"}, {knobPrompt, "128K", "131,072"},
		{knobPrompt, "0", ""}, {knobPrompt, "-5", ""}, {knobPrompt, "1.5", ""}, {knobPrompt, "NaN", ""}, {knobPrompt, "1e300", ""}, {knobPrompt, "", ""},
		{knobPressure, "0", "0"}, {knobPressure, "1025", ""}, {knobPressure, "64", "64"},
		{knobRate, "0.5", "0.5/s"}, {knobRate, "3/s", "3/s"}, {knobRate, "0", ""}, {knobRate, "inf", ""},
		{knobOutput, "16", "16"}, {knobOutput, "0", ""},
	} {
		k := probe.DefaultKnobs
		err := knobs[c.knob].parse(&k, c.text)
		switch {
		case (err == nil) != (c.want != ""):
			t.Errorf("%s %q: error %v, want value %q", knobs[c.knob].name, c.text, err, c.want)
		case err == nil && knobs[c.knob].get(k) != c.want:
			t.Errorf("%s %q: %s, want %s", knobs[c.knob].name, c.text, knobs[c.knob].get(k), c.want)
		case err != nil && k != probe.DefaultKnobs:
			t.Errorf("%s %q: refused, and yet changed to %+v", knobs[c.knob].name, c.text, k)
		}
	}
}

func TestDescribed(t *testing.T) {
	one, two := probe.DefaultKnobs, probe.DefaultKnobs
	one.Model, two.Model = "a", "a"
	before := probe.Settings{Knobs: []probe.Knobs{one, two}}
	after := before.Clone()
	for i := range after.Knobs {
		after.Knobs[i].PromptTokens = 1024
	}
	after.Knobs[1].Model = "b"
	if got, want := described(before, after), "prompt 256 → 1,024, model a → b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := described(before, before); got != "" {
		t.Errorf("no change is described as %q", got)
	}
}

// Where targets stand otherwise, a knob says how, and the next turn whose it is.
func TestMixedKnobs(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"))
	p.m.settings.Knobs[1].PromptTokens = 1024
	if got := p.m.row()[knobPrompt]; got.Value != "256" || got.Others != "(B 1,024)" {
		t.Errorf("%+v", got)
	}
	if got := p.m.row()[knobCache]; got.Others != "" {
		t.Errorf("%+v", got)
	}
	before, after := p.m.settings.Clone(), p.m.settings.Clone()
	after.Knobs[0].PromptTokens, after.Knobs[1].PromptTokens = 512, 512
	if got, want := described(before, after), "prompt A 256 → 512, B 1,024 → 512"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	before.Levers, after.Levers = []probe.Levers{{"rtt": "1ms"}, {"rtt": "2ms"}}, []probe.Levers{{"rtt": "4ms"}, {"rtt": "4ms"}}
	if got, want := strings.Join(leversDescribed(before.Levers, after.Levers), "; "), "rtt A 1ms → 4ms, B 2ms → 4ms"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
