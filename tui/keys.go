package tui

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ttftop/views"
)

// action is something a key does.
type action int

// The actions.
const (
	actNone action = iota
	actLower
	actRaise
	actPrevKnob
	actNextKnob
	actNextTarget
	actPrevTarget
	actEnter
	actPrompt
	actPromptDown
	actPressure
	actPressureDown
	actModel
	actModelDown
	actCache
	actConn
	actOutput
	actOutputDown
	actRate
	actRateDown
	actUndo
	actLink
	actPause
	actTheme
	actInspect
	actIntervals
	actTruth
	actHelp
	actSuspend
	actQuit
)

// bindings is every key of the screen: what the program obeys, what the help
// shows and what the README lists. The footer shows those with a short text,
// in this order.
var bindings = []struct {
	action  action
	binding key.Binding
	short   string
}{
	{actRaise, bind("→ / +", "turn the selected knob up", "right", "l", "+", "="), ""},
	{actLower, bind("← / -", "turn the selected knob down", "left", "h", "-", "_"), "turn"},
	{actNextKnob, bind("↓ / j", "select the next knob", "down", "j"), ""},
	{actPrevKnob, bind("↑ / k", "select the knob before", "up", "k"), "knob"},
	{actEnter, bind("enter / 0-9", "type the value of the selected knob", "enter", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "."), "type"},
	{actPrompt, bind("p", "longer prompt", "p"), ""},
	{actPromptDown, bind("P", "shorter prompt", "P"), "prompt"},
	{actPressure, bind("b", "more batch pressure", "b"), ""},
	{actPressureDown, bind("B", "less batch pressure", "B"), "batch"},
	{actModel, bind("m", "next model", "m"), ""},
	{actModelDown, bind("M", "model before", "M"), "model"},
	{actCache, bind("c", "cache: unique prompts, or a shared prefix", "c"), ""},
	{actConn, bind("n", "connection: warm, or a new one for each probe", "n"), ""},
	{actOutput, bind("o", "more output tokens", "o"), ""},
	{actOutputDown, bind("O", "fewer output tokens", "O"), ""},
	{actRate, bind("r", "more probes per second", "r"), ""},
	{actRateDown, bind("R", "fewer probes per second", "R"), ""},
	{actUndo, bind("u", "undo the last turn of a knob", "u"), ""},
	{actNextTarget, bind("tab", "select the next target", "tab"), ""},
	{actPrevTarget, bind("shift+tab", "select the target before", "shift+tab"), ""},
	{actLink, bind("x", "knobs turn for all targets, or for the selected one", "x"), ""},
	{actPause, bind("space", "pause and go on", "space"), "pause"},
	{actInspect, bind("w", "inspect the waterfall: each segment, its source and its cure", "w"), "inspect"},
	{actIntervals, bind("i", "intervals of estimated figures", "i"), ""},
	{actTruth, bind("g", "the simulator's own books under the waterfalls, in the demo", "g"), ""},
	{actTheme, bind("t", "next theme", "t"), ""},
	{actHelp, bind("?", "all keys", "?"), "help"},
	{actSuspend, bind("ctrl+z", "suspend to the shell", "ctrl+z"), ""},
	{actQuit, bind("q / ctrl+c", "quit", "q", "ctrl+c"), "quit"},
}

func bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// KeyHelp is every key and what it does, in the order of the help.
func KeyHelp() []views.KeyHelp {
	var all []views.KeyHelp
	for _, b := range bindings {
		h := b.binding.Help()
		all = append(all, views.KeyHelp{Key: h.Key, Does: h.Desc})
	}
	return all
}

// openHelp shows the table of keys from a line on, as much as fits.
func (m *model) openHelp(from int) {
	const frame = 4 // the box, and the line of the dialog's own keys with a blank
	width, height := m.size()
	lines := helpLines()
	fit := max(1, height-frame)
	if width < 80 {
		fit = max(1, fit/2) // they are wrapped
	}
	m.help = min(from+fit, len(lines))
	m.dialog = &views.Dialog{Title: "Keys", Chosen: -1, Lines: lines[from:m.help], Keys: []views.KeyHelp{{Key: "any key", Does: "back"}}}
	if m.help < len(lines) {
		m.dialog.Keys = []views.KeyHelp{{Key: "any key", Does: "more"}, {Key: "esc", Does: "back"}}
	}
}

// nextHelp goes on with the table of keys, and back after its end.
func (m *model) nextHelp(msg tea.KeyPressMsg) {
	m.dialog = nil
	if m.help < len(bindings) && msg.String() != "esc" {
		m.openHelp(m.help)
	}
}

// helpLines is the table of keys.
func helpLines() []string {
	var lines []string
	for _, k := range KeyHelp() {
		lines = append(lines, fmt.Sprintf("%-12s %s", k.Key, k.Does))
	}
	return lines
}

// footer is the few keys that matter most. Two keys of one kind are shown
// together, by the last of them.
func footer() []views.KeyHelp {
	short := map[action]string{actLower: "←→", actPrevKnob: "↑↓", actEnter: "0-9", actPromptDown: "p/P", actPressureDown: "b/B", actModelDown: "m/M", actQuit: "q"}
	var few []views.KeyHelp
	for _, b := range bindings {
		if b.short == "" {
			continue
		}
		shown, ok := short[b.action]
		if !ok {
			shown = b.binding.Help().Key
		}
		few = append(few, views.KeyHelp{Key: shown, Does: b.short})
	}
	return few
}

// actionOf is what a pressed key does.
func actionOf(pressed interface{ String() string }) action {
	for _, b := range bindings {
		if key.Matches(pressed, b.binding) {
			return b.action
		}
	}
	return actNone
}
