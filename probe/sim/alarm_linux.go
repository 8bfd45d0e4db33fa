package sim

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// alarm is a timerfd(2) that Go's poller watches. One wait uses it at a time.
type alarm struct {
	fd   int
	file *os.File
}

func newAlarm() (*alarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("timerfd_create", err)
	}
	return &alarm{fd: fd, file: os.NewFile(uintptr(fd), "timerfd")}, nil
}

// until waits for t. It may return early if the system fails it.
func (a *alarm) until(t time.Time) {
	d := time.Until(t)
	if d <= 0 {
		return
	}
	once := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if unix.TimerfdSettime(a.fd, 0, &once, nil) != nil {
		return
	}
	// A processor that is busy looks at the poller now and then only, but at its
	// own timers between any two goroutines; one that is idle wakes more exactly
	// by the alarm.
	a.file.SetReadDeadline(t)
	var expirations [8]byte
	a.file.Read(expirations[:])
}

func (a *alarm) close() { a.file.Close() }
