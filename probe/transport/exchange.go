package transport

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
)

// drainLimit bounds the wait for the end of a body after its last event, so
// that the connection can be kept.
const drainLimit = 250 * time.Millisecond

// Exchange is one request and its response, read as it arrives. Only one
// goroutine may use it.
type Exchange struct {
	Response *http.Response
	Base     clock.Base     // start of the request, once Do has returned
	Timeline probe.Timeline // marks up to Headers, once Do has returned
	Reused   bool           // on a kept connection
	Fresh    bool           // on one that was made ahead and never used
	Closed   bool           // the server had closed the kept connection: a new one was made
	Lost     time.Duration  // spent on a kept connection that was closed, before the start of the request
	Sending  bool           // Do failed while the request was still being sent
	Address  string         // IP and port of the other end
	Proxy    string         // host and port of the proxy, "" for none
	Names    []string       // addresses that the host's name resolved to when the connection was made
	Protocol string         // of the connection: HTTP/1.1 or HTTP/2.0, "" without a response
	TLS      *TLS           // nil without TLS

	pool  *Pool // nil once the exchange has ended
	link  *link // nil without a connection, and once it is let go of
	trace *trace
	body  io.Reader
	one   [1]byte // here, so that a byte costs no garbage
}

// TLS is what is known of a handshake.
type TLS struct {
	Version string
	Resumed bool // an earlier session went on: a round trip or a certificate less
}

// Do sends one request and returns once the response headers are there. The
// start of the request is the moment Do is called where a connection must be
// made, and on a kept one the moment at which the first byte is written: what
// this program takes until then is no time of the endpoint's. Where a kept
// connection turns out to be closed, it starts again on a new one. on is told each step
// as it is reached, from several goroutines but never two at a time; it may be
// nil.
//
// On an error the exchange still holds what is known: the timeline, the
// address and whether a connection was there.
func (p *Pool) Do(req *http.Request, mode probe.Conn, on func(probe.Step, time.Duration)) (*Exchange, error) {
	if req.Header.Get("Accept-Encoding") == "" {
		req.Header.Set("Accept-Encoding", "identity")
	}
	p.begin()
	began := time.Now()
	e := &Exchange{pool: p, Base: clock.StartAt(began)}
	if mode == probe.WarmConn {
		var l *link
		var fresh bool
		if l, fresh, e.Closed = p.take(); l != nil {
			e.Reused, e.Fresh = true, fresh
			err := e.send(req, l, on)
			if err == nil || !e.stale(req.Context(), err) {
				return e, err
			}
			e = &Exchange{pool: p, Base: clock.Start(), Closed: true}
			e.Lost = e.Base.Time().Sub(began)
			if req, err = again(req); err != nil {
				return e, err
			}
		}
	}
	e.trace = newTrace(e.Base, on)
	l, err := p.connect(req.Context(), e.trace)
	e.Proxy, e.Names = l.proxy, l.names
	l.used = true
	if err != nil {
		e.Timeline = e.trace.timeline()
		e.Address = e.trace.address()
		return e, &ConnectError{Proxy: l.proxy, Err: err}
	}
	return e, e.send(req, l, on)
}

var errSwitched = &probe.Failure{Kind: probe.FailProtocol, Status: http.StatusSwitchingProtocols, Message: "the answer switches to another protocol: this is no chat endpoint"}

// ConnectError is the failure to make a connection.
type ConnectError struct {
	Proxy string // "" for none
	Err   error
}

// Error implements error.
func (e *ConnectError) Error() string {
	if e.Proxy != "" {
		return fmt.Sprintf("proxy %s: %v", e.Proxy, e.Err)
	}
	return e.Err.Error()
}

// Unwrap gives the cause.
func (e *ConnectError) Unwrap() error { return e.Err }

// again makes a request that can be sent a second time.
func again(req *http.Request) (*http.Request, error) {
	next := req.Clone(req.Context())
	if req.GetBody == nil {
		return next, nil
	}
	body, err := req.GetBody()
	next.Body = body
	return next, err
}

// stale reports whether a kept connection failed before the server can have
// seen the request: it had been closed from the other side.
func (e *Exchange) stale(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() == nil && !e.Timeline.FirstByte.OK
}

