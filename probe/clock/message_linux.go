package clock

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxRead bounds one read, as package net does.
const maxRead = 1 << 30

// oobSize holds the three time stamps of SCM_TIMESTAMPING with room to spare.
const oobSize = 128

// message is where recvmsg puts bytes and control data. It is kept, so that a
// read makes no garbage, which unix.Recvmsg would.
type message struct {
	hdr unix.Msghdr
	iov unix.Iovec
	oob [oobSize]byte // behind the others, and so aligned as they are
}

// aim has the next receive put its bytes into p, which isn't empty.
func (m *message) aim(p []byte) {
	m.iov.Base = &p[0]
	m.iov.SetLen(min(len(p), maxRead))
	m.hdr.Iov = &m.iov
	m.hdr.SetIovlen(1)
}

// control makes room for control data.
func (m *message) control() {
	m.hdr.Control = &m.oob[0]
	m.hdr.SetControllen(len(m.oob))
}

// receive does one recvmsg.
func (m *message) receive(fd int) (n int, errno unix.Errno) {
	for {
		m.control()
		r, _, errno := unix.Syscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&m.hdr)), 0)
		if errno == 0 {
			return int(r), 0
		}
		if errno != unix.EINTR {
			return 0, errno
		}
	}
}

// release lets go of the buffer that aim took.
func (m *message) release() { m.iov.Base = nil }

// stamp finds the kernel's stamp of what was received; false where there is
// none.
func (m *message) stamp() (time.Time, bool) {
	return stampIn(m.oob[:m.hdr.Controllen])
}

// stampIn finds the software stamp in control data (see the kernel's
// Documentation/networking/timestamping.rst).
func stampIn(oob []byte) (time.Time, bool) {
	for len(oob) >= unix.CmsgLen(0) {
		h, data, rest, err := unix.ParseOneSocketControlMessage(oob)
		if err != nil {
			break
		}
		if h.Level == unix.SOL_SOCKET && h.Type == unix.SCM_TIMESTAMPING && len(data) >= int(unsafe.Sizeof(unix.Timespec{})) {
			// The first of three is the software stamp; the kernel aligns it.
			t := (*unix.Timespec)(unsafe.Pointer(&data[0]))
			if t.Sec != 0 || t.Nsec != 0 {
				return time.Unix(t.Unix()), true
			}
		}
		oob = rest
	}
	return time.Time{}, false
}
