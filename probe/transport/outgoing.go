package transport

import (
	"sync/atomic"
	"time"

	"ttftop/probe/clock"
)

// outgoing is a connection as net/http has it: it tells when a request is
// written, and that the server has ended it. A busy program begins late, and
// net/http says that a request is written while it still holds what fits into its
// own buffer.
type outgoing struct {
	clock.Conn
	carries atomic.Pointer[trace] // of the request under way, nil for none
	closing atomic.Bool           // this side has begun to close it
	ended   atomic.Bool           // the server has ended it before
}

// Read implements net.Conn.
func (o *outgoing) Read(b []byte) (int, error) {
	n, err := o.Conn.Read(b)
	if err != nil && !o.closing.Load() {
		o.ended.Store(true)
	}
	return n, err
}

// Close implements net.Conn.
func (o *outgoing) Close() error {
	o.closing.Store(true)
	return o.Conn.Close()
}

// Write implements net.Conn.
func (o *outgoing) Write(b []byte) (int, error) {
	t := o.carries.Load()
	if t == nil {
		return o.Conn.Write(b)
	}
	t.writing(time.Now())
	n, err := o.Conn.Write(b)
	if err == nil {
		t.wrote()
	}
	return n, err
}
