package sim

import (
	"context"
	"crypto/tls"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"
)

// dialer makes connections with a link, and can close them all.
type dialer struct {
	link atomic.Pointer[Link]
	seed uint64
	pace *pacer
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu     sync.Mutex
	made   uint64
	open   map[*conn]struct{}
	closed bool
}

func newDialer(link Link, seed uint64, pace *pacer) *dialer {
	d := &dialer{seed: seed, pace: pace, dial: new(net.Dialer).DialContext, open: make(map[*conn]struct{})}
	d.link.Store(&link)
	return d
}

// DialContext connects, which takes one round trip whether it succeeds or not,
// and then another for TLS where the link has it. A trace in ctx
// (net/http/httptrace) is told of both over the link.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	rng := d.random()
	start := time.Now()
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil {
		trace = new(httptrace.ClientTrace)
	}
	if trace.ConnectStart != nil {
		trace.ConnectStart(network, address)
	}
	link := d.link.Load()
	way := lane{link: *link, rng: rng}
	trip := way.trip()
	raw, err := d.dial(untraced{ctx}, network, address)
	if !d.pace.until(ctx.Done(), start.Add(trip)) && err == nil {
		raw.Close()
		err = &net.OpError{Op: "dial", Net: network, Err: context.Cause(ctx)}
	}
	if trace.ConnectDone != nil {
		trace.ConnectDone(network, address, err)
	}
	if err == nil && link.TLS {
		if err = d.shake(ctx, trace, start.Add(trip+way.trip())); err != nil {
			raw.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	return d.adopt(newConn(raw, link, &d.link, trip, rng, d.pace, d.forget, false), address)
}

// trip draws a round trip of the client's own TCP.
func (l *lane) trip() time.Duration { return l.link.leg() + l.delay() + l.delay() + l.resend(1) }

// shake takes the time of a TLS handshake, until the end given. Nothing is
// encrypted.
func (d *dialer) shake(ctx context.Context, trace *httptrace.ClientTrace, end time.Time) error {
	if trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	var err error
	if !d.pace.until(ctx.Done(), end) {
		err = context.Cause(ctx)
	}
	if trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(tls.ConnectionState{Version: tls.VersionTLS13, HandshakeComplete: true, NegotiatedProtocol: "http/1.1"}, err)
	}
	return err
}

// random is the source of randomness of the next connection: the same for the
// same seed and number.
func (d *dialer) random() *rand.Rand {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made++
	return rand.New(rand.NewPCG(d.seed, d.made))
}

// adopt remembers a connection until it is closed.
func (d *dialer) adopt(c *conn, address string) (net.Conn, error) {
	d.mu.Lock()
	if !d.closed {
		d.open[c] = struct{}{}
		d.mu.Unlock()
		return c, nil
	}
	d.mu.Unlock()
	c.abort()
	return nil, fmt.Errorf("dial %s: the simulated endpoint is closed", address)
}

func (d *dialer) forget(c *conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, c)
}

// close closes every open connection, and those that are being made.
func (d *dialer) close() {
	d.mu.Lock()
	d.closed = true
	var open []*conn
	for c := range d.open {
		open = append(open, c)
	}
	d.mu.Unlock()
	for _, c := range open {
		c.abort()
	}
}

// delaying is a listener whose connections have the link in front.
type delaying struct {
	net.Listener
	dialer *dialer
}

// Accept implements net.Listener.
func (l *delaying) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	d := l.dialer
	return d.adopt(newConn(raw, d.link.Load(), &d.link, 0, d.random(), d.pace, d.forget, true), l.Addr().String())
}

// untraced is a context that hides its values, so that a trace is not told of
// the connect on loopback.
type untraced struct{ context.Context }

func (untraced) Value(any) any { return nil }
