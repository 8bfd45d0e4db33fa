package clock

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ttftop/probe"
)

// stampedConn reads through recvmsg, which hands out the kernel's stamps.
type stampedConn struct {
	link
	raw  syscall.RawConn
	late time.Duration // a read later than this after its stamp is doubted
	try  func(fd uintptr) bool
	attention

	reading sync.Mutex // held through a read; guards all below
	vigil   *vigil     // nil while nothing is attended to or kept
	msg     message
	got     received
	holes   holes
}

// received is what one recvmsg gave.
type received struct {
	n     int
	errno unix.Errno
	read  time.Time // right after it
	stamp time.Time // the zero time where the kernel gave none, or one of no use
	early time.Duration
}

// stamp returns c with kernel stamps, or false where the kernel refuses.
func stamp(c *net.TCPConn) (Conn, bool) { return stampWith(c, enableStamps) }

func stampWith(c *net.TCPConn, enable func(fd int) error) (Conn, bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, false
	}
	keepStamping()
	var refused error
	if err := raw.Control(func(fd uintptr) { refused = enable(int(fd)) }); err != nil || refused != nil {
		return nil, false
	}
	s := &stampedConn{raw: raw, late: lateRead, attention: attention{beat: beat}}
	s.open(c)
	s.try, s.watch = s.receive, s.watchOver // once, so that no read makes a new func value
	return s, true
}

// Read implements net.Conn.
func (c *stampedConn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return c.Conn.Read(p)
	}
	c.reading.Lock()
	defer c.reading.Unlock()
	for c.vigil.done() {
		if !c.on.Load() {
			n, err := c.readOnce(p)
			if err != nil && errors.Is(err, os.ErrDeadlineExceeded) && c.resume() {
				continue
			}
			return n, err
		}
		if err := c.keepVigil(p); err != nil {
			return 0, err
		}
	}
	n, got := c.vigil.read(p)
	return c.result(p, n, got)
}

// readOnce reads as soon as the poller says that there is something.
func (c *stampedConn) readOnce(p []byte) (int, error) {
	c.dismiss()
	c.msg.aim(p)
	err := c.raw.Read(c.try)
	c.msg.release()
	if err != nil {
		return 0, c.failed(err)
	}
	return c.result(p, c.got.n, &c.got)
}

// result is that of a Read which has put n bytes of what was received into p.
func (c *stampedConn) result(p []byte, n int, got *received) (int, error) {
	switch {
	case got.errno != 0:
		return 0, opError("read", c.Conn, os.NewSyscallError("recvmsg", got.errno))
	case got.n == 0 && c.closing.Load():
		return 0, opError("read", c.Conn, net.ErrClosed)
	case got.n == 0:
		return 0, io.EOF
	}
	raceRead(p[:n])
	c.arrived(got.arrival(c.Arrival()))
	return n, nil
}

// receive takes what there is to read. It returns false where there is nothing
// yet, and is called again once there is.
func (c *stampedConn) receive(fd uintptr) bool {
	n, errno := c.msg.receive(int(fd))
	now := time.Now()
	if errno == unix.EAGAIN {
		c.emptied, c.waited = now.Round(0), true
		return false
	}
	c.got = received{n: n, errno: errno, read: now}
	if n > 0 {
		raceAcquire(int(fd))
		c.got.stamp = c.trusted(int(fd), &c.msg, now)
	}
	if !c.got.stamp.IsZero() {
		c.got.early = c.polled(c.got.stamp, now.Round(0))
	}
	c.emptied, c.waited = now.Round(0), false
	return true
}

// polled is how much earlier than its stamp the first bytes of a read may have
// come. After the poller was asked, they waited as long as the newest did, as
// far as it can be told.
func (c *stampedConn) polled(stamp, read time.Time) time.Duration {
	if !c.waited {
		return c.within(stamp, unknown)
	}
	return c.within(stamp, read.Sub(stamp))
}

// trusted returns the stamp of what was received, unless it is that of bytes
// that waited for others, sent before them, to come.
func (c *stampedConn) trusted(fd int, msg *message, read time.Time) time.Time {
	at, ok := msg.stamp()
	if !ok || read.Sub(at) > c.late && c.holes.more(fd) {
		return time.Time{}
	}
	return at
}

// arrival is that of what was received after prev.
func (r *received) arrival(prev Arrival) Arrival {
	if r.stamp.IsZero() {
		return Arrival{At: r.read, Read: r.read, Kind: probe.UserClock}
	}
	return inOrder(prev, Arrival{At: r.stamp, Read: r.read, Early: r.early, Kind: probe.KernelClock})
}

// failed gives an error of the raw read the shape of a read's.
func (c *stampedConn) failed(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return opError("read", c.Conn, err)
}
