//go:build unix

package tui

import (
	"regexp"
	"strings"
	"testing"
)

// A person looks closely: the inspector, what a segment is, intervals, and the
// simulator's books under an estimate.
func TestLookingClosely(t *testing.T) {
	t.Parallel()
	tm := run(t, 80, 24, environ(t), "demo", "--ignore-reported", "--rate", "5")
	tm.waitUntil("estimated figures of both targets", func(s string) bool {
		return len(regexp.MustCompile(`ms .*\d e .*\d e`).FindAllString(s, -1)) == 2
	})
	tm.send("i")
	tm.waitFor(`ms .*\d–[\d,.]+\)? e`)
	tm.send("w")
	tm.waitFor(`(?s)waterfall of A sim-near.*queue +[\d.,]+ e .*(estimated|at least;) [\d.]+–.*left aside.*per 1,000 uncached input`)
	tm.send("?")
	tm.waitFor(`(?s)Here it is estimated.*Cure:`)
	tm.send("g")
	tm.waitFor(`(?s)truth +p50 ms +truth.*books have`)
	tm.send("]")
	tm.waitFor(`waterfall of B sim-far`)
	tm.send("\x1b")
	tm.waitUntil("true bars under both", func(s string) bool {
		return !strings.Contains(s, "waterfall of") && len(regexp.MustCompile(`truth +[█▉▊▋▌▍▎▏▚─].* ms simulator`).FindAllString(s, -1)) == 2
	})
	tm.send("w")
	tm.waitFor(`waterfall of B sim-far`)
	tm.send("q")
	tm.leaves(0, "sim-near sim-8b: TTFT p50", "sim-far sim-8b: TTFT p50")
}

// The marks stand under the bars of a larger window, and a real endpoint has
// no books.
func TestMarksOnALargeScreen(t *testing.T) {
	t.Parallel()
	e := &mortal{t: t}
	e.listen()
	tm := run(t, 160, 50, environ(t), "http://"+e.address+"/v1", "-m", "tiny", "--name", "here", "--rate", "5")
	tm.waitFor(`marks .*H=headers  E=first event`)
	tm.send("g")
	tm.waitFor(`a real one keeps none`)
	tm.send("w")
	tm.waitFor(`(?s)waterfall of A here.*marks, ms H headers [\d.]+`)
	tm.send("q")
	tm.leaves(0, "here tiny: TTFT p50")
}
