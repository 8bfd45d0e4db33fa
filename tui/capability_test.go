//go:build unix

package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/creack/pty"
)

func TestColoursOf(t *testing.T) {
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	defer tty.Close()
	for _, c := range []struct {
		environ string
		named   bool
		want    colorprofile.Profile
	}{
		{"TERM=xterm-256color", false, colorprofile.ANSI256},
		{"TERM=xterm-256color COLORTERM=truecolor", false, colorprofile.TrueColor},
		{"TERM=xterm", false, colorprofile.ANSI},
		{"TERM=linux", false, colorprofile.ANSI},
		{"TERM=vt100", false, colorprofile.ASCII},
		{"TERM=vt100 CLICOLOR_FORCE=1", false, colorprofile.ANSI},
		{"TERM=vt100 COLORTERM=truecolor", false, colorprofile.TrueColor},
		{"TERM=vt9999-unheard-of", false, colorprofile.ASCII},
		{"TERM=some-terminal-of-tomorrow", false, colorprofile.ANSI},
		{"TERM=xterm-256color NO_COLOR=1", false, colorprofile.ASCII},
		{"TERM=xterm-256color NO_COLOR=please", false, colorprofile.ASCII},
		{"TERM=xterm-256color NO_COLOR=", false, colorprofile.ANSI256},
		{"TERM=xterm-256color NO_COLOR=1", true, colorprofile.ANSI256},
		{"TERM=vt100", true, colorprofile.ASCII},
		{"TERM=dumb", false, colorprofile.NoTTY},
	} {
		if got := colorprofile.Profile(ColoursOf(tty, strings.Fields(c.environ), c.named)); got != c.want {
			t.Errorf("%s, theme named %v: %v, want %v", c.environ, c.named, got, c.want)
		}
	}
}

func TestASCIILocale(t *testing.T) {
	for environ, want := range map[string]bool{
		"":                                false,
		"LANG=C.UTF-8":                    false,
		"LANG=de_DE.utf8":                 false,
		"LANG=en_US":                      false,
		"LANG=C":                          true,
		"LANG=POSIX":                      true,
		"LANG=de_DE.ISO-8859-1":           true,
		"LANG=de_DE.UTF-8 LC_ALL=C":       true,
		"LANG=C LC_CTYPE=C.UTF-8":         false,
		"LANG=C LC_CTYPE=C LC_ALL=C.utf8": false,
		"LANG=C.UTF-8 LC_ALL=":            false,
	} {
		if got := ASCIILocale(strings.Fields(environ)); got != want {
			t.Errorf("%q: %v, want %v", environ, got, want)
		}
	}
}
