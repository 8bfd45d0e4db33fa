package tui

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// outflow writes to a terminal and knows whether it was full. How long a write
// took does not tell that: on a busy machine a write waits for the processor.
type outflow struct {
	file *os.File // that it writes to where fd is none
	fd   int      // the same terminal, opened once more so that writes don't block; −1 for none

	wait func(fd int) error // waits until a full terminal takes more, or is gone
}

// openOutflow opens the terminal of a file once more. Where that is not allowed,
// or the file is no terminal, it writes to the file itself.
func openOutflow(f *os.File) *outflow {
	o := &outflow{file: f, fd: -1, wait: writable}
	if !term.IsTerminal(int(f.Fd())) {
		return o
	}
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), unix.O_WRONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err == nil {
		o.fd = fd
	}
	return o
}

// write writes everything, and reports whether it had to wait until the
// terminal took more.
func (o *outflow) write(b []byte) (n int, full bool, err error) {
	if o.fd < 0 {
		n, err = o.file.Write(b)
		return n, false, err
	}
	for n < len(b) {
		k, err := unix.Write(o.fd, b[n:])
		n += max(k, 0)
		switch err {
		case nil:
			if k == 0 {
				return n, full, io.ErrShortWrite
			}
		case unix.EAGAIN:
			full = true
			err = o.wait(o.fd)
			if err != nil {
				return n, full, os.NewSyscallError("poll", err)
			}
		case unix.EINTR:
		default:
			return n, full, os.NewSyscallError("write", err)
		}
	}
	return n, full, nil
}

// writable waits until a terminal takes more, or is gone.
func writable(fd int) error {
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, -1)
		if err != unix.EINTR {
			return err
		}
	}
}

// ours reports whether the terminal is this program's: what it answers comes to
// the program in the foreground.
func (o *outflow) ours() bool {
	if o.fd < 0 {
		return false
	}
	group, err := unix.IoctlGetInt(o.fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func (o *outflow) close() {
	if o.fd >= 0 {
		unix.Close(o.fd) // nothing is lost: it was written
	}
}
