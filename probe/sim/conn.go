package sim

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
)

// conn is a connection with a simulated link in front of a real one. Bytes
// written come out of the real connection when they would have arrived at the
// server; bytes that the server sent are readable when they would have arrived
// here. It implements clock.Conn: each Read returns bytes of one arrival.
//
// The real connection's own arrivals, where the kernel stamps them, are the
// instants at which the server's bytes set out, so the simulated arrival is
// exact however late the goroutines here are.
type conn struct {
	raw   clock.Conn
	plain net.Conn // the same without clock
	pace  *pacer
	path  *atomic.Pointer[Link] // the link as it is now
	ended func(*conn)           // told once its goroutines have no more to do

	done       chan struct{} // closed by Close
	dead       chan struct{} // closed by abort
	closing    sync.Once
	aborting   sync.Once
	forwarding sync.WaitGroup // the goroutine towards the server
	collecting sync.WaitGroup // the goroutine from the server

	reading, writing sync.Mutex // held through a Read, through a Write
	readBy, writeBy  *deadline
	readable         *time.Timer // fires when the next segment has arrived

	toSend chan struct{} // told when sending has grown
	room   chan struct{} // told when sending has shrunk
	space  chan struct{} // told when receiving has shrunk

	serves bool // it is the server's end, which control requests may take past the link

	mu        sync.Mutex // guards all below
	past      bool       // the request under way goes past the link
	ending    bool       // the exchange under way has come to its answer, or there is none yet
	link      *Link      // that up and down have
	up, down  lane
	trips     roundTrips
	closed    bool      // the end is in sending: nothing may follow
	sending   []segment // on their way to the server
	held      int       // bytes in sending
	failed    error     // of the real connection's writing side
	receiving []segment // on their way here, or here and not read yet
	unread    int       // bytes in receiving
	last      clock.Arrival
}

// segment is bytes that arrive together, or the end of them all.
type segment struct {
	data  []byte
	at    time.Time
	kind  probe.ClockKind
	early time.Duration // of the arrival
	err   error
}

// newConn puts a link in front of raw; each exchange takes the one that path has as it begins.
// link is the one the connection was made over, and connect the round trip that this took; ended
// may be nil.
func newConn(raw net.Conn, link *Link, path *atomic.Pointer[Link], connect time.Duration, rng *rand.Rand, pace *pacer, ended func(*conn), serves bool) *conn {
	c := &conn{
		raw: clock.Wrap(raw), plain: raw, pace: pace, path: path, ended: ended, serves: serves,
		done: make(chan struct{}), dead: make(chan struct{}),
		readBy: newDeadline(), writeBy: newDeadline(), readable: time.NewTimer(time.Hour),
		toSend: make(chan struct{}, 1), room: make(chan struct{}, 1), space: make(chan struct{}, 1),
		ending: true, link: link, up: lane{link: *link, rng: rng}, down: lane{link: *link, rng: rng},
		trips: roundTrips{least: connect},
	}
	c.readable.Stop()
	c.forwarding.Go(c.forward)
	c.collecting.Go(c.collect)
	return c
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	for {
		expired := c.readBy.wait()
		if err := c.refuse("read", expired); err != nil || len(b) == 0 {
			return 0, err
		}
		if n, err, ok := c.take(b); ok {
			return n, err
		}
		select {
		case <-c.readable.C:
		case <-expired:
		case <-c.done:
		}
	}
}

// take reads what has arrived, or sees to it that readable fires when
// something has.
func (c *conn) take(b []byte) (n int, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.receiving) == 0 {
		return 0, nil, false // collect sets the timer
	}
	now := time.Now()
	head := &c.receiving[0]
	if wait := head.at.Sub(now); wait > 0 {
		c.readable.Reset(wait)
		return 0, nil, false
	}
	if head.err != nil {
		return 0, head.err, true
	}
	n = copy(b, head.data)
	c.last = clock.Arrival{At: head.at, Read: now, Kind: head.kind, Seq: c.last.Seq + 1, Early: head.early}
	c.unread -= n
	if head.data = head.data[n:]; len(head.data) == 0 {
		c.receiving = c.receiving[1:]
	}
	tell(c.space)
	return n, nil, true
}

