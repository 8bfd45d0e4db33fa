package clock

import (
	"errors"
	"net"
	"sync"
	"syscall"
)

// link is what every wrapper has: the inner connection, its last arrival, and
// the way to the kernel's figures of the path.
type link struct {
	net.Conn
	path path

	mu   sync.Mutex // guards last
	last Arrival
}

// open prepares the wrapper of c.
func (l *link) open(c net.Conn) {
	l.Conn = c
	if t, ok := c.(*net.TCPConn); ok {
		if raw, err := t.SyscallConn(); err == nil {
			l.path.open(raw)
		}
	}
}

// Arrival implements Conn.
func (l *link) Arrival() Arrival {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// arrived keeps a as the last arrival, as the next in number.
func (l *link) arrived(a Arrival) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.Seq = l.last.Seq + 1
	l.last = a
}

// Info implements Conn.
func (l *link) Info() (Info, error) { return l.path.info() }

// NetConn returns the connection that was wrapped.
func (l *link) NetConn() net.Conn { return l.Conn }

// SyscallConn gives the raw connection where the inner one has it. Bytes read
// through it have no arrival.
func (l *link) SyscallConn() (syscall.RawConn, error) {
	if s, ok := l.Conn.(syscall.Conn); ok {
		return s.SyscallConn()
	}
	return nil, unsupported("raw-control", l.Conn)
}

// CloseRead shuts the reading half down where the inner connection can.
func (l *link) CloseRead() error { return closeRead(l.Conn) }

// CloseWrite shuts the writing half down where the inner connection can.
func (l *link) CloseWrite() error { return closeWrite(l.Conn) }

func closeRead(c net.Conn) error {
	if h, ok := c.(interface{ CloseRead() error }); ok {
		return h.CloseRead()
	}
	return unsupported("close-read", c)
}

func closeWrite(c net.Conn) error {
	if h, ok := c.(interface{ CloseWrite() error }); ok {
		return h.CloseWrite()
	}
	return unsupported("close-write", c)
}

// unsupported is the error of an operation that c has no way to do.
func unsupported(op string, c net.Conn) error {
	return opError(op, c, errors.ErrUnsupported)
}

// opError gives err the shape that package net gives its errors.
func opError(op string, c net.Conn, err error) error {
	e := &net.OpError{Op: op, Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
	if e.Source != nil {
		e.Net = e.Source.Network()
	}
	return e
}
