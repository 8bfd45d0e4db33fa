package clock

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// attention is the state of a connection that may be attended to.
type attention struct {
	on      atomic.Bool
	keeping atomic.Bool // a vigil
	closing atomic.Bool

	deadlines sync.Mutex // guards the two below
	deadline  time.Time  // of reading, as the user set it
	kicked    bool       // the inner connection has one that is over instead, which sends a waiting read away

	watch func(fd uintptr) bool // watchOver
	aim   []byte                // where a vigil puts the first piece; guarded by reading
}

// past is a deadline that is over.
var past = time.Unix(1, 0)

// attend implements attender.
func (c *stampedConn) attend(on bool) {
	if c.on.Swap(on) || !on {
		return // a vigil that nobody needs any more ends with its beat
	}
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	c.kicked = c.Conn.SetReadDeadline(past) == nil
}

// resume undoes a kick, and reports whether there was one.
func (c *stampedConn) resume() bool {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	if !c.kicked {
		return false
	}
	c.kicked = false
	return c.Conn.SetReadDeadline(c.deadline) == nil
}

// SetReadDeadline implements net.Conn.
func (c *stampedConn) SetReadDeadline(t time.Time) error {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	c.deadline = t
	if c.kicked {
		return nil // resume will set it
	}
	return c.Conn.SetReadDeadline(t)
}

// SetDeadline implements net.Conn.
func (c *stampedConn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.Conn.SetWriteDeadline(t)
}

// Close implements net.Conn. Shutting down the reading half, of which the peer
// sees nothing, ends a vigil.
func (c *stampedConn) Close() error {
	c.closing.Store(true)
	if c.keeping.Load() {
		c.raw.Control(func(fd uintptr) { unix.Shutdown(int(fd), unix.SHUT_RD) })
	}
	return c.Conn.Close()
}

// keepVigil waits for the next pieces, for one beat at most. The first goes to
// p.
func (c *stampedConn) keepVigil(p []byte) error {
	if c.vigil == nil {
		c.vigil = vigils.Get().(*vigil)
	}
	c.aim = p
	c.keeping.Store(true)
	err := c.raw.Read(c.watch)
	c.keeping.Store(false)
	c.aim = nil
	switch {
	case err == nil && c.vigil.n == 0 && c.left(time.Now()) == 0:
		return opError("read", c.Conn, os.ErrDeadlineExceeded)
	case err == nil, errors.Is(err, os.ErrDeadlineExceeded) && c.resume():
		return nil
	}
	return c.failed(err)
}

// watchOver is what keepVigil does with the descriptor.
func (c *stampedConn) watchOver(fd uintptr) bool {
	began := time.Now()
	v := c.vigil
	wait := c.left(began)
	if c.closing.Load() {
		wait = 0
	}
	v.keep(fd, c.aim, wait)
	now := time.Now()
	for i := range v.n {
		p := &v.pieces[i]
		p.read = began.Add(min(max(0, time.Unix(p.copied.Unix()).Sub(began.Round(0))), now.Sub(began)))
		p.stamp = time.Time{}
		if p.n > 0 {
			raceAcquire(int(fd))
			p.stamp = c.trusted(int(fd), &p.msg, p.read)
		}
	}
	return true
}

// left is how long a vigil may wait for its first piece.
func (c *stampedConn) left(now time.Time) time.Duration {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	if c.deadline.IsZero() {
		return beat
	}
	return min(max(0, c.deadline.Sub(now)), beat)
}

// dismiss gives the buffers back where nothing is attended to any more.
func (c *stampedConn) dismiss() {
	if c.vigil != nil {
		vigils.Put(c.vigil)
		c.vigil = nil
	}
}
