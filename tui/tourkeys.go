package tui

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"

	"ttftop/views"
)

// tourBindings are the keys of the guided tour, which win over all others while
// it goes on.
var tourBindings = []bound{
	{actTourNext, bind("→ / l / n", "go on: turn the knob now, or go to the next step", "right", "l", "n"), ""},
	{actTourBack, bind("← / h / b", "back to the beginning of the step, or to the step before", "left", "h", "b"), "go on, back"},
	{actTourHold, bind("space", "hold the tour, and let it go on; probing never stops", "space"), "hold"},
	{actTourEnd, bind("esc", "end the tour: the knobs are as before it", "esc"), "end the tour"},
}

// TourHelp is every key of the guided tour and what it does.
func TourHelp() []views.KeyHelp { return keyHelp(tourBindings) }

// footerKeys are the keys that the footer is taken from.
func (m *model) footerKeys() []bound {
	keys := keysIn(m.mode)
	if !m.tour.on {
		return keys
	}
	return append(slices.Clip(tourBindings), slices.DeleteFunc(keys, func(b bound) bool {
		return b.action != actNextView && b.action != actHelp && b.action != actQuit
	})...)
}

// actionFor is what a pressed key does now. At the end of the tour the knobs
// have their keys again.
func (m *model) actionFor(pressed fmt.Stringer) action {
	usual := actionOf(m.mode, pressed)
	if !m.tour.on || usual == actBack && m.hasBack() {
		return usual
	}
	for _, b := range tourBindings {
		if key.Matches(pressed, b.binding) && !(m.lastStep() && turnsKnobs(usual)) {
			return b.action
		}
	}
	return usual
}

// hasBack reports whether back leaves something in the view.
func (m *model) hasBack() bool { return m.zoom != "" || m.mode == probes && m.table.opened() }

// turnsKnobs reports whether an action is about the knobs or the figures, which
// are the tour's while it goes on.
func turnsKnobs(a action) bool {
	if turnsOne(a) {
		return true
	}
	switch a {
	case actNextKnob, actPrevKnob, actEnter, actUndo, actLink, actClear, actNextTarget, actPrevTarget,
		actLevers, actPairs, actOrder, actSideA, actSideABack, actSideB, actSideBBack:
		return true
	}
	return false
}

// tourFor does what an action means while the tour goes on, and reports whether
// that is all.
func (m *model) tourFor(a action) bool {
	if !m.tour.on {
		return false
	}
	switch a {
	case actTourNext:
		m.tourNext()
	case actTourBack:
		m.tourBack()
	case actTourHold, actPause:
		m.tour.held = !m.tour.held
	case actTourEnd:
		m.endTour("the tour has ended: the knobs are as before it")
	default:
		if !turnsKnobs(a) {
			return false
		}
		if m.lastStep() {
			m.endTour("")
			return false
		}
		m.tell("the tour turns the knobs: esc ends it and gives them to you")
	}
	return true
}
