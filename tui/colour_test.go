//go:build unix

package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// A terminal without colours gets none, whatever theme is asked for.
func TestATerminalWithoutColours(t *testing.T) {
	t.Parallel()
	tm := run(t, 80, 24, slices.DeleteFunc(environ(t, "TERM=vt100"), func(e string) bool { return strings.HasPrefix(e, "COLORTERM=") }), "demo", "--theme", "dark")
	tm.waitFor(waterfall)
	tm.send("t")
	tm.waitFor(`no other theme`)
	tm.send("q")
	tm.leaves(0)
	if sent := tm.sent(); coloured(sent) {
		t.Errorf("colours are sent to a vt100: %q", colours(sent))
	}
}

// A theme in the configuration file that isn't there is told with its line.
func TestUnknownThemes(t *testing.T) {
	t.Parallel()
	env := environ(t)
	path := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(path, []byte("[settings]\n# a comment\ntheme = \"solarised\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--config", path}, path + `:3: no theme is called "solarised": write one of auto, dark, light, high-contrast, colour-blind, mono`},
		{[]string{"demo", "--theme", "blue"}, `--theme: no theme is called "blue"`},
	} {
		tm := run(t, 200, 24, env, c.args...)
		status, left := tm.end()
		if status != 2 || !strings.Contains(strings.ReplaceAll(left, "\n", ""), c.want) {
			t.Errorf("%v: exit status %d, and it says %q", c.args, status, left)
		}
	}
}
