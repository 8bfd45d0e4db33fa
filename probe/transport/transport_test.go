package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ttftop/probe"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func pool(t *testing.T, base string, change func(*Options)) *Pool {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Endpoint: &probe.Endpoint{Base: u}, Proxy: func(*http.Request) (*url.URL, error) { return nil, nil }}
	if change != nil {
		change(&o)
	}
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func request(t *testing.T, url, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// text reads a body to its end, byte by byte, and gives the number of the read
// that brought each line.
func text(t *testing.T, e *Exchange) (string, []int) {
	t.Helper()
	var all []byte
	var reads []int
	for {
		b, a, err := e.Next()
		if err == io.EOF {
			return string(all), reads
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
		if b == '\n' {
			reads = append(reads, a.Seq)
		}
	}
}

func flushing(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for _, l := range lines {
			fmt.Fprintln(w, l)
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func TestReuseAndMarks(t *testing.T) {
	var connections atomic.Int64
	s := httptest.NewUnstartedServer(flushing("one", "two", "three"))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	p := pool(t, s.URL, nil)
	for i := range 3 {
		e, err := p.Do(request(t, s.URL, "hello"), probe.WarmConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, reads := text(t, e)
		if got != "one\ntwo\nthree\n" || reads[0] == reads[1] || reads[1] == reads[2] {
			t.Errorf("body %q in reads %v", got, reads)
		}
		m := e.Timeline
		if e.Reused != (i > 0) || m.ConnectDone.OK != (i == 0) {
			t.Errorf("request %d: reused %v, connect mark %v", i, e.Reused, m.ConnectDone)
		}
		if !m.Written.OK || !m.Sent.OK || !m.FirstByte.OK || !m.Headers.OK || m.Written.At > m.Sent.At || m.Sent.At > m.FirstByte.At || m.FirstByte.At > m.Headers.At {
			t.Errorf("request %d: marks out of order: %+v", i, m)
		}
		if e.Address != strings.TrimPrefix(s.URL, "http://") {
			t.Errorf("address %q", e.Address)
		}
		e.Keep()
		e.Abort()
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections for three warm requests", n)
	}
	e, err := p.Do(request(t, s.URL, ""), probe.ColdConn, nil)
	if err != nil || e.Reused {
		t.Errorf("cold: reused %v, %v", e.Reused, err)
	}
	e.Abort()
}

// A chunk whose parts come in several reads: net/http would wait for its end.
func TestEachLineHasTheReadThatCompletedIt(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	served := make(chan struct{})
	go func() {
		defer close(served)
		c, err := listener.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		c.Read(make([]byte, 4096))
		io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		for _, part := range []string{"8\r\none\n", "two\n\r\n", "0\r\n\r\n"} {
			time.Sleep(20 * time.Millisecond)
			io.WriteString(c, part)
		}
	}()
	base := "http://" + listener.Addr().String()
	e, err := pool(t, base, nil).Do(request(t, base, ""), probe.WarmConn, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Abort()
	var at []time.Duration
	for {
		b, a, err := e.Next()
		if err != nil {
			break
		}
		if b == '\n' {
			at = append(at, e.Base.Offset(a))
		}
	}
	<-served
	if len(at) != 2 || at[1]-at[0] < 10*time.Millisecond {
		t.Errorf("the lines came at %v, 20 ms apart on the wire", at)
	}
}

func TestAClosedIdleConnectionIsReplaced(t *testing.T) {
	s := httptest.NewServer(flushing("x"))
	defer s.Close()
	p := pool(t, s.URL, nil)
	e, err := p.Do(request(t, s.URL, "a"), probe.WarmConn, nil)
	if err != nil {
		t.Fatal(err)
	}
	text(t, e)
	e.Keep()
	s.CloseClientConnections()
	for range 100 {
		p.mu.Lock()
		gone := len(p.idle) == 1 && p.idle[0].http.Err() != nil
		p.mu.Unlock()
		if gone {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	e, err = p.Do(request(t, s.URL, "a"), probe.WarmConn, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Abort()
	if e.Reused || !e.Closed || !e.Timeline.ConnectDone.OK {
		t.Errorf("reused %v, closed %v, connect %v", e.Reused, e.Closed, e.Timeline.ConnectDone)
	}
}

func TestGzipKeepsArrivals(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for _, l := range []string{"one\n", "two\n"} {
			io.WriteString(z, l)
			z.Flush()
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
		z.Close()
	}))
	defer s.Close()
	e, err := pool(t, s.URL, nil).Do(request(t, s.URL, ""), probe.WarmConn, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Abort()
	if got, reads := text(t, e); got != "one\ntwo\n" || reads[0] == reads[1] {
		t.Errorf("%q in reads %v", got, reads)
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(flushing("secret"))
	defer s.Close()
	if _, err := pool(t, s.URL, nil).Do(request(t, s.URL, ""), probe.WarmConn, nil); err == nil {
		t.Error("an unknown authority is trusted")
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	var text bytes.Buffer
	if err := pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"own authority": func(o *Options) { o.Endpoint.CACert = file },
		"insecure":      func(o *Options) { o.Endpoint.Insecure = true },
	} {
		e, err := pool(t, s.URL, change).Do(request(t, s.URL, ""), probe.WarmConn, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m := e.Timeline; !m.TLSDone.OK || m.TLSDone.At < m.ConnectDone.At {
			t.Errorf("%s: marks %+v", name, m)
		}
		if e.TLS == nil || e.TLS.Version != "TLS 1.3" || e.TLS.Resumed || e.Protocol != "HTTP/1.1" {
			t.Errorf("%s: %+v, %s", name, e.TLS, e.Protocol)
		}
		e.Abort()
	}
	_, err := New(Options{Endpoint: &probe.Endpoint{Base: &url.URL{Scheme: "https", Host: "x"}, CACert: os.DevNull}})
	if err == nil || !strings.Contains(err.Error(), "no certificate") {
		t.Errorf("an empty certificate file: %v", err)
	}
}

func TestColdConnectionsResume(t *testing.T) {
	s := httptest.NewTLSServer(flushing("x"))
	defer s.Close()
	p := pool(t, s.URL, func(o *Options) { o.Endpoint.Insecure = true })
	for i := range 2 {
		e, err := p.Do(request(t, s.URL, ""), probe.ColdConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		text(t, e)
		if e.TLS == nil || e.TLS.Resumed != (i > 0) {
			t.Errorf("connection %d: %+v", i, e.TLS)
		}
		e.Abort()
	}
}

func TestHTTP2HasTheUserClock(t *testing.T) {
	s := httptest.NewUnstartedServer(flushing("one", "two"))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	for _, http2 := range []bool{false, true} {
		p := pool(t, s.URL, func(o *Options) { o.Endpoint.Insecure, o.HTTP2 = true, http2 })
		e, err := p.Do(request(t, s.URL, ""), probe.WarmConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, a, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if (e.Protocol == "HTTP/2.0") != http2 || http2 && a.Kind != probe.UserClock {
			t.Errorf("HTTP/2 asked %v: %s with the %s clock", http2, e.Protocol, a.Kind)
		}
		if got, _ := text(t, e); got != "ne\ntwo\n" {
			t.Errorf("body %q", got)
		}
		e.Keep()
		e.Abort()
		p.Close()
	}
}

func TestAPinnedAddressIsDialed(t *testing.T) {
	s := httptest.NewServer(flushing("x"))
	defer s.Close()
	to := strings.TrimPrefix(s.URL, "http://")
	p := pool(t, "http://llm.test:8080", func(o *Options) { o.Resolve = map[string]string{"llm.test:8080": to} })
	e, err := p.Do(request(t, "http://llm.test:8080/v1", ""), probe.WarmConn, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.Address != to {
		t.Errorf("went to %s, want %s", e.Address, to)
	}
	e.Abort()
}

func TestProxy(t *testing.T) {
	var via atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		via.Add(1)
		fmt.Fprintln(w, r.URL.Host)
	}))
	defer proxy.Close()
	to, _ := url.Parse(proxy.URL)
	to.User = url.UserPassword("u", "p4ss")
	p := pool(t, "http://llm.test:80", func(o *Options) {
		o.Proxy = func(*http.Request) (*url.URL, error) { return to, nil }
	})
	e, err := p.Do(request(t, "http://llm.test/v1", ""), probe.WarmConn, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := text(t, e); got != "llm.test\n" || via.Load() != 1 || e.Proxy != to.Host {
		t.Errorf("%q through %q", got, e.Proxy)
	}
	e.Abort()
	to.Host = "127.0.0.1:1"
	e, err = p.Do(request(t, "http://llm.test/v1", ""), probe.ColdConn, nil)
	e.Abort()
	var refused *ConnectError
	if !errors.As(err, &refused) || refused.Proxy != "127.0.0.1:1" || strings.Contains(err.Error(), "p4ss") {
		t.Errorf("a dead proxy: %v", err)
	}
}

func TestCancelEndsAtOnce(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer s.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	req := request(t, s.URL, "").WithContext(ctx)
	e, err := pool(t, s.URL, nil).Do(req, probe.WarmConn, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Abort()
	cancel(errors.New("enough"))
	if _, _, err := e.Next(); err == nil {
		t.Error("a cancelled body is read")
	}
}

func BenchmarkNext(b *testing.B) {
	const size = 1 << 16
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(bytes.Repeat([]byte("x"), size))
		w.(http.Flusher).Flush()
	}))
	defer s.Close()
	u, _ := url.Parse(s.URL)
	p, err := New(Options{Endpoint: &probe.Endpoint{Base: u}})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		req, _ := http.NewRequest(http.MethodPost, s.URL, nil)
		e, err := p.Do(req, probe.WarmConn, nil)
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, _, err = e.Next()
		}
		e.Keep()
	}
}

// A body that ends just when the wait for it does: the connection may be let go
// of from both sides.
func TestABodyThatEndsAtTheDrainLimit(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "x\n")
		w.(http.Flusher).Flush()
		time.Sleep(drainLimit)
	}))
	defer s.Close()
	p := pool(t, s.URL, nil)
	for range 8 {
		e, err := p.Do(request(t, s.URL, ""), probe.WarmConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		e.Next()
		e.Keep()
		e.Abort()
	}
}

func TestASwitchOfProtocolIsRefused(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer c.Close()
		rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		rw.Flush()
		io.Copy(io.Discard, c) // until the client goes
	}))
	defer s.Close()
	p := pool(t, s.URL, nil)
	if _, err := p.Do(request(t, s.URL, ""), probe.WarmConn, nil); err == nil || !strings.Contains(err.Error(), "another protocol") {
		t.Errorf("a probe gets %v", err)
	}
	if _, err := p.Plain().RoundTrip(request(t, s.URL, "")); err == nil || !strings.Contains(err.Error(), "another protocol") {
		t.Errorf("a load stream gets %v", err)
	}
}
