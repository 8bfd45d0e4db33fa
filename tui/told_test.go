package tui

import (
	"context"
	"slices"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/probe/session"
	"ttftop/probe/tally"
)

const ms = time.Millisecond

// told is a session that is not run: a test tells what happens in its place.
type told struct {
	t       *testing.T
	session *session.Session
	targets []probe.Target
	start   time.Time
	seq     int
}

func tellOf(t *testing.T, targets ...probe.Target) *told {
	t.Helper()
	s, err := session.New(session.Config{Prober: prober.Config{Targets: targets, Settings: settingsFor(targets), Timeout: 30 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	w := &told{t: t, session: s, targets: targets}
	s.View(func(t *tally.Tally, _ error) { w.start = t.Start() })
	return w
}

// tell folds events in.
func (w *told) tell(events ...probe.Event) {
	w.session.View(func(t *tally.Tally, _ error) {
		for _, e := range events {
			t.Fold(e)
		}
	})
}

// at is the state so long after the start.
func (w *told) at(d time.Duration) *state {
	return gather(w.session, w.targets, "", w.start.Add(d))
}

// ended tells a whole probe: 10 ms of network, then the server.
func (w *told) ended(change func(*probe.Result)) {
	w.seq++
	r := probe.Result{
		Seq: w.seq, At: w.start.Add(time.Duration(w.seq) * time.Second), Kind: probe.Ordinary, Address: "192.0.2.1:443", Clock: probe.KernelClock,
		Timeline:     probe.Timeline{Sent: probe.At(0), FirstToken: probe.At(100 * ms), FirstAnswer: probe.At(100 * ms), Done: probe.At(200 * ms)},
		Waterfall:    probe.Waterfall{{Name: probe.RTT, Duration: 10 * ms, Source: probe.Measured}, {Name: probe.Server, Duration: 90 * ms, Source: probe.Measured}},
		PromptTokens: 256, PromptExact: true, OutputTokens: 16, RTT: probe.At(10 * ms),
	}
	if change != nil {
		change(&r)
	}
	w.tell(probe.Started{Seq: w.seq, Target: r.Target, Kind: r.Kind, Epoch: r.Epoch, At: r.At}, probe.Finished{Result: r})
}

// fails makes a probe fail.
func fails(f probe.Failure) func(*probe.Result) {
	return func(r *probe.Result) {
		r.Failure, r.Waterfall, r.Timeline = &f, nil, probe.Timeline{}
	}
}

// The waterfall of a probe in flight grows with time, segment by segment, and
// settles when the first token is there.
func TestLiveWaterfallGrows(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	if st := w.at(0); st.targets[0].Live != nil || st.busy {
		t.Fatalf("something is live before the first probe: %+v", st.targets[0].Live)
	}
	w.tell(probe.Started{Seq: 1, Kind: probe.Warmup, At: w.start.Add(time.Second)})
	reach := func(s probe.Step, at time.Duration) { w.tell(probe.Reached{Seq: 1, Step: s, At: at}) }
	parts := func(network, server time.Duration) map[probe.Part]time.Duration {
		return map[probe.Part]time.Duration{probe.NetworkPart: network, probe.ServerPart: server}
	}
	// Without a round trip that is known, the connect handshake of 21 ms is it.
	server := func(at time.Duration) map[probe.Part]time.Duration { return parts((125+21)*ms, at-(125+21)*ms) }
	for _, step := range []struct {
		name  string
		reach func()
		at    time.Duration // since the start of the probe
		want  map[probe.Part]time.Duration
		ttft  bool
	}{
		{"resolving", func() {}, 5 * ms, parts(5*ms, 0), false},
		{"still", func() {}, 8 * ms, parts(8*ms, 0), false},
		{"connecting", func() { reach(probe.StepDNS, 10*ms) }, 30 * ms, parts(30*ms, 0), false},
		{"shaking hands", func() { reach(probe.StepConnect, 31*ms) }, 70 * ms, parts(70*ms, 0), false},
		{"sending", func() { reach(probe.StepTLS, 72*ms) }, 120 * ms, parts(120*ms, 0), false},
		{"waiting", func() { reach(probe.StepSent, 125*ms) }, 300 * ms, server(300 * ms), false},
		{"headers", func() { reach(probe.StepHeaders, 310*ms) }, 400 * ms, server(400 * ms), false},
		{"first token", func() { reach(probe.StepToken, 420*ms) }, 500 * ms, server(420 * ms), true},
		{"more tokens", func() {}, 700 * ms, server(420 * ms), true},
	} {
		step.reach()
		st := w.at(time.Second + step.at)
		l := st.targets[0].Live
		if l == nil || l.Seq != 1 || l.Kind != probe.Warmup {
			t.Fatalf("%s: live %+v", step.name, l)
		}
		total := step.at
		if step.ttft {
			total = 420 * ms
		}
		if l.Elapsed != step.at || l.Waterfall.Total() != total {
			t.Errorf("%s: elapsed %v, waterfall %v, want %v and %v", step.name, l.Elapsed, l.Waterfall.Total(), step.at, total)
		}
		for part, want := range step.want {
			if got := l.Waterfall.Of(part); got != want {
				t.Errorf("%s: %s %v, want %v", step.name, part, got, want)
			}
		}
		if l.TTFT.OK != step.ttft || st.busy == step.ttft {
			t.Errorf("%s: TTFT %+v, busy %v", step.name, l.TTFT, st.busy)
		}
	}
}

// Until the round trip of a probe is known, that of the probe before it stands
// in, so that the picture does not jump when it settles.
func TestLiveWaterfallKnowsTheRoundTrip(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.ended(nil)
	w.tell(probe.Started{Seq: 2, Kind: probe.Ordinary, At: w.start.Add(2 * time.Second)}, probe.Reached{Seq: 2, Step: probe.StepSent, At: ms})
	l := w.at(2*time.Second + 50*ms).targets[0].Live
	if got := l.Waterfall.Of(probe.NetworkPart); got != 11*ms {
		t.Errorf("network %v, want 1 ms of sending and 10 ms of round trip", got)
	}
	// A clock that is read before the probe began gives nothing negative.
	if l := w.at(time.Second).targets[0].Live; l.Elapsed != 0 || l.Waterfall.Total() != 0 {
		t.Errorf("before its start: %+v", l)
	}
}

// Nobody changes a state once it is made, whatever is told later.
func TestStateIsNotChanged(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.ended(nil)
	w.tell(probe.Started{Seq: 9, At: w.start}, probe.Models{Names: []string{"b"}})
	st := w.at(time.Second)
	live, points, models, settings := *st.targets[0].Live, len(st.targets[0].Points), slices.Clone(st.models[0]), st.settings.Clone()
	w.tell(probe.Reached{Seq: 9, Step: probe.StepToken, At: ms}, probe.Models{Names: []string{"c"}})
	for range 5 {
		w.ended(nil)
	}
	after := settings.Clone()
	after.Knobs[0].PromptTokens = 1
	w.tell(probe.Changed{Epoch: 1, Settings: after})
	if st.targets[0].Live.TTFT != live.TTFT || len(st.targets[0].Points) != points || !slices.Equal(st.models[0], models) || described(st.settings, settings) != "" {
		t.Errorf("%+v", st)
	}
}

// A model that the session has chosen by itself is not taken away by settings
// that don't know of it yet.
func TestApplierKeepsTheModel(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "found"))
	s := settingsFor(w.targets)
	s.Knobs[0].Model, s.Knobs[0].PromptTokens = "", 512
	applier{context.Background(), w.session}.apply(s)
	if k := w.session.Settings().Knobs[0]; k.Model != "found" || k.PromptTokens != 512 {
		t.Errorf("%+v", k)
	}
	if s.Knobs[0].Model != "" {
		t.Error("the person's settings were changed")
	}
}
