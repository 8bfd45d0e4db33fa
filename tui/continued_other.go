//go:build !unix

package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// stops has nothing to do where no signal stops a program.
type stops struct{}

func (*stops) filter(tea.Msg) {}

func (*stops) watch(context.Context, func(tea.Msg)) {}
