//go:build unix

package tui

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestNoColour(t *testing.T) {
	t.Parallel()
	tm := run(t, 80, 24, environ(t, "NO_COLOR=1"), "demo")
	tm.waitFor(waterfall)
	for range 3 { // through all themes
		tm.send("t")
		tm.waitFor(`SIMULATED`)
	}
	tm.send("p")
	tm.waitFor(`prompt 256 → 512`)
	tm.send("q")
	tm.leaves(0)
	sent := tm.sent()
	if coloured(sent) {
		t.Errorf("NO_COLOR is set, and colours are sent: %q", colours(sent))
	}
	if !strings.Contains(sent, "\x1b[1m") && !strings.Contains(sent, "\x1b[7m") {
		t.Error("without colours nothing stands out")
	}
}

var sgr = regexp.MustCompile(`\x1b\[([0-9;:]*)m`)

func coloured(sent string) bool { return len(colours(sent)) > 0 }

// colours are the sequences that set a colour.
func colours(sent string) []string {
	var found []string
	for _, m := range sgr.FindAllStringSubmatch(sent, -1) {
		for _, p := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ';' || r == ':' }) {
			n, err := strconv.Atoi(p)
			if err == nil && (n >= 30 && n <= 38 || n >= 40 && n <= 48 || n >= 90 && n <= 107) {
				found = append(found, m[0])
				break
			}
		}
	}
	return found
}
