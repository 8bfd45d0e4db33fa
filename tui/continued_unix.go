//go:build unix

package tui

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// continued has the whole screen drawn whenever the program goes on after a stop,
// until ctx ends: the shell, or another program, has written there meanwhile. A
// stop by a key is known to the program itself, one by a signal is not.
func continued(ctx context.Context, send func(tea.Msg)) {
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGCONT)
	defer signal.Stop(again)
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
			send(tea.ClearScreen())
		}
	}
}
