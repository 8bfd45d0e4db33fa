package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
)

// How a knob stands for other targets is told, or at least that it does; what is
// not known is no blank.
func TestKnobValues(t *testing.T) {
	snap := Snapshot{Knobs: []Knob{
		{Key: "p", Name: "prompt", Value: "512", Others: "(B 1,024)", Selected: true}, {Key: "m", Name: "model"}, {Key: "c", Name: "cache", Value: "bust", Turns: "c"},
	}}
	th := themes.Mono()
	for _, c := range []struct {
		width, height int
		want          []string
	}{
		{60, 1, []string{"prompt 512 (B 1,024)", "m model –", "c cache bust"}},
		{34, 1, []string{"prompt 512 mixed", "m –"}},
		{60, 3, []string{"prompt  512   (B 1,024)", "model   –"}},
	} {
		got := ansi.Strip(Knobs(snap, c.width, c.height, th))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("at %d×%d %q is missing:\n%s", c.width, c.height, want, got)
			}
		}
	}
	if got := PlainStatus(snap, th); !strings.Contains(got, "prompt 512 (B 1,024), model –, cache bust") {
		t.Error(got)
	}
	if got := ansi.Strip(Summary(snap, 40, 10, th)); !strings.Contains(got, "prompt 512 (B 1,024)") {
		t.Error(got)
	}
}
