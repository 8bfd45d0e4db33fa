package clock

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// tlsPair is a TLS connection over a wrapped one: the client's plaintext end,
// its raw end, and the server's plaintext end, with the handshake done.
func tlsPair(t *testing.T) (top *tls.Conn, raw Conn, server *tls.Conn) {
	t.Helper()
	config, pool := certificate(t)
	a, b := pair(t, "tcp")
	raw = Wrap(a)
	top = tls.Client(raw, &tls.Config{RootCAs: pool, ServerName: "example.com"})
	server = tls.Server(b, config)
	shaken := make(chan error, 1)
	go func() { shaken <- server.HandshakeContext(t.Context()) }()
	if err := top.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-shaken; err != nil {
		t.Fatal(err)
	}
	return top, raw, server
}

// certificate borrows the certificate of httptest. No session tickets: they
// would be raw reads of their own.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates, SessionTicketsDisabled: true}, pool
}

// A record of TLS has the arrival of the raw read that completed it, in however
// many pieces it is taken.
func TestBelowTLS(t *testing.T) {
	top, raw, server := tlsPair(t)
	base := Start()
	send(t, server, "first")
	receive(t, top, "first")
	first := raw.Arrival()
	if at := base.Offset(first); first.Seq == 0 || at <= 0 || at > base.Since(time.Now()) {
		t.Errorf("read %d arrived at %v", first.Seq, at)
	}
	buf := make([]byte, 2)
	send(t, server, "second")
	var seqs []int
	for range 3 { // one record, taken in three reads
		if _, err := io.ReadFull(top, buf); err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, raw.Arrival().Seq)
	}
	if seqs[0] <= first.Seq || seqs[0] != seqs[2] {
		t.Errorf("one record after read %d came in reads %v", first.Seq, seqs)
	}
}

// find returns the topmost Conn at or below c, going down through NetConn
// methods such as that of *tls.Conn.
func find(c net.Conn) (Conn, bool) {
	for c != nil {
		if k, ok := c.(Conn); ok {
			return k, true
		}
		n, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		c = n.NetConn()
	}
	return nil, false
}

func TestFind(t *testing.T) {
	top, raw, _ := tlsPair(t)
	if got, ok := find(top); !ok || got != raw {
		t.Errorf("below TLS: %v, %v", got, ok)
	}
	if got, ok := find(raw); !ok || got != raw {
		t.Errorf("itself: %v, %v", got, ok)
	}
	a, _ := net.Pipe()
	if got, ok := find(a); ok {
		t.Errorf("in a bare pipe: %v", got)
	}
	if got, ok := find(nil); ok {
		t.Errorf("in nothing: %v", got)
	}
}

// TestHTTP streams two chunks through net/http, plain, over TLS, and over TLS
// through a CONNECT proxy, and wants each chunk to have an arrival of its own.
func TestHTTP(t *testing.T) {
	next := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range 2 {
			fmt.Fprintf(w, "chunk %d\n", i)
			w.(http.Flusher).Flush()
			<-next
		}
	})
	plain := httptest.NewServer(handler)
	defer plain.Close()
	secure := httptest.NewTLSServer(handler)
	defer secure.Close()
	proxy := httptest.NewServer(http.HandlerFunc(tunnel))
	defer proxy.Close()

	for name, c := range map[string]struct {
		server *httptest.Server
		proxy  *httptest.Server
	}{"plain": {plain, nil}, "TLS": {secure, nil}, "proxy": {secure, proxy}} {
		t.Run(name, func(t *testing.T) { streamTwo(t, c.server, c.proxy, next) })
	}
}

func streamTwo(t *testing.T, server, proxy *httptest.Server, next chan<- struct{}) {
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.DisableCompression = true
	transport.DialContext = wrappedDial
	if proxy != nil {
		u, err := url.Parse(proxy.URL)
		if err != nil {
			t.Fatal(err)
		}
		transport.Proxy = http.ProxyURL(u)
	}
	defer transport.CloseIdleConnections()

	var conn Conn
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { conn, _ = find(info.Conn) },
	})
	base := Start()
	req, err := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if conn == nil {
		t.Fatal("the transport has another connection")
	}
	lines := bufio.NewReader(resp.Body)
	last := Arrival{}
	for i := range 2 {
		line, err := lines.ReadString('\n')
		if err != nil || line != fmt.Sprintf("chunk %d\n", i) {
			t.Fatalf("%q, %v", line, err)
		}
		got := conn.Arrival()
		if got.Seq <= last.Seq || base.Offset(got) < base.Offset(last) || base.Offset(got) > base.Since(time.Now()) {
			t.Errorf("%+v after %+v", got, last)
		}
		last = got
		next <- struct{}{}
	}
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}

// tunnel is a proxy that knows CONNECT alone.
func tunnel(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		http.Error(w, "only CONNECT", http.StatusMethodNotAllowed)
		return
	}
	far, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer far.Close()
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer near.Close()
	io.Copy(near, strings.NewReader("HTTP/1.1 200 Connected\r\n\r\n"))
	var both sync.WaitGroup
	both.Go(func() {
		io.Copy(far, buffered)
		far.(*net.TCPConn).CloseWrite()
	})
	both.Go(func() {
		io.Copy(near, far)
		near.(*net.TCPConn).CloseWrite()
	})
	both.Wait()
}
