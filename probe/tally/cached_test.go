package tally

import (
	"testing"

	"ttftop/probe"
)

// A TTFT is not put over uncached tokens that nobody has counted: prompts that
// share a prefix may be cached, all but one token of them.
func TestUncachedTokensThatNobodyCounts(t *testing.T) {
	for name, c := range map[string]struct {
		cache probe.Cache
		told  bool
		flags []probe.Flag
		known bool
	}{
		"unique, told":          {probe.Bust, true, nil, true},
		"unique, not told":      {probe.Bust, false, nil, true},
		"shared, told":          {probe.Warm, true, nil, true},
		"shared, not told":      {probe.Warm, false, nil, false},
		"cached without a word": {probe.Warm, true, []probe.Flag{probe.FlagSilentCache}, false},
	} {
		s := session()
		for i := range 5 {
			r := success(i+1, 100*ms)
			r.Knobs.Cache, r.CachedTold, r.Flags = c.cache, c.told, c.flags
			finish(s, r)
		}
		if f := s.Target(0).Figures(); f.Per1k.OK != c.known || !f.P50.OK {
			t.Errorf("%s: per 1k %+v, p50 %+v", name, f.Per1k, f.P50)
		}
	}
}
