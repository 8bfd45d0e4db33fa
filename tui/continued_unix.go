//go:build unix

package tui

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// stops tells a stop by a key, from which bubbletea comes back by itself, from one
// by a signal that no program hears of (SIGSTOP): after that the shell has the
// terminal's modes as it likes them, and has written on the screen.
type stops struct{ own atomic.Bool }

// filter looks at the messages by which the program stops and goes on.
func (s *stops) filter(msg tea.Msg) {
	switch msg.(type) {
	case tea.SuspendMsg:
		s.own.Store(true)
	case tea.ResumeMsg:
		s.own.Store(false)
	}
}

// watch takes the terminal back whenever the program goes on after a stop by a
// signal, until ctx ends. While the terminal is another program's, setting its modes
// waits until it isn't.
func (s *stops) watch(ctx context.Context, send func(tea.Msg)) {
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGCONT)
	defer signal.Stop(again)
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
		}
		if s.own.Load() {
			continue
		}
		if fd := int(os.Stdin.Fd()); term.IsTerminal(fd) {
			term.MakeRaw(fd) // one that is gone ends the program by another signal
		}
		send(tea.ClearScreen())
	}
}
