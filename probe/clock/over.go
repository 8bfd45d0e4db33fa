package clock

import (
	"context"
	"crypto/tls"
	"net"
)

// Over puts top, such as a *tls.Conn, and the arrivals of raw, the connection
// that it reads from, together: reads, writes and deadlines go to top, Arrival
// and Info to raw. A read of top thus has the arrival of the raw read that
// completed it, and reads of top that one raw read completed share its Seq.
//
// It also has NetConn, which returns top, and CloseRead and CloseWrite, which
// fail with errors.ErrUnsupported where top lacks them. Over a *tls.Conn it
// has ConnectionState and HandshakeContext too.
func Over(top net.Conn, raw Conn) Conn {
	o := over{Conn: top, raw: raw}
	if t, ok := top.(*tls.Conn); ok {
		return &overTLS{over: o, tls: t}
	}
	return &o
}

type over struct {
	net.Conn
	raw Conn
}

// Arrival implements Conn.
func (o *over) Arrival() Arrival { return o.raw.Arrival() }

// Info implements Conn.
func (o *over) Info() (Info, error) { return o.raw.Info() }

// NetConn returns the connection on top.
func (o *over) NetConn() net.Conn { return o.Conn }

// CloseRead shuts the reading half down where the connection on top can.
func (o *over) CloseRead() error { return closeRead(o.Conn) }

// CloseWrite shuts the writing half down where the connection on top can.
func (o *over) CloseWrite() error { return closeWrite(o.Conn) }

type overTLS struct {
	over
	tls *tls.Conn
}

// ConnectionState is that of the *tls.Conn on top.
func (o *overTLS) ConnectionState() tls.ConnectionState { return o.tls.ConnectionState() }

// HandshakeContext is that of the *tls.Conn on top.
func (o *overTLS) HandshakeContext(ctx context.Context) error { return o.tls.HandshakeContext(ctx) }
