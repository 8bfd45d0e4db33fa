//go:build unix

package tui

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Where there is no terminal, the program says what to write instead, and sends nothing else.
func TestNoTerminal(t *testing.T) {
	for _, c := range []struct {
		name          string
		ttyIn, ttyOut bool
		env           string
		args          []string
	}{
		{"neither", false, false, "LANG=C.UTF-8", []string{"http://127.0.0.1:1/v1"}},
		{"stdout is a pipe", true, false, "LANG=C.UTF-8", []string{"http://127.0.0.1:1/v1", "-m", "x"}},
		{"stdin is a pipe", false, true, "LANG=C.UTF-8", []string{"http://127.0.0.1:1/v1"}},
		{"demo", false, false, "LANG=C.UTF-8", []string{"demo"}},
		{"no arguments", false, false, "LANG=C.UTF-8", nil},
		{"dumb, into a pipe", true, false, "TERM=dumb", []string{"http://127.0.0.1:1/v1"}},
		{"dumb, neither", false, false, "TERM=dumb", []string{"demo"}},
		{"TERM is not set, neither", false, false, "TERM=", []string{"demo"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(program(t), c.args...)
			cmd.Env = environ(t, c.env)
			status, said := without(t, cmd, c.ttyIn, c.ttyOut)
			if status != 2 {
				t.Errorf("exit status %d, want 2", status)
			}
			if !strings.Contains(said, "--plain") || !strings.Contains(said, "ttftop run") || strings.Count(said, "\n") != 1 {
				t.Errorf("it does not say in a line to write --plain or run: %q", said)
			}
			if strings.Contains(said, "\x1b") {
				t.Errorf("control sequences are sent: %q", said)
			}
		})
	}
}

// A flag that can't be is told before the terminal is missed.
func TestNoTerminalAndABadFlag(t *testing.T) {
	cmd := exec.Command(program(t), "demo", "--rate", "5000")
	cmd.Env = environ(t)
	if status, said := without(t, cmd, false, true); status != 2 || !strings.Contains(said, "--rate 5000 is out of range") {
		t.Errorf("status %d: %q", status, said)
	}
}

// without runs a command with its input and output at a terminal or not, and
// returns its exit status and all that it has said.
func without(t *testing.T, cmd *exec.Cmd, ttyIn, ttyOut bool) (status int, said string) {
	t.Helper()
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	defer tty.Close()
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(""), &out, &out
	if ttyIn {
		cmd.Stdin = tty
	}
	if ttyOut {
		cmd.Stdout = tty // a few bytes at most: they stay in the pty
	}
	err = cmd.Run()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if ttyOut { // what was sent there, up to a mark
		if _, err := tty.WriteString("\x04"); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 4096)
		n, err := keyboard.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(strings.TrimSuffix(string(buf[:n]), "\x04"))
	}
	return cmd.ProcessState.ExitCode(), out.String()
}
