package transport

import (
	"sync/atomic"
	"time"

	"ttftop/probe/clock"
)

// outgoing is a connection as net/http has it: it tells when a request begins
// to be written, which a busy program comes to late.
type outgoing struct {
	clock.Conn
	next atomic.Pointer[trace] // of the request that is written next
}

// Write implements net.Conn.
func (o *outgoing) Write(b []byte) (int, error) {
	if t := o.next.Swap(nil); t != nil {
		t.begin(time.Now())
	}
	return o.Conn.Write(b)
}
