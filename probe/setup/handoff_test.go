package setup

import (
	"strings"
	"testing"
)

func TestHandoff(t *testing.T) {
	for _, c := range []struct {
		handoff []string
		want    []string
		err     string
	}{
		{nil, []string{"", ""}, ""},
		{[]string{"sim-1b"}, []string{"sim-1b", "sim-1b"}, ""},
		{[]string{"", "sim-1b"}, []string{"", "sim-1b"}, ""},
		{[]string{"sim-8b"}, nil, "sim-near answers with sim-8b, and can acknowledge with sim-70b or sim-1b"},
		{[]string{"gpt"}, nil, `--handoff "gpt": sim-near answers`},
		{[]string{"sim-1b", "sim-1b", "sim-1b"}, nil, "--handoff is given 3 times for 2 URLs"},
	} {
		pl, err := DemoAlone(EndpointFlags{HandoffFlags: HandoffFlags{c.handoff}}, ProbeFlags{})
		if err != nil {
			if c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.handoff, err, c.err)
			}
			continue
		}
		for i, target := range pl.Session.Prober.Targets {
			if c.err != "" || target.Handoff != c.want[i] {
				t.Errorf("%q: %s has %q", c.handoff, target.Name, target.Handoff)
			}
		}
		pl.Close()
	}
	pl, err := Usual(EndpointFlags{URL: []string{"http://localhost:1"}, Model: []string{"m"}, HandoffFlags: HandoffFlags{[]string{"fast"}}}, ProbeFlags{})
	if err != nil || pl.Session.Prober.Targets[0].Handoff != "fast" {
		t.Errorf("%v", err)
	}
	if _, err := Usual(EndpointFlags{HandoffFlags: HandoffFlags{[]string{"fast"}}}, ProbeFlags{}); err == nil || !strings.Contains(err.Error(), "--handoff goes with a URL") {
		t.Errorf("%v", err)
	}
}
