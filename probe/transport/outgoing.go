package transport

import (
	"sync/atomic"
	"time"

	"ttftop/probe/clock"
)

// outgoing is a connection as net/http has it: it tells when a request is
// written. A busy program begins late, and net/http says that a request is
// written while it still holds what fits into its own buffer.
type outgoing struct {
	clock.Conn
	carries atomic.Pointer[trace] // of the request under way, nil for none
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
