//go:build unix

package tui

import (
	"strings"
	"syscall"
	"testing"

	"golang.org/x/term"
)

// Frames are drawn at once where the terminal can, over SSH too.
func TestSynchronizedOutput(t *testing.T) {
	t.Parallel()
	const asks, begins = "\x1b[?2026$p", "\x1b[?2026h"
	for _, more := range []string{"SSH_TTY=/dev/pts/1", "SSH_TTY"} {
		tm := run(t, 80, 24, environ(t, more), "demo")
		tm.waitFor(waterfall)
		if !strings.Contains(tm.sent(), asks) {
			t.Errorf("%s: the terminal is not asked", more)
		}
		tm.keyboard.WriteString("\x1b[?2026;2$y") // it can
		tm.waitUntil("a frame that is drawn at once", func(string) bool { return strings.Contains(tm.sent(), begins) })
		tm.send("q")
		tm.leaves(0, "sim-near")
	}
}

// After a stop that no program hears of, the shell has set the modes of the
// terminal and written on the screen: both are taken back.
func TestStoppedByASignal(t *testing.T) {
	t.Parallel()
	tm := run(t, 80, 24, environ(t), "demo")
	tm.waitFor(waterfall)
	syscall.Kill(tm.cmd.Process.Pid, syscall.SIGSTOP)
	raw, cooked := tm.modes(), tm.before
	if err := term.Restore(int(tm.tty.Fd()), &cooked); err != nil {
		t.Fatal(err)
	}
	if _, err := tm.tty.WriteString("\x1b[H\x1b[2J[1]+  Stopped"); err != nil {
		t.Fatal(err)
	}
	tm.waitFor(`Stopped`)
	syscall.Kill(tm.cmd.Process.Pid, syscall.SIGCONT)
	tm.waitUntil("the screen as a whole", func(screen string) bool {
		return !strings.Contains(screen, "Stopped") && strings.Contains(screen, "first decode") && tm.modes() == raw
	})
	tm.send("q")
	tm.leaves(0, "sim-near")
}

// How far the terminal has come is asked over SSH alone; nothing of the answers
// is left behind for the shell.
func TestTheFarEndIsAsked(t *testing.T) {
	t.Parallel()
	for _, more := range []string{"SSH_TTY=/dev/pts/1", "SSH_TTY"} {
		tm := run(t, 80, 24, environ(t, more), "demo")
		tm.waitFor(waterfall)
		tm.waitFor(`[5-9] probes`)
		asked := strings.Count(tm.sent(), statusQuestion)
		if far := more != "SSH_TTY"; far != (asked > 0) {
			t.Errorf("%s: %d questions", more, asked)
		}
		tm.send("q")
		tm.leaves(0, "sim-near")
	}
}
