//go:build race

package clock

import (
	"runtime"
	"syscall"
	"unsafe"
)

// raceRead tells the race detector that the kernel wrote p.
func raceRead(p []byte) { runtime.RaceWriteRange(unsafe.Pointer(&p[0]), len(p)) }

// raceAcquire tells the race detector that what the writer of the bytes did
// comes before the read, as package syscall does for its own reads: by one
// that reads nothing.
func raceAcquire(fd int) { syscall.Read(fd, nil) }
