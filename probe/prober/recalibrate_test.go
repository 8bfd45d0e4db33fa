package prober

import (
	"testing"
	"time"

	"ttftop/probe"
)

// A ladder is climbed again after a while, twice at most, and cuts go on
// meanwhile.
func TestLadderIsRepeated(t *testing.T) {
	l := newLadder("m", false)
	for climb := range len(recalibrations) + 1 {
		for l.left() > 0 {
			l.next(probe.DefaultKnobs)
		}
		late := noon.Add(time.Hour)
		if climb == len(recalibrations) {
			if l.repeatDue(noon, late) {
				t.Error("climbed once too often")
			}
			break
		}
		if l.repeatDue(noon, noon.Add(recalibrations[climb]-1)) || !l.repeatDue(noon, late) {
			t.Errorf("climb %d is repeated too early, or not at all", climb)
		}
		l.repeat(noon)
		if l.left() != len(rungs) || !l.climbed() || l.repeatDue(noon, late) {
			t.Errorf("after the repeat %d left, climbed %v", l.left(), l.climbed())
		}
	}
	none := newLadder("m", true)
	if none.repeatDue(noon, noon.Add(time.Hour)) {
		t.Error("there is no ladder to repeat")
	}
}
