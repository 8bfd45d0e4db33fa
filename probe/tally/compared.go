package tally

import (
	"ttftop/probe"
)

// change begins a new epoch for the targets whose knobs or levers were turned;
// the figures of the others go on.
func (t *Tally) change(e probe.Changed) {
	paused := t.settings.Alike(e.Settings) // or the contrary: no knob was turned
	t.settings = e.Settings
	if e.Epoch == t.epoch && paused {
		return
	}
	if e.Epoch == t.epoch {
		t.retouch(e)
	} else {
		t.changes = newest(append(t.changes, e), maxChanges)
	}
	t.turn(e)
	t.epoch = e.Epoch
	t.stand()
	t.choose()
}

// turn begins the epoch of those that were turned, and takes it back of those
// that were turned back before it had a probe.
func (t *Tally) turn(e probe.Changed) {
	short := t.short()
	for i, target := range t.targets {
		if i < len(e.Settings.Knobs) && target.current.knobs.Model != e.Settings.Knobs[i].Model {
			target.climbed = false
		}
		turned, begun := !e.Settings.AlikeFor(e.Before, i), target.current.number == e.Epoch
		switch {
		case turned && !begun:
			if target.current.number == t.epoch && !short || target.enoughBefore() {
				target.older = target.previous
			}
			target.earlier = target.previous
			target.previous, target.current = target.current, newEpoch(e.Epoch, target.limit)
		case !turned && begun && target.previous != nil && target.current.probes == 0:
			target.current, target.previous = target.previous, target.earlier
			target.compared = target.previous
		}
	}
}

// stand notes how the knobs and levers stand in the present epochs.
func (t *Tally) stand() {
	for i, target := range t.targets {
		if i < len(t.settings.Knobs) {
			target.current.knobs = t.settings.Knobs[i]
		}
		if i < len(t.settings.Levers) {
			target.current.levers = t.settings.Levers[i]
		}
	}
}

// turned are the targets whose knobs the last change has turned, by their index.
func (t *Tally) turned() []int {
	var list []int
	for i, target := range t.targets {
		if target.previous != nil && target.current.number == t.epoch {
			list = append(list, i)
		}
	}
	return list
}

// short reports whether the epoch before the last change has too few probes to
// be compared with: a person only turned a knob through it.
func (t *Tally) short() bool {
	for _, i := range t.turned() {
		if t.targets[i].enoughBefore() {
			return false
		}
	}
	return true
}

func (t *Target) enoughBefore() bool { return t.previous != nil && t.previous.probes >= Enough }

// choose takes the epochs that the present ones are compared with: those before,
// or the last before them that were not too short.
func (t *Tally) choose() {
	short := t.short()
	for _, i := range t.turned() {
		target := t.targets[i]
		target.compared = target.previous
		if short && target.older != nil {
			target.compared = target.older
		}
	}
}

// Compared are the settings that the present ones are compared with, and these;
// false where there are none. They differ only for targets that the last change
// has turned.
func (t *Tally) Compared() (before, after probe.Settings, ok bool) {
	before = t.settings.Clone()
	for _, i := range t.turned() {
		of := t.targets[i].compared
		if i < len(before.Knobs) {
			before.Knobs[i] = of.knobs
		}
		if i < len(before.Levers) {
			before.Levers[i] = of.levers
		}
		ok = true
	}
	return before, t.settings, ok
}

// retouch is a change before the epoch had a probe: its mark tells the whole
// way from what was before.
func (t *Tally) retouch(e probe.Changed) {
	if n := len(t.changes); n > 0 && t.changes[n-1].Epoch == e.Epoch {
		t.changes[n-1] = e
	}
}
