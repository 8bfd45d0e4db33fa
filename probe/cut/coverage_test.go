package cut

import (
	"testing"
	"time"

	"ttftop/probe"
)

// coverage counts, per segment, the intervals and those that hold the truth.
type coverage map[probe.SegmentName]held

type held struct{ in, of, below, above int }

// coverageLeast is the share of the 95 % intervals that must hold the truth.
const coverageLeast = 0.9

// coverageFew is how many intervals show a share. Where prefill is measured and
// the server idle, the few that are estimated are chosen for lying far off.
const coverageFew = 20

// add takes a cut beside its truth. A microsecond is granted to rounding.
func (c coverage) add(w probe.Waterfall, t truth) {
	for _, s := range w {
		if s.Source != probe.Estimated {
			continue
		}
		h, v := c[s.Name], ms(t.of(s.Name.Part()))
		h.of++
		switch {
		case v < s.Lo-time.Microsecond:
			h.below++
		case v > s.Hi+time.Microsecond:
			h.above++
		default:
			h.in++
		}
		c[s.Name] = h
	}
}

// check prints the coverage and holds it to the least. A first decode that is
// not like the others lies in no interval of theirs.
func (c coverage) check(t *testing.T, loaded, oddStep bool) {
	t.Helper()
	where := "idle"
	if loaded {
		where = "under load"
	}
	for _, name := range []probe.SegmentName{probe.Handling, probe.Queue, probe.Prefill, probe.FirstDecode} {
		h := c[name]
		if h.of < coverageFew {
			continue
		}
		share := float64(h.in) / float64(h.of)
		t.Logf("%-12s %-10s %5.1f %% of %d intervals hold the truth; it lies below %d, above %d", name, where, 100*share, h.of, h.below, h.above)
		if share < coverageLeast && !(oddStep && name == probe.FirstDecode) {
			t.Errorf("%s, %s: %.1f %% of the 95 %% intervals hold the truth", name, where, 100*share)
		}
	}
}
