package transport

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"ttftop/probe"
)

// tunnel is a proxy that knows CONNECT alone.
func tunnel(w http.ResponseWriter, r *http.Request) {
	far, err := net.Dial("tcp", r.Host)
	if r.Method != http.MethodConnect || err != nil {
		http.Error(w, "only CONNECT, and only to where something listens", http.StatusBadGateway)
		return
	}
	defer far.Close()
	near, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer near.Close()
	io.WriteString(near, "HTTP/1.1 200 Connected\r\n\r\n")
	var both sync.WaitGroup
	both.Go(func() {
		io.Copy(far, buffered)
		far.Close()
	})
	both.Go(func() {
		io.Copy(near, far)
		near.Close()
	})
	both.Wait()
}

// TLS through a CONNECT proxy: each line has an arrival of its own,
// and the second request finds the
// connection, its session and its proxy again.
func TestTLSThroughAProxy(t *testing.T) {
	s := httptest.NewTLSServer(flushing("one", "two"))
	defer s.Close()
	proxy := httptest.NewServer(http.HandlerFunc(tunnel))
	defer proxy.Close()
	to, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	p := pool(t, s.URL, func(o *Options) {
		o.Endpoint.Insecure = true
		o.Proxy = func(*http.Request) (*url.URL, error) { return to, nil }
	})
	for i := range 2 {
		e, err := p.Do(request(t, s.URL, ""), probe.WarmConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, reads := text(t, e)
		if got != "one\ntwo\n" || reads[0] == reads[1] {
			t.Errorf("%q in reads %v", got, reads)
		}
		if e.Reused != (i > 0) || e.Proxy != to.Host || e.TLS == nil || e.Address != strings.TrimPrefix(proxy.URL, "http://") {
			t.Errorf("request %d: reused %v, %q, %+v, %s", i, e.Reused, e.Proxy, e.TLS, e.Address)
		}
		e.Keep()
		e.Abort()
	}
}
