package prober

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// That a server closes its connections is said once, and a probe on one that was
// made ahead is not taken for one on a kept connection.
func TestAServerThatClosesIsTold(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		a.Header().Set("Connection", "close")
		a.Short()
	})
	k := fast()
	k.Rate = 25
	r := begin(t, onto(s, k))
	kept := 0
	for _, res := range r.ordinary(15) {
		if res.Reused && !res.Fresh {
			kept++
		}
	}
	if kept > trivialTries { // the list of models, asked for so often, doesn't close
		t.Errorf("%d probes went out on a kept connection", kept)
	}
	told := 0
	for _, n := range of[probe.Notice](r.events()) {
		if strings.Contains(n.Text, "closes its connection after each answer") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

func TestClosesSentence(t *testing.T) {
	for idle, want := range map[time.Duration]string{
		0:                        "after each answer",
		990 * time.Millisecond:   "idle for 1 s:",
		5020 * time.Millisecond:  "idle for 5 s:",
		450 * time.Millisecond:   "idle for 0.5 s:",
		29700 * time.Millisecond: "idle for 30 s:",
		60 * time.Second:         "idle for 60 s:",
	} {
		if got := closesSentence(idle); !strings.Contains(got, want) {
			t.Errorf("%v: %q", idle, got)
		}
	}
}

// What a dead connection has cost is no lateness of this program.
func TestLagIsWithoutWhatWasLost(t *testing.T) {
	l := restingLane(t, 1)
	s := shot{kind: probe.Ordinary, knobs: l.prober.Settings().Knobs[0], due: time.Now()}
	s.shape = l.shape.Load()
	s.outcome.Start = s.due.Add(350 * time.Millisecond)
	s.outcome.Result.Lost = 340 * time.Millisecond
	if r := l.result(s); r.Lag != 10*time.Millisecond || r.Lost != 340*time.Millisecond {
		t.Errorf("lag %v, lost %v", r.Lag, r.Lost)
	}
}
