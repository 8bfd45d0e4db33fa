package views_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
	"ttftop/views"
	"ttftop/views/viewtest"
)

// A figure that rests on an uncertain baseline has its sign, on the panel and in
// words; another has none.
func TestUncertainProjection(t *testing.T) {
	th := themes.Mono()
	snap := viewtest.Projected(nil)
	caching := &snap.WhatIf.Levers[1]
	for _, uncertain := range []bool{false, true} {
		caching.P50.Uncertain = uncertain
		for name, text := range map[string]string{
			"panel": ansi.Strip(views.WhatIfPanel(snap, 120, 30, th)), "plain": views.PlainWhatIf(snap, th),
		} {
			for line := range strings.Lines(text) {
				if strings.Contains(line, string(caching.Lever)) && strings.Count(line, "~") != map[bool]int{true: 1}[uncertain] {
					t.Errorf("%s, uncertain %v: %s", name, uncertain, line)
				}
			}
		}
	}
}
