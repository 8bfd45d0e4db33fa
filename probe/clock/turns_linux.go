package clock

import (
	"bytes"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// turnsFile tells of the thread that reads it, in nanoseconds but for the last:
// how long it has run, how long it could have run and had to wait for a
// processor, and how often it had its turn (see
// Documentation/scheduler/sched-stats.rst of the kernel).
var turnsFile = []byte("/proc/thread-self/schedstat\x00")

// turns is what turnsFile said.
type turns struct {
	text [64]byte
	n    int
}

// look reads the file. It runs where a vigil does.
//
//go:nosplit
//go:norace
func (t *turns) look() {
	t.n = 0
	fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, atCwd, uintptr(unsafe.Pointer(unsafe.SliceData(turnsFile))), unix.O_RDONLY|unix.O_CLOEXEC, 0, 0, 0)
	if errno != 0 {
		return
	}
	if n, _, errno := unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&t.text)), uintptr(len(t.text))); errno == 0 {
		t.n = int(n)
	}
	unix.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
}

const atCwd = ^uintptr(99) // AT_FDCWD, which is −100

// kept is how long the thread had been kept waiting for a processor; false
// where the kernel doesn't count it.
func (t *turns) kept() (time.Duration, bool) {
	_, rest, _ := bytes.Cut(t.text[:t.n], []byte(" "))
	waited, count, ok := bytes.Cut(rest, []byte(" "))
	if !ok || string(bytes.TrimSpace(count)) == "0" {
		return 0, false
	}
	ns, err := strconv.ParseInt(string(waited), 10, 64)
	return time.Duration(ns), err == nil
}
