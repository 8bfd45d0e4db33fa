package tui

import (
	"errors"
	"testing"

	"ttftop/probe"
)

// Batch pressure beyond what the system has room for is lowered before it is
// set, and the sentence stays where it changes nothing more.
func TestPressureStopsAtTheSystemsLimit(t *testing.T) {
	const sentence = "the limit of 100 open files allows about 3 load streams in all: lower the batch pressure"
	p := sitAt(t, atSimulator)
	p.engine.cap = func(s probe.Settings) (probe.Settings, error) {
		if s.Knobs[0].Pressure <= 3 {
			return s, nil
		}
		s = s.Clone()
		s.Knobs[0].Pressure = 3
		return s, errors.New(sentence)
	}
	p.press("b b b b b b")
	if got := p.last().Knobs[0].Pressure; got != 3 || p.m.settings.Knobs[0].Pressure != 3 {
		t.Errorf("the engine was asked for %d load streams, the screen says %d", got, p.m.settings.Knobs[0].Pressure)
	}
	if p.m.notice != sentence {
		t.Errorf("the notice is %q", p.m.notice)
	}
	p.press("B")
	if p.m.notice != "" || p.last().Knobs[0].Pressure >= 3 {
		t.Errorf("turned down to %d: %q", p.last().Knobs[0].Pressure, p.m.notice)
	}
}
