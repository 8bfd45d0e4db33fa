package whatif

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// guessed is a target without reports: each part is known to a tenth.
func guessed() Known {
	k := quiet()
	for _, w := range []probe.Waterfall{k.P50, k.P95} {
		for i := range w[5:] {
			s := &w[5+i]
			s.Source, s.Lo, s.Hi = probe.Estimated, s.Duration*9/10, s.Duration*11/10
		}
	}
	return k
}

// A baseline that was fitted to a busy server opens the intervals of what rests
// on it, and of nothing else; and it is said.
func TestUncertainBaseline(t *testing.T) {
	for _, c := range []struct {
		name  string
		curve straight
		why   string
	}{
		{"contradicted", straight{quarrel: true}, "; baseline uncertain: the lengths that it is fitted to contradict each other"},
		{"never idle", straight{busy: true}, "; baseline uncertain: no idle server was seen"},
	} {
		reported, estimated := quiet(), guessed()
		reported.Curve, estimated.Curve = c.curve, c.curve
		for _, k := range []struct {
			name  string
			known Known
			lever Lever
			open  bool
			lo    float64
			hi    float64
		}{
			{"reported", reported, Prompt, true, 22, 112}, // all of its prefill, or nothing
			{"reported", reported, Caching, true, 22, 112},
			{"reported", reported, Model, false, 12 + 100*0.5/8.5, 12 + 90*1.5/7.5 + 10*0.4},
			{"estimated", estimated, Prompt, true, 18, 112},                     // prefill may be all but network and first decode
			{"estimated", estimated, Model, true, 8 + 104*0.5/8.5, 112 - 9*0.6}, // or nothing, and the first decode is known
			{"estimated", estimated, Region, false, 0, 0},
		} {
			got := find(t, k.known, k.lever)
			if got.P50.Uncertain != k.open || strings.HasSuffix(got.Assumes, c.why) != k.open {
				t.Errorf("%s, %s, %s: %+v", c.name, k.name, k.lever, got)
			}
			if k.lever != Region && ((got.P50.Lo-ms(k.lo)).Abs() > 2*time.Microsecond || (got.P50.Hi-ms(k.hi)).Abs() > 2*time.Microsecond) {
				t.Errorf("%s, %s, %s: from %v to %v, want %v to %v", c.name, k.name, k.lever, got.P50.Lo, got.P50.Hi, ms(k.lo), ms(k.hi))
			}
		}
	}
}

// A queue that is there though the server's page shows nobody is a timer's, as
// the diagnosis has it: no lever moves it.
func TestTimedQueue(t *testing.T) {
	k := quiet()
	k.P50, k.Engine = cut(8, 200, 90, 10), &probe.EngineState{}
	k.P50[8].Lo, k.P50[8].Hi = k.P50[8].Duration, k.P50[8].Duration
	wantAt(t, "model", find(t, k, Model).P50, 312-100*7./8)
	wantAt(t, "capacity", find(t, k, Capacity).P50, 312)
	for _, l := range []Lever{Model, Quantization, Capacity} {
		if p := find(t, k, l); !strings.Contains(p.Assumes, "batching timer") {
			t.Errorf("%s: %s", l, p.Assumes)
		}
	}
	k.Engine = &probe.EngineState{Running: 1}
	if got := find(t, k, Capacity).P50; got.At >= ms(312) {
		t.Errorf("others run: %v", got.At)
	}
	k.Engine, k.P50 = &probe.EngineState{}, quiet().P50
	wantAt(t, "bursts of others", find(t, k, Capacity).P95, 112+46.2098)
}
