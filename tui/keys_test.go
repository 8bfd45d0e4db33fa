package tui

import (
	"os"
	"strings"
	"testing"
)

func TestNoKeyIsBoundTwice(t *testing.T) {
	owner := map[string]string{}
	actions := map[action]bool{}
	for _, b := range bindings {
		does := b.binding.Help().Desc
		if actions[b.action] || b.action == actNone {
			t.Errorf("%q is an action twice, or none", does)
		}
		actions[b.action] = true
		for _, k := range b.binding.Keys() {
			if before, ok := owner[k]; ok {
				t.Errorf("%s is bound to %q and to %q", k, before, does)
			}
			owner[k] = does
			if got := actionOf(keyNamed(t, k)); got != b.action {
				t.Errorf("%s does %d, and is bound to %d", k, got, b.action)
			}
		}
	}
	for a := actNone + 1; a <= actQuit; a++ {
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

// The letter that the row shows beside a knob turns this knob.
func TestKnobLetters(t *testing.T) {
	for i, kn := range knobs {
		d, ok := direct[actionOf(keyNamed(t, kn.key))]
		if !ok || d.knob != i || !d.up {
			t.Errorf("%s does not turn the knob %s", kn.key, kn.name)
		}
	}
}

func TestKeyHelp(t *testing.T) {
	all := KeyHelp()
	if len(all) != len(bindings) {
		t.Fatalf("%d keys are explained of %d", len(all), len(bindings))
	}
	for _, k := range all {
		if k.Key == "" || k.Does == "" {
			t.Errorf("%+v is no help", k)
		}
	}
	shown := ""
	for _, k := range footer() {
		shown += k.Key + " " + k.Does + "  "
	}
	if !strings.Contains(shown, "? help") || !strings.HasSuffix(shown, "q quit  ") {
		t.Errorf("the footer does not end with help and quit: %s", shown)
	}
}

// README lists every key as the program explains it.
func TestReadmeListsKeys(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range KeyHelp() {
		if !strings.Contains(string(text), k.Does) {
			t.Errorf("README.md does not say that %s is: %s", k.Key, k.Does)
		}
	}
}