func (e *Exchange) send(req *http.Request, l *link, on func(probe.Step, time.Duration)) error {
	if e.trace == nil {
		e.trace = newTrace(e.Base, on)
	}
	e.link, e.Proxy, e.Names = l, l.proxy, l.names
	e.Address = l.conn.RemoteAddr().String()
	if l.tls != nil {
		e.TLS = &TLS{Version: tls.VersionName(l.tls.Version), Resumed: l.tls.DidResume}
	}
	clock.Attend(l.conn, true)
	e.trace.own(l, e.Reused)
	l.out.carries.Store(e.trace)
	defer l.out.carries.Store(nil)
	ctx := e.trace.context(req.Context())
	stop := e.trace.watch(ctx)
	response, err := l.http.RoundTrip(req.WithContext(ctx))
	arrival := l.conn.Arrival()
	stop()
	e.Base, e.Timeline = e.trace.start(), e.trace.timeline()
	e.Sending = e.trace.sending()
	if err != nil {
		l.http.Close()
		return err
	}
	if response.StatusCode == http.StatusSwitchingProtocols {
		// Such a connection is the caller's: no context ends its reads.
		l.http.Close()
		response.Body.Close()
		return errSwitched
	}
	e.Timeline.Headers = probe.At(e.Base.Offset(arrival))
	e.trace.reached(probe.StepHeaders, e.Timeline.Headers.At)
	e.Response, e.Protocol = response, response.Proto
	return e.open()
}

// open undoes the compression of an answer that came with one unasked.
func (e *Exchange) open() error {
	e.body = e.Response.Body
	switch encoding := e.Response.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		e.body = &lazyGzip{source: oneByte{e.Response.Body}}
	default:
		e.Abort()
		return fmt.Errorf("the answer is compressed with %q, which hides when its tokens came: ask for no compression", encoding)
	}
	return nil
}

// Next returns the next byte of the body and the arrival of the read that
// brought it. One byte at a time is what keeps a later read's stamp off it:
// net/http joins the reads of an unfinished chunk into one.
func (e *Exchange) Next() (byte, clock.Arrival, error) {
	n, err := io.ReadFull(e.body, e.one[:])
	if n == 1 {
		err = nil
	}
	return e.one[0], e.arrival(), err
}

// More returns more bytes of the body at once, at least one without an error,
// and the arrival of the read that brought the last of them. It is for the
// middle of a long line, which bytewise reading would hold up. It may wait for
// what is missing of b, but only within a chunk: a server begins one with what
// it has, and the rest is on its way.
func (e *Exchange) More(b []byte) (int, clock.Arrival, error) {
	n, err := e.body.Read(b)
	if n > 0 {
		err = nil // comes again with the next read
	}
	return n, e.arrival(), err
}

// arrival is that of the last read. Over HTTP/2 another goroutine reads, so
// that its stamp may be a later read's: there it is the clock by now.
func (e *Exchange) arrival() clock.Arrival {
	a := e.link.conn.Arrival()
	if e.Response.ProtoMajor >= 2 {
		now := time.Now()
		a.At, a.Read, a.Kind = now, now, probe.UserClock
	}
	return a
}

// Read returns the bytes of the body without caring when each arrived.
func (e *Exchange) Read(b []byte) (int, error) { return e.body.Read(b) }

// Info is what the kernel knows of the path by now.
func (e *Exchange) Info() (clock.Info, error) {
	if e.link == nil {
		return clock.Info{}, errors.New("there is no connection")
	}
	return e.link.conn.Info()
}

// Keep ends the exchange after its last event: the rest of the body is read
// for a moment, and the connection is kept where the other end keeps it.
func (e *Exchange) Keep() {
	if e.link == nil {
		return
	}
	conn := e.link.http // the timer may fire when the exchange has let go of it
	timer := time.AfterFunc(drainLimit, func() { conn.Close() })
	_, err := io.Copy(io.Discard, e.Response.Body)
	if !timer.Stop() || err != nil {
		e.Abort()
		return
	}
	e.Response.Body.Close()
	if e.Response.Close { // the server has said that it closes it
		e.pool.closes()
		e.Abort()
		return
	}
	e.end(e.link)
}

// Abort ends the exchange and closes its connection at once. It may follow
// Keep. Every exchange ends with one of the two, also after an error.
func (e *Exchange) Abort() {
	if e.link != nil {
		e.link.http.Close()
		if e.Response != nil {
			e.Response.Body.Close()
		}
	}
	e.end(nil)
}

// end lets go of the connection, to be kept or, as nil, not.
func (e *Exchange) end(keep *link) {
	if e.link != nil {
		clock.Attend(e.link.conn, false)
	}
	if e.pool != nil {
		e.pool.end(keep)
	}
	e.pool, e.link = nil, nil
}

// oneByte keeps a decompressor from taking more than it needs for what it
// gives out.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(b []byte) (int, error) { return o.r.Read(b[:min(1, len(b))]) }

func (o oneByte) ReadByte() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(o.r, b[:])
	return b[0], err
}

// lazyGzip reads the header of the compressed stream with the first byte, not
// before.
type lazyGzip struct {
	source oneByte
	once   sync.Once
	reader *gzip.Reader
	err    error
}

func (g *lazyGzip) Read(b []byte) (int, error) {
	g.once.Do(func() { g.reader, g.err = gzip.NewReader(g.source) })
	if g.err != nil {
		return 0, g.err
	}
	return g.reader.Read(b)
}
