package clock

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A stamp says when a segment reached the host, which is when its bytes could
// be read only if all before them were there. After a loss, the segments behind
// the hole wait for the retransmission, and the read that gets them carries
// a stamp from before it: early by a round trip or more. Two rules mend that.

// lateRead is how long after its stamp a read must come to be doubted.
// Below it a hole can't have cost more than this; above it the kernel is asked.
const lateRead = 200 * time.Microsecond

// holes counts the segments that came out of order.
type holes struct {
	seen uint32
	info unix.TCPInfo // kept, so that asking makes no garbage
}

// more reports whether segments came out of order since it was last asked.
// Kernels before 5.4 don't count them, and never say so.
func (h *holes) more(fd int) bool {
	if tcpInfo(fd, &h.info) != nil || h.info.Rcv_ooopack == h.seen {
		return false
	}
	h.seen = h.info.Rcv_ooopack
	return true
}

// inOrder returns next, or, since no byte of a stream is there before those
// ahead of it, the arrival of prev where next would lie before it. A prev that
// lies after the read itself is no measure: the wall clock was set back.
func inOrder(prev, next Arrival) Arrival {
	wall := prev.At.Round(0)
	if next.At.Before(wall) && !wall.After(next.Read.Round(0)) {
		next.At, next.Kind = prev.At, prev.Kind
	}
	return next
}

// tcpInfo fills info with TCP_INFO; what the kernel is too old to know stays 0.
// (unix.GetsockoptTCPInfo makes a new one each time, on the way of every read.)
func tcpInfo(fd int, info *unix.TCPInfo) error {
	*info = unix.TCPInfo{}
	size := uint32(unsafe.Sizeof(*info))
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.IPPROTO_TCP, unix.TCP_INFO,
		uintptr(unsafe.Pointer(info)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 {
		return errno
	}
	return nil
}