// Write implements net.Conn. Like that of a TCP connection it returns once the
// bytes are in the send buffer.
func (c *conn) Write(b []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	sum := 0
	for {
		expired := c.writeBy.wait()
		if err := c.refuse("write", expired); err != nil {
			return sum, err
		}
		n, err := c.put(b[sum:])
		sum += n
		if err != nil || sum == len(b) {
			return sum, err
		}
		if n > 0 {
			continue
		}
		select {
		case <-c.room:
		case <-expired:
		case <-c.done:
		}
	}
}

// put gives the line as much as one segment and the send buffer take.
func (c *conn) put(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(b), segmentSize, sendBuffer-c.held)
	if c.failed != nil || n == 0 || c.closed {
		return 0, c.failed
	}
	c.exchange(!c.serves)
	now := time.Now()
	if c.past {
		c.queue(segment{data: bytes.Clone(b[:n]), at: now})
		return n, nil
	}
	at := c.up.send(now, n)
	back := at.Add(c.up.link.RTT/2 + c.up.delay())
	if c.link.Edge > 0 {
		back = c.up.free.Add(c.link.Edge + c.up.delay())
	}
	c.trips.expect(now, echo{back: back, rtt: back.Sub(c.up.free)})
	c.queue(segment{data: bytes.Clone(b[:n]), at: at})
	return n, nil
}

// queue puts a segment into the send buffer. The caller holds mu.
func (c *conn) queue(s segment) {
	c.sending = append(c.sending, s)
	c.held += len(s.data)
	tell(c.toSend)
}

// Arrival implements clock.Conn: At is when the bytes arrived over the link.
// Kind is kernel where the real connection's stamps make it exact, but for Early.
func (c *conn) Arrival() clock.Arrival {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// Info implements clock.Conn with the physical truth of the link.
func (c *conn) Info() (clock.Info, error) {
	if c.isDone() {
		return clock.Info{}, c.opError("info", net.ErrClosed)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	info := clock.Info{MinRTT: c.trips.min(now), Retransmits: c.up.resent, NotSent: c.up.unsent(now), Known: true}
	if !c.up.free.IsZero() {
		info.SinceSend = max(0, now.Sub(c.up.free))
	}
	return info, nil
}

// Close implements net.Conn. As with TCP, what was written still gets to the
// server, and the end after it: that goroutine ends by itself, half a round
// trip later or so, and the dialer waits for it.
func (c *conn) Close() error {
	c.closing.Do(func() {
		c.mu.Lock()
		c.closed = true
		at := time.Now()
		if !c.past {
			at = c.up.send(at, 0)
		}
		c.sending = append(c.sending, segment{at: at, err: io.EOF})
		c.mu.Unlock()
		close(c.done)
		tell(c.toSend)
		c.raw.SetReadDeadline(time.Unix(1, 0)) // ends collect
		c.collecting.Wait()
		c.readable.Stop()
		c.SetDeadline(time.Time{})
	})
	return nil
}

// abort closes the connection at once, and waits for its goroutines.
func (c *conn) abort() {
	c.Close()
	c.aborting.Do(func() {
		close(c.dead)
		c.raw.Close()
	})
	c.forwarding.Wait()
}

// SetLinger is that of the real connection: 0 makes its end a reset.
func (c *conn) SetLinger(seconds int) error {
	if t, ok := c.plain.(interface{ SetLinger(int) error }); ok {
		return t.SetLinger(seconds)
	}
	return errors.ErrUnsupported
}

// LocalAddr implements net.Conn.
func (c *conn) LocalAddr() net.Addr { return c.raw.LocalAddr() }

// RemoteAddr implements net.Conn.
func (c *conn) RemoteAddr() net.Addr { return c.raw.RemoteAddr() }

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	c.readBy.set(t)
	c.writeBy.set(t)
	return nil
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.readBy.set(t)
	return nil
}

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.writeBy.set(t)
	return nil
}

// refuse is the error of an operation on a connection that is closed or whose
// deadline has passed.
func (c *conn) refuse(op string, expired <-chan struct{}) error {
	if c.isDone() {
		return c.opError(op, net.ErrClosed)
	}
	select {
	case <-expired:
		return c.opError(op, os.ErrDeadlineExceeded)
	default:
		return nil
	}
}

func (c *conn) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

func (c *conn) opError(op string, err error) error {
	return &net.OpError{Op: op, Net: c.RemoteAddr().Network(), Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}

// tell wakes one waiter on a channel of capacity 1.
func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
