package sim

import (
	"bytes"
	"time"

	"ttftop/probe"
)

// forward hands segments to the server as they arrive there, and closes the
// real connection when the end does.
func (c *conn) forward() {
	defer func() {
		c.raw.Close()
		if c.ended != nil {
			c.ended(c)
		}
	}()
	for {
		s, ok := c.next()
		if !ok || !c.pace.until(c.dead, s.at) || s.err != nil {
			return
		}
		if _, err := c.raw.Write(s.data); err != nil {
			c.fail(err)
			<-c.done // there may be something to read yet
			return
		}
		c.forwarded()
	}
}

// forwarded takes the first segment out of the send buffer.
func (c *conn) forwarded() {
	c.mu.Lock()
	c.held -= len(c.sending[0].data)
	c.sending = c.sending[1:]
	c.mu.Unlock()
	tell(c.room)
}

// fail gives all writing from here on the server's error.
func (c *conn) fail(err error) {
	c.mu.Lock()
	c.failed = err
	c.sending, c.held = nil, 0
	c.mu.Unlock()
	tell(c.room)
}

// next waits for a segment to forward.
func (c *conn) next() (segment, bool) {
	for {
		c.mu.Lock()
		if len(c.sending) > 0 {
			s := c.sending[0]
			c.mu.Unlock()
			return s, true
		}
		c.mu.Unlock()
		select {
		case <-c.toSend:
		case <-c.dead:
			return segment{}, false
		}
	}
}

// collect takes what the server sends, as promptly as it can.
func (c *conn) collect() {
	buf := make([]byte, segmentSize/2)
	for {
		n, err := c.raw.Read(buf)
		if n > 0 {
			a := c.raw.Arrival()
			c.arrive(segment{data: bytes.Clone(buf[:n]), kind: a.Kind, early: a.Early}, a.Read.Add(-a.Delay()))
		}
		if err != nil {
			c.arrive(segment{err: err, kind: probe.UserClock}, time.Now())
			return
		}
		if !c.spare() {
			return
		}
	}
}

// arrive sends a segment on its way here, from the instant it left the server.
func (c *conn) arrive(s segment, left time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(s.data) > 0 {
		c.exchange(c.serves)
	}
	if c.serves && len(c.receiving) == 0 && len(s.data) > 0 {
		c.past = controls(s.data)
	}
	if s.at = left; !c.past {
		s.at = c.down.send(left, len(s.data))
	}
	c.receiving = append(c.receiving, s)
	c.unread += len(s.data)
	if len(c.receiving) == 1 {
		c.readable.Reset(max(0, time.Until(s.at)))
	}
}

// spare waits until the receive buffer has space. It returns false when the
// connection is closed.
func (c *conn) spare() bool {
	for {
		c.mu.Lock()
		full := c.unread >= receiveBuffer
		c.mu.Unlock()
		if !full {
			return true
		}
		select {
		case <-c.space:
		case <-c.done:
			return false
		}
	}
}

// exchange notes that bytes of a request go over the connection, or else of an answer. A
// request that begins takes over a link that has changed. Until it is answered its
// bytes, those of its answer and the round trip all are of one link: a lever that is
// turned meanwhile is not there for it.
func (c *conn) exchange(request bool) {
	if request && c.ending {
		c.reroute()
	}
	c.ending = !request
}

// reroute takes over a link that has changed. The round trip is known anew, as if
// the path had been tried.
func (c *conn) reroute() {
	link := c.path.Load()
	if link == c.link {
		return
	}
	if link.RTT != c.link.RTT || link.Edge != c.link.Edge {
		c.trips = roundTrips{least: link.leg()}
	}
	c.link, c.up.link, c.down.link = link, *link, *link
}
