package clock

import (
	"errors"
	"math"
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

	beat  time.Duration
	watch func(fd uintptr) bool // watchOver
	aim   []byte                // where a vigil puts the first piece; guarded by reading, as are those below

	emptied time.Time // when there was last known to be nothing to read, on the wall clock
	waited  bool      // the poller was asked since
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

// resume undoes a kick, and reports whether there was one. A connection that has
// been closed meanwhile says so at the next read.
func (c *stampedConn) resume() bool {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	if !c.kicked {
		return false
	}
	c.kicked = false
	c.Conn.SetReadDeadline(c.deadline)
	return true
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
		c.vigil.clear()
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
		copied := time.Unix(p.copied.Unix())
		p.read = began.Add(min(max(0, copied.Sub(began.Round(0))), now.Sub(began)))
		p.stamp, p.early = time.Time{}, 0
		if p.n > 0 {
			raceAcquire(int(fd))
			p.stamp = c.trusted(int(fd), &p.msg, p.read)
		}
		if !p.stamp.IsZero() {
			p.early = c.within(p.stamp, p.late(copied))
		}
		c.emptied = copied
	}
	if v.n < pieces && !v.ended() {
		c.emptied = time.Unix(v.empty.Unix())
	}
	return true
}

// late is by how much the newest bytes of a piece may have come later than the
// oldest: by what its reader took longer for these than for those. A thread
// that waited was woken by the oldest, and then perhaps kept waiting for a
// processor.
func (p *piece) late(copied time.Time) time.Duration {
	switch {
	case !p.waited:
		return unknown
	case p.has == p.had+1: // all of it came at once
		return 0
	}
	delay := copied.Sub(p.stamp)
	before, ok := p.before.kept()
	after, also := p.after.kept()
	if !ok || !also {
		return delay // as far as it can be told
	}
	return after - before - delay
}

// unknown is longer than any time between the oldest and the newest bytes.
const unknown = time.Duration(math.MaxInt64)

// within limits a time between the oldest and the newest bytes of a read, which
// has the stamp of these, to what can be: all before them had been taken.
func (c *stampedConn) within(stamp time.Time, d time.Duration) time.Duration {
	if c.emptied.IsZero() && d == unknown {
		return 0
	}
	if !c.emptied.IsZero() {
		d = min(d, stamp.Sub(c.emptied))
	}
	return max(0, d)
}

// left is how long a vigil may wait for its first piece.
func (c *stampedConn) left(now time.Time) time.Duration {
	c.deadlines.Lock()
	defer c.deadlines.Unlock()
	if c.deadline.IsZero() {
		return c.beat
	}
	return min(max(0, c.deadline.Sub(now)), c.beat)
}

// dismiss gives the buffers back where nothing is attended to any more.
func (c *stampedConn) dismiss() {
	if c.vigil != nil {
		vigils.Put(c.vigil)
		c.vigil = nil
	}
}
