package prober

import (
	"slices"
	"testing"

	"ttftop/probe"
)

// A new model is warmed up and climbs its ladder; one that comes back is warmed
// up alone. A probe of the old model that ends late is not taken for a sign
// that the new one is warm.
func TestTurningTheModel(t *testing.T) {
	t.Parallel()
	s := simulated(t, nil)
	k := fast()
	k.Rate = 10
	r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: tooLong})
	climbed := func(model string, times int) func([]probe.Event) bool {
		return func(events []probe.Event) bool {
			n := 0
			for _, res := range results(events, probe.Calibration) {
				if res.Knobs.Model == model {
					n++
				}
			}
			return n >= times*len(rungs)
		}
	}
	r.until("the first ladder", climbed("m", 1))
	r.ordinary(3)
	r.turn(func(k *probe.Knobs) { k.Model = "other" })
	r.until("the second ladder", climbed("other", 1))
	from := len(r.events())
	r.turn(func(k *probe.Knobs) { k.Model = "m" })
	r.until("ordinary probes again", func(events []probe.Event) bool {
		n := 0
		for _, res := range results(events[from:], probe.Ordinary) {
			if res.Knobs.Model == "m" {
				n++
			}
		}
		return n >= 5
	})
	r.stop()
	var begun []string
	for _, e := range r.events() {
		if e, ok := e.(probe.Finished); ok && e.Result.Kind != probe.Ordinary {
			begun = append(begun, string(e.Result.Kind)+" "+e.Result.Knobs.Model)
		}
	}
	var want []string
	for _, model := range []string{"m", "other"} {
		want = append(want, "warmup "+model)
		want = append(want, slices.Repeat([]string{"calibration " + model}, len(rungs))...)
	}
	want = append(want, "warmup m")
	if !slices.Equal(begun, want) {
		t.Errorf("%q\nwant %q", begun, want)
	}
	last := of[probe.Calibrating](r.events())
	if c := last[len(last)-1]; c.Left != 0 {
		t.Errorf("%+v", c)
	}
	checkEvents(t, r.events())
	// The baseline that is told is that of the model that is probed now.
	finished := of[probe.Finished](r.events())
	if fit := finished[len(finished)-1].Fit; !fit.Fixed.OK {
		t.Error("no baseline after coming back")
	}
}

// On a slow endpoint ordinary probes leave no gap by themselves: the ladder is
// climbed all the same.
func TestTheLadderDoesNotStarve(t *testing.T) {
	t.Parallel()
	s := simulated(t, nil)
	k := fast()
	k.MaxTokens, k.Rate = 250, 8 // half a second each: always some in flight
	r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: tooLong})
	r.until("two rungs", func(events []probe.Event) bool { return len(results(events, probe.Calibration)) >= 2 })
	for _, res := range results(r.events(), probe.Ordinary) {
		if res.Lag > tooLong/10 {
			t.Errorf("a lag of %v", res.Lag)
		}
	}
}
