package kept

import (
	"testing"

	"ttftop/probe"
)

// A limit per 1,000 uncached tokens is neither kept nor broken by prompts of
// which nobody says how much was cached.
func TestUncachedTokensThatNobodyCounts(t *testing.T) {
	j := New(probe.SLO{Metric: probe.Per1kMetric, Quantile: 0.5, Limit: 800 * ms}, 0.95)
	for _, told := range []bool{false, true} {
		r := ok(100 * ms)
		r.Knobs.Cache, r.CachedTold = probe.Warm, told
		for range 30 {
			j.Take(r)
		}
		if line := j.Record("a", r.At); (line.Value.Estimate != nil) != told {
			t.Errorf("told %v: %+v", told, line)
		}
	}
}
