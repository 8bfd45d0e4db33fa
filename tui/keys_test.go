package tui

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ttftop/views"
)

func TestNoKeyIsBoundTwice(t *testing.T) {
	actions := map[action]bool{}
	count := func(table []bound) {
		for _, b := range table {
			if actions[b.action] || b.action == actNone {
				t.Errorf("%q is an action twice, or none", b.binding.Help().Desc)
			}
			actions[b.action] = true
		}
	}
	count(bindings)
	count(tourBindings)
	for v := range mode(views.NViews) {
		count(viewBindings[v])
		owner := map[string]string{}
		for _, b := range keysIn(v) {
			does := b.binding.Help().Desc
			for _, k := range b.binding.Keys() {
				if before, ok := owner[k]; ok {
					t.Errorf("%s: %s is bound to %q and to %q", v, k, before, does)
				}
				owner[k] = does
				if got := actionOf(v, keyNamed(t, k)); got != b.action {
					t.Errorf("%s: %s does %d, and is bound to %d", v, k, got, b.action)
				}
			}
		}
	}
	for a := actNone + 1; a < nActions; a++ {
		if !actions[a] {
			t.Errorf("action %d has no key", a)
		}
	}
	for a := range direct {
		if !actions[a] {
			t.Errorf("action %d turns a knob and has no key", a)
		}
	}
}

// A knob's letter means the same in every view, but for those that a view needs
// for itself; and each view has a digit.
func TestViewKeys(t *testing.T) {
	for v := range mode(views.NViews) {
		for _, kn := range knobs {
			if ownKey(v, kn.key) {
				continue
			}
			if _, ok := direct[actionOf(v, keyNamed(t, kn.key))]; !ok {
				t.Errorf("%s does not turn the knob %s in the view %s", kn.key, kn.name, v)
			}
		}
		if got, ok := viewActions[actionOf(probes, keyNamed(t, v.Key()))]; !ok || got != v {
			t.Errorf("%s does not choose the view %s", v.Key(), v)
		}
		if len(zoomable[v]) == 0 {
			t.Errorf("nothing can be zoomed in the view %s", v)
		}
	}
}

// ownKey reports whether a view needs a key for itself.
func ownKey(v mode, key string) bool {
	for _, b := range viewBindings[v] {
		if slices.Contains(b.binding.Keys(), key) {
			return true
		}
	}
	return false
}

// The letter that the row shows beside a knob turns this knob.
func TestKnobLetters(t *testing.T) {
	for i, kn := range knobs {
		d, ok := direct[actionOf(explore, keyNamed(t, kn.key))]
		if !ok || d.knob != i || !d.up {
			t.Errorf("%s does not turn the knob %s", kn.key, kn.name)
		}
	}
}

func TestKeyHelp(t *testing.T) {
	for v := range mode(views.NViews) {
		all := KeyHelp(v)
		for i, k := range all {
			if k.Key == "" || k.Does == "" {
				t.Errorf("%+v is no help", k)
			}
			if i < len(viewBindings[v]) && k.Does != viewBindings[v][i].binding.Help().Desc {
				t.Errorf("%s: the help begins with %+v and not with the view's own keys", v, k)
			}
		}
		shown := ""
		for _, k := range footer(keysIn(v)) {
			shown += k.Key + " " + k.Does + "  "
		}
		if !strings.Contains(shown, "? help") || !strings.Contains(shown, "tab view") || !strings.HasSuffix(shown, "q quit  ") {
			t.Errorf("%s: the footer does not tell the views and end with help and quit: %s", v, shown)
		}
	}
}

// README lists every key as the program explains it.
func TestReadmeListsKeys(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for v := range mode(views.NViews) {
		for _, k := range KeyHelp(v) {
			if row := "| `" + k.Key + "` | " + k.Does + " |"; !strings.Contains(string(text), row) {
				t.Errorf("README.md has no line %s", row)
			}
		}
	}
	for _, keys := range PanelHelp() {
		for _, k := range keys {
			if row := "| `" + k.Key + "` | " + k.Does + " |"; !strings.Contains(string(text), row) {
				t.Errorf("README.md has no line %s", row)
			}
		}
	}
	for _, k := range TourHelp() {
		if row := "| `" + k.Key + "` | " + k.Does + " |"; !strings.Contains(string(text), row) {
			t.Errorf("README.md has no line %s", row)
		}
	}
}
