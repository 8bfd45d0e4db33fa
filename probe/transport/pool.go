// Package transport carries requests to one endpoint so that every instant of
// them is known: each probe owns an HTTP/1.1 connection while it runs, whose
// bytes carry the arrival that probe/clock gives them.
//
// Start with New, then Pool.Do for a measured request; Pool.Plain is for
// everything that is not measured. Pool.Tend keeps idle connections ready, as
// many as Pool.Aim asks for.
package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
)

// readBuffer is what one read may take: a burst of tokens that comes at once is
// then one read, and known as such.
const readBuffer = 64 << 10

// DialFunc makes a connection, as net.Dialer.DialContext does.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Options says how an endpoint is reached.
type Options struct {
	Endpoint *probe.Endpoint
	Dial     DialFunc // nil for net.Dialer; the simulator brings its link
	Proxy    func(*http.Request) (*url.URL, error)
	Resolve  map[string]string // addresses to dial in place of "host:port", as "ip:port"
	HTTP2    bool              // offer HTTP/2 as well: its reads have no arrival of their own
}

// Pool holds the connections to one endpoint. It is safe for concurrent use.
type Pool struct {
	transport *http.Transport
	plain     *http.Transport
	scheme    string
	address   string

	wake chan struct{} // Tend is to look again

	mu        sync.Mutex
	idle      []*link // since longest first
	out       int     // exchanges that have not ended
	aim       Aim
	takes     time.Duration // a new connection; 0 before one was made
	keeps     time.Duration // how long the server kept the idle connection that it closed last
	closing   closing
	lost      bool          // the server has closed an idle connection that was not replaced
	resting   time.Duration // length of the last rest
	restUntil time.Time     // no spare connection is made before
	closed    bool
}

// link is one connection: net/http's view of it, and the one that knows when
// bytes arrived.
type link struct {
	http  *http.ClientConn
	conn  clock.Conn
	out   *outgoing // the same, as net/http has it
	proxy string
	names []string             // addresses that the host's name resolved to
	tls   *tls.ConnectionState // nil without TLS
	since time.Time            // idle since then
	used  bool                 // a request has gone over it
}

// New makes a pool. The error of a bad certificate file names the file.
func New(o Options) (*Pool, error) {
	tlsConfig, err := tlsFor(o.Endpoint)
	if err != nil {
		return nil, err
	}
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	if len(o.Resolve) > 0 {
		dial = pinned(dial, o.Resolve)
	}
	proxy := o.Proxy
	if proxy == nil && o.Dial == nil {
		proxy = http.ProxyFromEnvironment
	}
	base := o.Endpoint.Base
	return &Pool{
		transport: newTransport(tlsConfig, stamped(dial), proxy, o.HTTP2),
		plain:     newTransport(tlsConfig.Clone(), dial, proxy, false),
		scheme:    base.Scheme,
		address:   net.JoinHostPort(base.Hostname(), port(base)),
		wake:      make(chan struct{}, 1),
	}, nil
}

func newTransport(t *tls.Config, dial DialFunc, proxy func(*http.Request) (*url.URL, error), http2 bool) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(http2)
	return &http.Transport{
		Proxy:               proxy,
		DialContext:         dial,
		TLSClientConfig:     t,
		Protocols:           protocols,
		ReadBufferSize:      readBuffer,
		DisableCompression:  true, // a compressor on the way would hold tokens back
		MaxIdleConnsPerHost: probe.MaxPressure,
	}
}

func tlsFor(e *probe.Endpoint) (*tls.Config, error) {
	config := &tls.Config{InsecureSkipVerify: e.Insecure, ClientSessionCache: tls.NewLRUClientSessionCache(8)}
	if e.CACert == "" {
		return config, nil
	}
	pem, err := os.ReadFile(e.CACert)
	if err != nil {
		return nil, fmt.Errorf("the certificate file can't be read: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)", e.CACert)
	}
	config.RootCAs = roots
	return config, nil
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// pinned makes a dialer that goes to given addresses in place of names.
func pinned(dial DialFunc, resolve map[string]string) DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if to, ok := resolve[address]; ok {
			address = to
		}
		return dial(ctx, network, address)
	}
}

