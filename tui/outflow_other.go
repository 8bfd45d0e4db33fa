//go:build !linux

package tui

import (
	"os"
	"time"
)

// longWrite is how long a write must take to be one that waited for the
// terminal: on a busy machine it waits for the processor too.
const longWrite = 100 * time.Millisecond

// outflow writes to a terminal and guesses whether it was full.
type outflow struct{ file *os.File }

func openOutflow(f *os.File) *outflow { return &outflow{f} }

// write writes everything, and reports whether it seems to have waited until
// the terminal took more.
func (o *outflow) write(b []byte) (n int, full bool, err error) {
	start := time.Now()
	n, err = o.file.Write(b)
	return n, time.Since(start) > longWrite, err
}

// ours reports whether the terminal is this program's, which is not known here.
func (*outflow) ours() bool { return true }

// stuck reports whether something is kept for a terminal that takes nothing:
// here a write waits.
func (*outflow) stuck() bool { return false }

func (*outflow) relieve(time.Duration) (all bool, err error) { return true, nil }

func (*outflow) missed() bool { return false }

func (*outflow) close() {}
