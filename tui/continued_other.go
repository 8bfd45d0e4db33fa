//go:build !unix

package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// continued does nothing where there are no signals that stop a program.
func continued(context.Context, func(tea.Msg)) {}