type dialedKey struct{}

// dialed is where the dialer leaves the connection that it made, since
// net/http keeps its own to itself.
type dialed struct{ out *outgoing }

// stamped makes a dialer whose connections know when their bytes arrived.
func stamped(dial DialFunc) DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		conn := &outgoing{Conn: clock.Wrap(c)}
		if d, ok := ctx.Value(dialedKey{}).(*dialed); ok {
			d.out = conn
		}
		return conn, nil
	}
}

// Plain carries requests that are not measured: model lists and load streams.
func (p *Pool) Plain() http.RoundTripper { return plain{p.plain} }

// plain refuses answers that switch the protocol, whose reads nothing ends.
type plain struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (p plain) RoundTrip(req *http.Request) (*http.Response, error) {
	response, err := p.RoundTripper.RoundTrip(req)
	if err == nil && response.StatusCode == http.StatusSwitchingProtocols {
		response.Body.Close()
		return nil, errSwitched
	}
	return response, err
}

// begin counts an exchange that begins.
func (p *Pool) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out++
	p.poke()
}

// end counts an exchange that has ended, and keeps its connection for a later
// one; l is nil where there is none to keep.
func (p *Pool) end(l *link) {
	p.mu.Lock()
	p.out--
	keep := l != nil && !p.closed && l.http.Err() == nil
	if keep {
		p.lay(l)
	}
	if l != nil && !keep && !p.closed && l.ended() {
		p.closing.saw(0)
	}
	p.poke()
	p.mu.Unlock()
	if l != nil && !keep {
		l.http.Close()
	}
}

// lay puts a connection with the idle ones. The caller holds mu.
func (p *Pool) lay(l *link) {
	l.since = time.Now()
	p.idle = append(p.idle, l)
	p.attend(l.since)
}

// take returns an idle connection, fresh where it was never used, or nil where
// there is none: closed then says that the server had closed one.
func (p *Pool) take() (l *link, fresh, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.reap(now)
	if len(p.idle) > 0 {
		i := p.next(now)
		l = p.idle[i]
		p.idle = slices.Delete(p.idle, i, i+1)
	}
	p.needed(l)
	p.attend(now)
	p.poke()
	if l == nil {
		closed, p.lost = p.lost, false
		return nil, false, closed
	}
	fresh, l.used = !l.used, true
	return l, fresh, false
}

// connect makes a new connection, traced by t.
func (p *Pool) connect(ctx context.Context, t *trace) (*link, error) {
	d := &dialed{}
	l := &link{}
	if p.transport.Proxy != nil {
		via, err := p.transport.Proxy(&http.Request{URL: &url.URL{Scheme: p.scheme, Host: p.address}})
		if err == nil && via != nil {
			l.proxy = via.Host
		}
	}
	ctx = context.WithValue(t.context(ctx), dialedKey{}, d)
	began := time.Now()
	conn, err := p.transport.NewClientConn(ctx, p.scheme, p.address)
	l.tls, l.names = t.handshake(), t.names()
	if err != nil {
		return l, err
	}
	l.http, l.conn, l.out = conn, d.out.Conn, d.out
	p.took(time.Since(began))
	conn.SetStateHook(func(*http.ClientConn) { p.poke() }) // the server may have closed it
	return l, nil
}

// took notes how long a new connection took: a longer time counts at once, a
// shorter one little by little.
func (p *Pool) took(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.takes = max(d, p.takes*7/8, 1)
}

// Cool closes the idle connections: the next probe makes a new one.
func (p *Pool) Cool() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, l := range idle {
		l.http.Close()
	}
}

// Release closes the idle connections of what is not measured: fewer requests
// are to come than there were.
func (p *Pool) Release() { p.plain.CloseIdleConnections() }

// Close closes every idle connection, now and from here on.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Cool()
	p.transport.CloseIdleConnections()
	p.plain.CloseIdleConnections()
}
