//go:build unix

package tui

import (
	"strings"
	"testing"
)

// The tour of the real program, on its simulated endpoints: each step is turned,
// measured and told, and the knobs are given back.
func TestTourOfTheProgram(t *testing.T) {
	t.Parallel()
	tm := run(t, 100, 30, environ(t), "demo", "--tour", "--rate", "5")
	tm.waitFor(`(?s)tour 1 of 6: distance.*Where does the time.*space hold`)
	tm.waitFor(`(?s)tour 1 of 6.*A [\d.]+ ms, network [\d.]+ of it  B 1\d\d ms, network 1\d\d`)
	for _, step := range []struct{ turned, told string }{
		{`prompt 256 → 2,048`, `A \+[\d,.]+ ms.*prefill \+`},
		{`cache bust → warm`, `A −[\d,.]+ ms.*prefill −`},
		{`model sim-8b → sim-1b`, `A −[\d,.]+ ms.*prefill −`},
	} {
		tm.send("\x1b[C") // to the next step; its knobs wait for probes to be compared with
		tm.waitFor(`tour \d of 6: .* · (measuring|\d s)`)
		tm.waitFor(step.turned + `: .*` + step.told)
	}
	tm.send(" ")
	tm.waitFor(`held`)
	tm.send("\x1b")
	tm.waitFor(`the tour has ended`)
	screen := tm.waitFor(`p prompt 256 .*model sim-8b .*bust`)
	if strings.Contains(screen, "tour 4") {
		t.Errorf("the caption stays:\n%s", screen)
	}
	tm.send("q")
	tm.leaves(0, "sim-near", "sim-far")
}

// A tour is refused where there is none to take.
func TestTourIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"https://llm.example.com/v1", "-m", "a", "--tour"}, "write ttftop demo --tour"},
		{[]string{"demo", "--tour", "--plain"}, "leave away --plain"},
	} {
		tm := run(t, 100, 30, environ(t), c.args...)
		if status, left := tm.end(); status != 2 || !strings.Contains(strings.Join(strings.Fields(left), " "), c.says) {
			t.Errorf("%v: status %d, and it says\n%s", c.args, status, left)
		}
	}
}
