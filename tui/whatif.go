package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/probe/whatif"
	"ttftop/views"
)

// levers is where a person is in the what-if panel.
type levers struct{ chosen int }

// whatIf is what the panel shows of the selected target; nil where it is closed.
func (m *model) whatIf() *views.WhatIf {
	if m.levers == nil {
		return nil
	}
	k := m.known()
	at := func(w probe.Waterfall) probe.Mark { return probe.Mark{At: w.Total(), OK: len(w) > 0} }
	return &views.WhatIf{Chosen: m.levers.chosen, Levers: whatif.Project(k), P50: at(k.P50), P95: at(k.P95)}
}

// known is what is known of the selected target. The knobs are those of the
// epoch that its figures are of.
func (m *model) known() whatif.Known {
	t := &m.state.targets[m.target]
	f := &t.Figures
	failed, judged := f.Failures()
	return whatif.Known{
		P50: t.P50, P95: t.P95, Curve: t.Fit.Curve, Knobs: m.state.settings.Knobs[m.target], Models: m.modelsOf(m.target),
		Prompt: f.PromptTokens, Cached: f.CachedTokens, AtLeast: t.P50Least || f.AtLeast,
		AtMost: t.P50Most || slices.Contains(t.Flags, probe.FlagAtMost), Calibrating: t.Ladder.Done < t.Ladder.Total, Engine: t.Engine,
		Probes: judged, Failed: failed, ProxyOnly: f.ProxyOnly, StreamTime: m.state.streams[m.target],
	}
}

// projecting is a key pressed in the what-if panel. Keys that change what it
// shows do there what they do everywhere; those that turn knobs do nothing.
func (m model) projecting(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch msg.String() {
	case "esc", "v":
		m.levers = nil
	case "up", "k", "down", "j":
		n := len(whatif.Project(whatif.Known{}))
		m.levers = &levers{cycle(m.levers.chosen, n, msg.String() == "down" || msg.String() == "j")}
	default:
		switch a := actionOf(explore, msg); a { // as its keys are there
		case actNextTarget, actPrevTarget, actPause, actTheme, actSuspend, actHelp:
			return m.act(a)
		}
	}
	return m, nil
}
