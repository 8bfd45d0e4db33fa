package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// shownLevers are the indices of the levers that pass the filter: each of its words
// is in the name, the group or what the lever is, in any case.
func (m *model) shownLevers() []int {
	words := strings.Fields(strings.ToLower(m.sim.filter))
	var shown []int
	for i, l := range m.turnable() {
		text := strings.ToLower(l.Group + " " + l.Name + " " + l.About)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			shown = append(shown, i)
		}
	}
	return shown
}

// leverShown reports whether the selected lever passes the filter: what isn't seen
// is not turned.
func (m *model) leverShown() bool { return slices.Contains(m.shownLevers(), m.sim.at) }

// nextLever selects the lever below or above among those shown.
func (m *model) nextLever(down bool) {
	if shown := m.shownLevers(); len(shown) > 0 {
		m.sim.at = shown[cycle(max(0, slices.Index(shown, m.sim.at)), len(shown), down)]
	}
}

// nextLeverGroup selects the first shown lever of the next group, or of the one
// before.
func (m *model) nextLeverGroup(down bool) {
	all := m.turnable()
	var firsts []int
	at := 0 // the group of the selected one, index into firsts
	for _, i := range m.shownLevers() {
		if len(firsts) == 0 || all[i].Group != all[firsts[len(firsts)-1]].Group {
			firsts = append(firsts, i)
		}
		if i == m.sim.at {
			at = len(firsts) - 1
		}
	}
	if len(firsts) > 0 {
		m.sim.at = firsts[cycle(at, len(firsts), down)]
	}
}

// filteringLevers reports whether keys are typed into the filter of levers.
func (m *model) filteringLevers() bool { return m.sim.typing && m.turnsLevers() }

func (m *model) openLeverFilter() {
	m.sim.typing = true
	m.sim.input = textinput.New()
	m.sim.input.Focus()
	m.sim.input.SetValue(m.sim.filter)
	m.sim.input.CursorEnd()
}

func (m *model) dropLeverFilter() { m.sim.filter, m.sim.typing = "", false }

// leverFilterKey is a key pressed while the filter is typed.
func (m *model) leverFilterKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "enter":
		m.sim.typing = false
	case "esc":
		m.dropLeverFilter()
	case "up", "down":
		m.nextLever(msg.String() == "down")
	default:
		m.leverFilterTyped(msg)
	}
}

// leverFilterTyped gives a key or a paste to the filter. Where the selected lever
// doesn't pass any more, the first that does is selected.
func (m *model) leverFilterTyped(msg tea.Msg) {
	m.sim.input, _ = m.sim.input.Update(msg)
	m.sim.filter = m.sim.input.Value()
	if shown := m.shownLevers(); len(shown) > 0 && !slices.Contains(shown, m.sim.at) {
		m.sim.at = shown[0]
	}
}
