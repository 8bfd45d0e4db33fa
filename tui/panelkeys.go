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
		{"←→ / + -", "turn it through its values", "←→", "turn"},
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

// PanelHelp is every key of the panels that open over a view, by the panel's name.
func PanelHelp() map[string][]views.KeyHelp {
	return map[string][]views.KeyHelp{"levers": panelHelp(leverKeys), "inspector": panelHelp(inspectorKeys), "what if": panelHelp(whatIfKeys)}
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
		return m.inspectorFooter()
	case m.levers != nil:
		return fewKeys(whatIfKeys)
	case m.turnsLevers() && m.sim.typing:
		return []views.KeyHelp{{Key: "↑↓", Does: "lever"}, {Key: "enter", Does: "keep the filter"}, {Key: "esc", Does: "drop it"}}
	case m.turnsLevers():
		return append(fewKeys(leverKeys), lastKeys...)
	case m.filtering():
		return []views.KeyHelp{{Key: "↑↓", Does: "choose"}, {Key: "enter", Does: "keep the filter"}, {Key: "esc", Does: "drop it"}}
	}
	return nil
}

// inspectorFooter tells of the truth only where there is one, and what ? does now.
func (m *model) inspectorFooter() []views.KeyHelp {
	few := fewKeys(inspectorKeys)
	for i := range few {
		if few[i].Key == "?" && m.inspect.Explain {
			few[i].Does = "figures"
		}
	}
	if !m.books {
		few = slices.DeleteFunc(few, func(k views.KeyHelp) bool { return k.Key == "g" })
	}
	return few
}
