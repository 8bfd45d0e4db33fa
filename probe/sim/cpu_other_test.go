//go:build !unix

package sim

import (
	"testing"
	"time"
)

// cpuTime is the processor time that this process has used, not to be had here.
func cpuTime(b *testing.B) time.Duration {
	b.Skip("the processor time of a process is only read on Unix")
	return 0
}
