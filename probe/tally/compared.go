package tally

import (
	"ttftop/probe"
)

func (t *Tally) change(e probe.Changed) {
	paused := t.settings.Alike(e.Settings) // or the contrary: no knob was turned
	t.settings = e.Settings
	if e.Epoch == t.epoch {
		if !paused {
			t.retouch(e)
		}
		return
	}
	t.epoch = e.Epoch
	t.changes = newest(append(t.changes, e), maxChanges)
	if !t.short() {
		t.older = t.before
		for _, target := range t.targets {
			target.older = target.previous
		}
	}
	t.before = e.Before.Clone()
	for _, target := range t.targets {
		target.previous = target.current
		target.current = newEpoch(e.Epoch, target.limit)
	}
	t.choose()
}

// short reports whether the epoch before has too few probes to be compared
// with: a person only turned a knob through it.
func (t *Tally) short() bool {
	for _, target := range t.targets {
		if target.previous != nil && target.previous.probes >= Enough {
			return false
		}
	}
	return true
}

// choose takes the epoch that the present one is compared with: the one before,
// or the last one before it that was not too short.
func (t *Tally) choose() {
	back := t.short() && len(t.older.Knobs) > 0
	t.base = t.before
	if back {
		t.base = t.older
	}
	for _, target := range t.targets {
		target.compared = target.previous
		if back {
			target.compared = target.older
		}
	}
}

// Compared are the settings of the epoch that the present one is compared
// with, and its own; false where there is none.
func (t *Tally) Compared() (before, after probe.Settings, ok bool) {
	return t.base, t.settings, len(t.base.Knobs) > 0
}

// retouch is a change before the epoch had a probe: its mark tells the whole
// way from what was before.
func (t *Tally) retouch(e probe.Changed) {
	if n := len(t.changes); n > 0 && t.changes[n-1].Epoch == e.Epoch {
		t.changes[n-1] = e
	}
}
