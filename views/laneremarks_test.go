package views

import (
	"testing"

	"ttftop/probe"
)

func TestEngineRemark(t *testing.T) {
	for _, c := range []struct {
		state *probe.EngineState
		want  string
	}{
		{nil, ""},
		{&probe.EngineState{Running: 3, Waiting: 5, CacheUse: 0.823}, "server: 3 running, 5 waiting, KV 82 %"},
		{&probe.EngineState{Running: 0, Waiting: 0, CacheUse: -1}, "server: 0 running, 0 waiting"},
		{&probe.EngineState{Running: -1, Waiting: -1, CacheUse: 0}, "server: KV 0 %"},
		{&probe.EngineState{Running: -1, Waiting: -1, CacheUse: -1}, ""},
	} {
		if got := engineRemark(c.state); got != c.want {
			t.Errorf("%+v: %q, want %q", c.state, got, c.want)
		}
	}
}
