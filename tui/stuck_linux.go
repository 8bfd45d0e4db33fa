package tui

import (
	"time"

	"github.com/charmbracelet/x/ansi"
)

// How long a terminal may take nothing before the program goes on without it, and
// how many bytes are kept for it then: some frames that a person's keys drew, and
// not so many that old ones are seen for long.
const (
	stuckAfter = time.Second
	mostRest   = 32 << 10
)

// usualModes ends a control sequence that was begun and sets the modes of a
// terminal as they are outside of the program, like bubbletea at its end.
const usualModes = "\x18" + ansi.ResetModeSynchronizedOutput + ansi.ResetStyle +
	ansi.ResetModifyOtherKeys + popKittyKeyboard + ansi.ResetModeAltScreenSaveCursor +
	ansi.SetModeTextCursorEnable + ansi.ResetModeBracketedPaste + ansi.ResetModeUnicodeCore

const popKittyKeyboard = "\x1b[<1u"
