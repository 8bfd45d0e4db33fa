package tui

import (
	"slices"

	"ttftop/views"
)

// panelKey is a key of a panel that is open over a view. The footer shows those
// with a short text, as it is spelled there.
type panelKey struct{ key, does, footer, short string }

// The keys of the panels that open over a view: they win over those of the view.
var (
	leverKeys = []panelKey{
		{"↑↓ / j k", "select a lever", "↑↓", "lever"},
		{"←→ / h l + -", "turn it through its values", "←→", "turn"},
		{"enter", "type its value, or pick one", "enter", "type"},
		{"L / esc", "close the levers; esc drops a filter first", "L", "close"},
		{"/", "filter by name, group or what a lever does", "/", "filter"},
		{"pgdn / pgup", "the next group of levers, or the one before", "", ""},
		{"u", "undo the last turn", "u", "undo"},
		{"x", "levers turn for all targets, or for the selected one", "x", "all or one"},
	}
	inspectorKeys = []panelKey{
		{"↑↓ / j k", "select a segment", "↑↓", "segment"},
		{"w / esc", "close the inspector", "esc", "back"},
		{"? / enter", "explain it in two sentences, or the figures again", "?", "explain"},
		{"[ ]", "select a target", "[ ]", "target"},
		{"g", "the simulator's own books beside the cut, in the demo", "g", "truth"},
		{"space", "pause and go on", "space", "pause"},
		{"t", "next theme", "", ""},
		{"q", "quit", "q", "quit"},
	}
	whatIfKeys = []panelKey{
		{"↑↓ / j k", "select a lever: what it assumes stands below", "↑↓", "lever"},
		{"v / esc", "close what if", "esc", "back"},
		{"[ ]", "select a target", "[ ]", "target"},
		{"space", "pause and go on", "space", "pause"},
		{"t", "next theme", "", ""},
		{"?", "these keys", "?", "help"},
		{"q", "quit", "q", "quit"},
	}
)

// openProbeKeys are the keys of a probe that is open in the view of probes.
var openProbeKeys = []panelKey{
	{"↑↓ / j k", "scroll", "↑↓", "scroll"},
	{"pgdn / pgup", "a page on, or back; ctrl+f and ctrl+b too", "", ""},
	{"home end / g G", "to its beginning, or its end", "", ""},
	{"y", "it as a curl command, without its key", "y", "curl"},
	{"s S /", "leave it, and sort or filter the table", "", ""},
	{"esc", "back to the table", "esc", "back"},
}

// PanelHelp is every key of the panels that open over a view, by the panel's name.
func PanelHelp() map[string][]views.KeyHelp {
	return map[string][]views.KeyHelp{"levers": panelHelp(leverKeys), "inspector": panelHelp(inspectorKeys), "what if": panelHelp(whatIfKeys), "open probe": panelHelp(openProbeKeys)}
}

func panelHelp(keys []panelKey) []views.KeyHelp {
	list := make([]views.KeyHelp, len(keys))
	for i, k := range keys {
		list[i] = views.KeyHelp{Key: k.key, Does: k.does}
	}
	return list
}

func fewKeys(keys []panelKey) []views.KeyHelp {
	var few []views.KeyHelp
	for _, k := range keys {
		if k.short != "" {
			few = append(few, views.KeyHelp{Key: k.footer, Does: k.short})
		}
	}
	return few
}

// lastKeys are those of every view at the end of the footer.
var lastKeys = []views.KeyHelp{{Key: "tab", Does: "view"}, {Key: "?", Does: "help"}, {Key: "q", Does: "quit"}}

// keysBesideLevers are the keys of the view that the panel of levers leaves to it.
func keysBesideLevers(v mode) []bound {
	taken := []string{"up", "down", "j", "k", "left", "right", "h", "l", "+", "-", "enter", "/", "pgup", "pgdown", "u", "x", "L", "esc"}
	return slices.DeleteFunc(keysIn(v), func(b bound) bool {
		return slices.ContainsFunc(b.binding.Keys(), func(k string) bool { return slices.Contains(taken, k) })
	})
}

// openFooter is the few keys of what is open over the view; nil where nothing is.
func (m *model) openFooter() []views.KeyHelp {
	switch {
	case m.dialog != nil:
		return m.dialog.Keys
	case m.inspect != nil:
		return m.onTour(m.inspectorFooter())
	case m.levers != nil:
		return m.onTour(fewKeys(whatIfKeys))
	case m.turnsLevers() && m.sim.typing:
		return []views.KeyHelp{{Key: "↑↓", Does: "lever"}, {Key: "enter", Does: "keep the filter"}, {Key: "esc", Does: "drop it"}}
	case m.turnsLevers():
		return append(fewKeys(leverKeys), lastKeys...)
	case m.filtering():
		return []views.KeyHelp{{Key: "↑↓", Does: "choose"}, {Key: "enter", Does: "keep the filter"}, {Key: "esc", Does: "drop it"}}
	case m.tour.on:
		return nil // whose keys win
	case m.opensProbe():
		return append(fewKeys(openProbeKeys), m.zoomKeys(lastKeys)...)
	case m.zoom != "":
		return m.zoomFooter()
	}
	return nil
}

// onTour are the keys of a panel, with what they do while a tour goes on.
func (m *model) onTour(keys []views.KeyHelp) []views.KeyHelp {
	if m.tour.on {
		return does(keys, "space", "hold")
	}
	return keys
}

// does are keys of which one does something else.
func does(keys []views.KeyHelp, key, what string) []views.KeyHelp {
	for i := range keys {
		if keys[i].Key == key {
			keys[i].Does = what
		}
	}
	return keys
}

// opensProbe reports whether a probe is shown in full.
func (m *model) opensProbe() bool { return m.mode == probes && m.table.open != nil }

// zoomFooter is the few keys of a zoomed panel: those of the view, without those
// whose selection the panel doesn't show.
func (m *model) zoomFooter() []views.KeyHelp {
	keys := slices.DeleteFunc(keysIn(m.mode), func(b bound) bool {
		return slices.Contains([]action{actLower, actPrevKnob, actEnter}, b.action)
	})
	few := footer(keys)
	return append([]views.KeyHelp{{Key: "esc", Does: "back"}}, m.zoomKeys(few)...)
}

// zoomKeys are keys with that of the next zoomed panel before them, where one is.
func (m *model) zoomKeys(keys []views.KeyHelp) []views.KeyHelp {
	if next := m.zoomAfter(); m.zoom != "" && next != "" {
		return append([]views.KeyHelp{{Key: "z", Does: "next panel"}}, keys...)
	}
	return keys
}

// inspectorFooter tells of the truth only where there is one, and what ? does now.
func (m *model) inspectorFooter() []views.KeyHelp {
	few := fewKeys(inspectorKeys)
	if m.inspect.Explain {
		few = does(few, "?", "figures")
	}
	if !m.books {
		few = slices.DeleteFunc(few, func(k views.KeyHelp) bool { return k.Key == "g" })
	}
	return few
}
