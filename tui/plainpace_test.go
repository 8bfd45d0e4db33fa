package tui

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// Lines of probes that go well come as often as was asked for; failures always do.
func TestLinePace(t *testing.T) {
	start := time.Now()
	var p linePace
	due := func(target int, after time.Duration) bool { return p.due(target, start.Add(after)) }
	for range 2 {
		if !due(0, 0) {
			t.Error("not every line is said where nothing else was asked for")
		}
	}
	p.set(10 * time.Second)
	if !due(0, 0) || !due(1, time.Second) || due(0, 9*time.Second) || !due(0, 10*time.Second) || due(1, 10*time.Second) || !due(1, 11*time.Second) {
		t.Error("a line of each target is not said every 10 s")
	}
	p.set(never)
	if due(0, time.Hour) {
		t.Error("it is not quiet")
	}
	p.set(0)
	if !due(0, time.Hour) {
		t.Error("it stays quiet")
	}
}

func TestQuiet(t *testing.T) {
	p, _, said := talk(t, atSimulator)
	tell := func(r probe.Result) string {
		said.Reset()
		p.hear(probe.Finished{Result: r}, nil)
		return said.String()
	}
	well := probe.Result{Timeline: probe.Timeline{FirstToken: probe.At(108 * ms)}}
	bad := probe.Result{Failure: &probe.Failure{Kind: probe.FailTimeout, Message: "late"}}
	if tell(well) == "" {
		t.Error("a probe has no line")
	}
	p.obey("quiet")
	if tell(well) != "" || !strings.Contains(tell(bad), "late") {
		t.Errorf("quiet: %q, %q", tell(well), tell(bad))
	}
	said.Reset()
	p.hear(probe.Notice{Target: -1, Text: "listen"}, nil)
	if said.String() != "listen\n" {
		t.Errorf("a notice when quiet: %q", said.String())
	}
	p.obey("every 1h")
	if first, second := tell(well), tell(well); first == "" || second != "" {
		t.Errorf("not one line an hour: %q, %q", first, second)
	}
	p.obey("loud")
	for range 2 {
		if tell(well) == "" {
			t.Error("not loud again")
		}
	}
}
