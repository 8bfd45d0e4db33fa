package setup

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ttftop/probe"
	"ttftop/probe/session"
	"ttftop/probe/sim"
	"ttftop/probe/tally"
)

// bench is a running demo, in memory and in the time of a bubble, whose near
// endpoint is turned.
type bench struct {
	t    *testing.T
	plan *Plan
	s    *session.Session
	ctx  context.Context
}

// enough is how many probes of an epoch a figure is taken from: more than chance
// has its way with, where users come at random.
const enough = 15

func begin(t *testing.T, p ProbeFlags) *bench {
	t.Helper()
	pl, err := simulate(nil, p, HandoffFlags{}, sim.InMemory)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.New(pl.Session)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		if err := pl.Close(); err != nil {
			t.Error(err)
		}
	})
	return &bench{t, pl, s, ctx}
}

// turn sets levers of the near endpoint, as text: "max-batch=8 replicas=2". The
// size of the model is that of a knob.
func (b *bench) turn(levers string) {
	b.t.Helper()
	to := b.s.Settings()
	for lever := range strings.FieldsSeq(levers) {
		name, value, _ := strings.Cut(lever, "=")
		if name == "model" {
			to.Knobs[0].Model = value
			continue
		}
		would, err := b.plan.Settle(0, to.Levers[0], name, value)
		if err != nil {
			b.t.Fatal(err)
		}
		to.Levers[0] = would
	}
	b.s.Apply(b.ctx, to)
}

// figure waits for enough probes of this epoch and takes a figure from them, in
// milliseconds.
func (b *bench) figure(of func(*tally.Target) time.Duration) float64 {
	b.t.Helper()
	for {
		found, done := 0.0, false
		b.s.View(func(tl *tally.Tally, _ error) {
			target := tl.Target(0)
			if f := target.Figures(); tl.Settings().Alike(b.s.Settings()) && f.Probes >= enough && f.P50.OK {
				found, done = float64(of(target))/1e6, true
			}
		})
		if done {
			return found
		}
		select {
		case <-b.s.Changed():
		case <-b.ctx.Done():
			b.t.Fatal("too few probes in this time")
		}
	}
}

func part(p probe.Part) func(*tally.Target) time.Duration {
	return func(t *tally.Target) time.Duration {
		w, _ := t.P50()
		return w.Of(p)
	}
}

// A lever that is turned is seen by real probes in the part that it is about,
// in the right direction.
func TestLeversMoveTheirPart(t *testing.T) {
	alone(t)
	tpot := func(t *tally.Target) time.Duration { return t.Figures().TPOT.At }
	rate := 4.0
	for name, c := range map[string]struct {
		flags        ProbeFlags
		before, turn string
		of           func(*tally.Target) time.Duration
		right        func(before, after float64) bool
	}{
		"a smaller model": {ProbeFlags{PromptTokens: to(2048)}, "", "model=sim-1b", part(probe.PrefillPart),
			func(b, a float64) bool { return a < 0.4*b }},
		"quantization halves prefill": {ProbeFlags{PromptTokens: to(2048)}, "", "quantization=int8", part(probe.PrefillPart),
			func(b, a float64) bool { return a > 0.35*b && a < 0.7*b }},
		"a prefix cache takes most of a shared prompt away": {ProbeFlags{PromptTokens: to(2048), Cache: to("warm")}, "cache-blocks=0", "cache-blocks=16384", part(probe.PrefillPart),
			func(b, a float64) bool { return a < 0.4*b }},
		"a smaller batch makes a queue": {ProbeFlags{Pressure: to(8)}, "", "max-batch=8", part(probe.QueuePart),
			func(b, a float64) bool { return a > b+50 }},
		"a replica ends a queue": {ProbeFlags{Pressure: to(8)}, "max-batch=8", "replicas=2", part(probe.QueuePart),
			func(b, a float64) bool { return a < b/2 }},
		"a farther region": {ProbeFlags{}, "", "rtt=250ms", part(probe.NetworkPart),
			func(b, a float64) bool { return a > b+200 }},
		"users make others wait": {ProbeFlags{}, "user-prompt=2048 user-output=16", "users=3.5", part(probe.QueuePart), // with the probes they take some 80 % of the time

			func(b, a float64) bool { return a > b+10 }},
		"drafts make tokens cheaper": {ProbeFlags{MaxTokens: to(32)}, "draft-acceptance=0.9 draft-cost=0.02", "draft-tokens=4", tpot,
			func(b, a float64) bool { return a < 0.7*b }},
		"drafts hardly move prefill": {ProbeFlags{PromptTokens: to(2048)}, "draft-acceptance=0.9 draft-cost=0.02", "draft-tokens=4", part(probe.PrefillPart),
			func(b, a float64) bool { return a > 0.8*b && a < 1.3*b }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.flags.Rate = &rate
				b := begin(t, c.flags)
				b.turn(c.before)
				before := b.figure(c.of)
				b.turn(c.turn)
				after := b.figure(c.of)
				t.Logf("%s: %.2f → %.2f ms", c.turn, before, after)
				if !c.right(before, after) {
					t.Errorf("%s: %.2f → %.2f ms", c.turn, before, after)
				}
			})
		})
	}
}

// Levers that can't be are refused with a sentence, and nothing is turned.
func TestSettle(t *testing.T) {
	alone(t)
	pl, err := Demo(ProbeFlags{}, HandoffFlags{})
	planned(t, pl, err)
	now := pl.Session.Prober.Settings.Levers
	if len(now) != 2 || len(pl.Levers) != 2 || len(now[0]) != len(pl.Levers[0]) || now[0]["max-batch"] != "48" || now[1]["max-batch"] != "56" {
		t.Fatalf("%v", now)
	}
	to, err := pl.Settle(1, now[1], "max-batch", "1,024")
	if err != nil || to["max-batch"] != "1024" || to["rtt"] != "140ms" || now[1]["max-batch"] != "56" {
		t.Errorf("%v, %v", to, err)
	}
	for name, says := range map[string]string{"max-batch": "a whole number, such as", "warp": "there is no lever"} {
		if to, err := pl.Settle(0, now[0], name, "fast"); err == nil || !strings.Contains(err.Error(), says) || to != nil {
			t.Errorf("%s: %v, %v", name, to, err)
		}
	}
	if pl.Behind() != "" {
		t.Error("a machine is behind that has done nothing")
	}
	pl, err = Configured(EndpointFlags{URL: []string{"http://127.0.0.1:1/v1"}}, ProbeFlags{})
	if pl := planned(t, pl, err); pl.Levers != nil || pl.Settle != nil || pl.Behind != nil || pl.Session.Prober.Turn != nil || pl.Session.Prober.Settings.Levers != nil {
		t.Error("a real endpoint has levers")
	}
}
