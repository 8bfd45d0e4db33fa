package config

import (
	"strings"
	"testing"
)

func TestHandoffFlags(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags Flags
		want  []string
		err   string
	}{
		{"one for all", Flags{URLs: []string{"https://h", "https://i"}, Models: []string{"m"}, Handoffs: []string{"fast"}}, []string{"fast", "fast"}, ""},
		{"one skipped", Flags{URLs: []string{"https://h", "https://i"}, Handoffs: []string{"", "fast"}}, []string{"", "fast"}, ""},
		{"the model itself", Flags{URLs: []string{"https://h"}, Models: []string{"m"}, Handoffs: []string{"m"}}, nil, "the handoff names the model that answers"},
		{"no model", Flags{URLs: []string{"https://h"}, Handoffs: []string{"a\tb"}}, nil, "handoff: the name of a model has white space around it or a control character"},
		{"a deployment", Flags{URLs: []string{"https://r.openai.azure.com/openai/deployments/d"}, Handoffs: []string{"e"}}, nil, `the URL names the deployment "d", so no other model can acknowledge`},
	} {
		targets, err := FromFlags(c.flags)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
			continue
		}
		for i, want := range c.want {
			if err != nil || targets[i].Handoff != want {
				t.Errorf("%s: %v, %v", c.name, targets, err)
			}
		}
	}
}

func TestHandoffInTheFile(t *testing.T) {
	f := load(t, "[[endpoints]]\nurl = \"https://h\"\nmodels = [\"m\"]\nhandoff = \"fast\"\n")
	targets, err := f.Targets(env(nil))
	if err != nil || targets[0].Handoff != "fast" {
		t.Errorf("%v, %v", targets, err)
	}
	f = load(t, "[[endpoints]]\nurl = \"https://h\"\nmodels = [\"m\"]\nhandoff = \"m\"\n")
	if _, err := f.Targets(env(nil)); err == nil || !strings.Contains(err.Error(), ":4: the handoff names the model that answers") {
		t.Errorf("%v", err)
	}
}
