package sim

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Served alone, the link delays what goes over a connection, and not its making.
func TestListenDelaysAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := roundConfig()
		cfg.Link = Link{RTT: 100 * time.Millisecond}
		s, err := newServer(cfg, new(pacer))
		if err != nil {
			t.Fatal(err)
		}
		p := newPipes()
		s.serve(&delaying{Listener: p, dialer: s.dialer})
		b := &bench{Server: s, t: t, client: &http.Client{Transport: &http.Transport{DialContext: p.dial, DisableCompression: true}}}
		defer b.close()
		r := b.post(t.Context(), body("m", 1, 50, 2, ""))
		near(t, "first token", r.at[1], 150*time.Millisecond)
		near(t, "second token", r.at[2], 160*time.Millisecond)
		b.Set("rtt", "10s")
		start := time.Now()
		for range 2 { // on a connection that answered over the link, and again
			if status, text := b.get("/sim"); status != 200 {
				t.Errorf("%d %s", status, text)
			}
			b.get("/metrics")
		}
		if status, text := b.turn("rtt=20ms"); status != 200 {
			t.Errorf("%d %s", status, text)
		}
		near(t, "control over the far link", time.Since(start), 0)
		r = b.post(t.Context(), body("m", 2, 50, 2, ""))
		near(t, "first token over the shorter link", r.at[1], 70*time.Millisecond)
	})
}

// On real sockets a reset is a reset, behind the link too.
func TestListenResets(t *testing.T) {
	cfg := roundConfig()
	cfg.Link = Link{RTT: 4 * time.Millisecond}
	s, err := Listen(cfg, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b := body("m+reset@2", 1, 20, 8, "")
	fmt.Fprintf(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: sim\r\nContent-Length: %d\r\n\r\n%s", len(b), b)
	text, err := io.ReadAll(c)
	if err == nil || strings.Count(string(text), `"content":"`) < 3 { // the role and two tokens
		t.Errorf("it ended with %v after %s", err, text)
	}
}
