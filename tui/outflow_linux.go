package tui

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// outflow writes to a terminal and knows whether it was full. How long a write
// took does not tell that: on a busy machine a write waits for the processor.
type outflow struct {
	file *os.File // that it writes to where fd is none
	fd   int      // the same terminal, opened once more so that writes don't block; −1 for none

	// wait waits until a full terminal takes more, or is gone; false where it took
	// nothing for so long.
	wait func(fd int, limit time.Duration) (bool, error)

	mu   sync.Mutex
	rest []byte // what a terminal that takes nothing was to have next
	lost bool   // more was written than is kept for it
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
// terminal took more. Where a terminal takes nothing for a while the rest is kept
// for later, so that the program goes on: it must be able to end.
func (o *outflow) write(b []byte) (n int, full bool, err error) {
	if o.fd < 0 {
		n, err = o.file.Write(b)
		return n, false, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.rest) > 0 {
		if err := o.catchUp(); err != nil {
			return 0, true, err
		}
	}
	if len(o.rest) > 0 {
		o.keep(b)
		return len(b), true, nil
	}
	n, full, err = o.send(b, stuckAfter)
	if err == nil && n < len(b) {
		o.rest = bytes.Clone(b[n:])
		n = len(b)
	}
	return n, full, err
}

// keep puts what was written behind the rest, whole or not at all: half a control
// sequence would spoil what comes after it.
func (o *outflow) keep(b []byte) {
	if o.lost = o.lost || len(o.rest)+len(b) > mostRest; !o.lost {
		o.rest = append(o.rest, b...)
	}
}

// catchUp writes as much of the rest as the terminal takes now.
func (o *outflow) catchUp() error {
	n, _, err := o.send(o.rest, 0)
	o.rest = o.rest[n:]
	return err
}

// send writes until the terminal takes nothing for so long.
func (o *outflow) send(b []byte, patience time.Duration) (n int, full bool, err error) {
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
			if patience == 0 {
				return n, full, nil
			}
			ready, err := o.wait(o.fd, patience)
			if err != nil {
				return n, full, os.NewSyscallError("poll", err)
			}
			if !ready {
				return n, full, nil
			}
		case unix.EINTR:
		default:
			return n, full, os.NewSyscallError("write", err)
		}
	}
	return n, full, nil
}

// writable waits until a terminal takes more, or is gone; false where neither was
// within the limit.
func writable(fd int, limit time.Duration) (bool, error) {
	for end := time.Now().Add(limit); ; {
		left := max(time.Until(end), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, int((left+time.Millisecond-1)/time.Millisecond))
		if err != unix.EINTR {
			return n > 0, err
		}
	}
}

// stuck reports whether a rest is kept that the terminal has not taken yet.
func (o *outflow) stuck() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.rest) > 0
}

// relieve gives a terminal that took nothing the rest, as far as it takes it within
// the limit, and reports whether that was all.
func (o *outflow) relieve(limit time.Duration) (all bool, err error) {
	if _, err := o.wait(o.fd, limit); err != nil {
		return false, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	err = o.catchUp()
	return len(o.rest) == 0, err
}

// missed reports, once, whether the terminal has caught up but for something that
// was not kept for it.
func (o *outflow) missed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	missed := o.lost && len(o.rest) == 0
	o.lost = o.lost && !missed
	return missed
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

// close ends the writing. A terminal that takes nothing is left as it should be
// as far as it has room: what it has not read yet goes, for what sets its modes.
func (o *outflow) close() {
	if o.fd < 0 {
		return
	}
	if len(o.rest) > 0 {
		unix.IoctlSetInt(o.fd, unix.TCFLSH, unix.TCOFLUSH) // it may have none to give
		unix.Write(o.fd, []byte(usualModes))               // nor take these
	}
	unix.Close(o.fd) // nothing else is lost: it was written
}
