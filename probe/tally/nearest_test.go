package tally

import (
	"slices"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
)

// The probes of the p50 are told by their number, and make it.
func TestNearest(t *testing.T) {
	s := session()
	if got := s.Target(0).Nearest(); len(got) != 0 {
		t.Errorf("%d probes before the first", len(got))
	}
	for i := range 40 {
		r := success(i+1, 100*ms)
		r.Timeline.FirstToken = probe.At(100*ms + time.Duration(i)*ms)
		r.Waterfall = probe.Waterfall{{Name: probe.Server, Duration: r.Timeline.FirstToken.At, Source: probe.Measured}}
		finish(s, r)
	}
	w, _ := s.Target(0).P50()
	near := s.Target(0).Nearest()
	var seqs []int
	for _, r := range near {
		seqs = append(seqs, r.Seq)
	}
	if !slices.Equal(seqs, []int{18, 19, 20, 21, 22}) {
		t.Errorf("probes %v", seqs)
	}
	if mean := cut.MeanOf(near, w.Total()); !slices.Equal(mean, w) {
		t.Errorf("their mean is %v, and the p50 %v", mean, w)
	}
}
