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

// A remark without room is worded briefly or left out, and only a warning is cut.
func TestRemarksFit(t *testing.T) {
	sym, _ := symbols(t)
	s := &sheet{w: 140, sym: sym}
	target := Target{
		FlagText:  []string{"no clear idle level was seen: the queue is at least this", "short"},
		FlagBrief: []string{"never seen idle: queue at least this", ""},
		Dialect:   "vllm", Address: "kept to 127.0.0.1:8301",
	}
	for _, c := range []struct {
		room int
		want string
	}{
		{130, "no clear idle level was seen: the queue is at least this · short · reported: vllm · connection kept to 127.0.0.1:8301"},
		{110, "no clear idle level was seen: the queue is at least this · short · reported: vllm"},
		{60, "no clear idle level was seen: the queue is at least this"},
		{50, "never seen idle: queue at least this · short"},
		{20, "never seen idle: qu…"},
		{5, "short"},
		{4, ""},
	} {
		if got := said(s.joined(s.remarks(&target), c.room)); got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.room, got, c.want)
		}
	}
}
