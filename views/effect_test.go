package views

import (
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
)

// figuresOf are n probes with a p50 of so many milliseconds.
func figuresOf(p50 float64, n int) Figures {
	return Figures{Probes: n, P50: quantile.Estimate{At: time.Duration(p50 * 1e6), OK: n > 0, N: n}}
}

func TestEffectSaysNotYet(t *testing.T) {
	th, _ := symbols(t)
	s := &sheet{w: 80, sym: th}
	failing := Figures{Probes: 3, Failed: 3}
	tests := []struct {
		name          string
		before, after Figures
		want          string
		known         bool
	}{
		{"nothing since", figuresOf(90, 50), figuresOf(0, 0), "not yet: no probe has ended since", false},
		{"only failures", figuresOf(90, 50), failing, "not yet: no probe has succeeded since", false},
		{"too few", figuresOf(90, 50), figuresOf(180, 4), "not yet: n 4 of 5, p50 so far 180", false},
		{"enough", figuresOf(90, 50), figuresOf(180, 5), "", true},
		{"nothing before", figuresOf(0, 0), figuresOf(180, 5), "p50 180, and nothing from before to compare", false},
	}
	for _, tt := range tests {
		e := &TargetEffect{Before: tt.before, After: tt.after}
		if got := notYet(e, s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if _, known := p50Change(e); known != tt.known {
			t.Errorf("%s: change known: %v", tt.name, known)
		}
	}
	beyond := figuresOf(30_000, 50)
	beyond.P50.Censored = true
	if _, known := p50Change(&TargetEffect{Before: figuresOf(90, 50), After: beyond}); known {
		t.Error("a difference from a p50 beyond the limit is told")
	}
}

func TestPartChanges(t *testing.T) {
	server := probe.Waterfall{{Name: probe.RTT, Duration: 10e6}, {Name: probe.Server, Duration: 80e6}}
	tests := []struct {
		name          string
		before, after probe.Waterfall
		first         partChange
		n             int
	}{
		{"both cut", wf(10, 2, 3, 20, 9), wf(10, 2, 5, 85, 9), partChange{probe.PrefillPart, 65e6}, 5},
		{"shorter", wf(10, 2, 50, 20, 9), wf(10, 2, 5, 21, 9), partChange{probe.QueuePart, -45e6}, 5},
		{"one not cut", server, wf(12, 2, 5, 85, 9), partChange{probe.ServerPart, 21e6}, 2},
		{"only one", nil, wf(10, 2, 5, 85, 9), partChange{}, 0},
	}
	for _, tt := range tests {
		got := partChanges(&TargetEffect{BeforeCut: tt.before, AfterCut: tt.after})
		if len(got) != tt.n || tt.n > 0 && got[0] != tt.first {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}
