package sim

import (
	"crypto/tls"
	"math"
	"net"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"
)

// A packet that is lost alone is sent again when the timer runs out, one among
// many after a round trip.
func TestLoss(t *testing.T) {
	const rtt, p, n = 40 * time.Millisecond, 0.02, 50_000
	tail := 1 - math.Pow(1-p, 3)
	for _, tt := range []struct {
		name  string
		bytes int
		want  float64 // ms on average
	}{
		// p of all wait for 240 ms, and p² of them for 480 more.
		{"one packet", 200, 240*p + 480*p*p},
		// Of twelve packets one of the last three is lost, with the same again for
		// p of these, or one of the other nine costs a round trip.
		{"a full segment", segmentSize, 240*tail + 480*p*tail + (1-tail)*(1-math.Pow(1-p, 9))*40},
	} {
		l := newLane(Link{RTT: rtt, Loss: p})
		var sum time.Duration
		for range n {
			sum += l.resend(tt.bytes)
		}
		if got := 1000 * sum.Seconds() / n; math.Abs(got-tt.want) > 0.06*tt.want {
			t.Errorf("%s: %v ms on average, want %v", tt.name, got, tt.want)
		}
		packets := (tt.bytes + packetSize - 1) / packetSize * n
		if share := float64(l.resent) / float64(packets); share < 0.019 || share > 0.0215 {
			t.Errorf("%s: %.4f of the packets were sent again", tt.name, share)
		}
	}
}

// What is lost holds up what comes behind it, and the connection counts it.
func TestConnWithLoss(t *testing.T) {
	inLink(t, Link{RTT: 10 * time.Millisecond, Loss: 0.4}, func(t *testing.T, c *conn, server net.Conn) {
		go func() {
			for range 40 {
				mustWrite(t, c, "x")
			}
		}()
		buf := make([]byte, 40)
		for got := 0; got < 40; {
			n, err := server.Read(buf)
			if err != nil {
				t.Error(err)
				return
			}
			got += n
		}
		if info, err := c.Info(); err != nil || info.Retransmits == 0 {
			t.Errorf("%+v, %v", info, err)
		}
	})
}

// dialTimes dials once and returns when connecting and the handshake ended.
func dialTimes(t *testing.T, link Link) (connect, shaken time.Duration, c *conn) {
	d := newDialer(link, 1, new(pacer))
	p := newPipes()
	d.dial = p.dial
	go func() {
		if c, err := p.Accept(); err == nil {
			defer c.Close()
			c.Read(make([]byte, 1))
		}
	}()
	start := time.Now()
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		ConnectDone:      func(string, string, error) { connect = time.Since(start) },
		TLSHandshakeDone: func(tls.ConnectionState, error) { shaken = time.Since(start) },
	})
	raw, err := d.DialContext(ctx, "tcp", "sim:80")
	if err != nil {
		t.Fatal(err)
	}
	return connect, shaken, raw.(*conn)
}

// A TLS handshake takes one more round trip; an edge near the client makes both
// short, and is all that the client's TCP sees.
func TestHandshakes(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		link                   Link
		connect, shaken, least time.Duration
	}{
		{"plain", Link{RTT: 100 * time.Millisecond}, 100 * time.Millisecond, 0, 100 * time.Millisecond},
		{"TLS", Link{RTT: 100 * time.Millisecond, TLS: true}, 100 * time.Millisecond, 200 * time.Millisecond, 100 * time.Millisecond},
		{"edge", Link{RTT: 100 * time.Millisecond, TLS: true, Edge: 10 * time.Millisecond}, 10 * time.Millisecond, 20 * time.Millisecond, 10 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				connect, shaken, c := dialTimes(t, tt.link)
				defer c.abort()
				near(t, "connected", connect, tt.connect)
				near(t, "shaken hands", shaken, tt.shaken)
				if info, err := c.Info(); err != nil || info.MinRTT != tt.least {
					t.Errorf("%+v, %v", info, err)
				}
			})
		})
	}
}

// An edge shortens connecting, not the way of the request.
func TestEdgeDelaysRequestsAsBefore(t *testing.T) {
	cfg := roundConfig()
	cfg.Link = Link{RTT: 100 * time.Millisecond, TLS: true}
	total := func() (first, second time.Duration) {
		inBubble(t, cfg, func(t *testing.T, b *bench) {
			first = b.post(t.Context(), body("m", 1, 20, 1, "")).at[1]
			second = b.post(t.Context(), body("m", 2, 20, 1, "")).at[1]
		})
		return first, second
	}
	cold, warm := total()
	near(t, "new connection", cold, 320*time.Millisecond)
	near(t, "warm connection", warm, 120*time.Millisecond)
	cfg.Link.Edge = 10 * time.Millisecond
	cold, warm = total()
	near(t, "new connection with an edge", cold, 140*time.Millisecond)
	near(t, "warm connection with an edge", warm, 120*time.Millisecond)
}

// A link that changes, changes for connections that there are.
func TestLinkChangesUnderAConnection(t *testing.T) {
	cfg := roundConfig()
	cfg.Link = Link{RTT: 10 * time.Millisecond}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		b.post(t.Context(), body("m", 1, 20, 1, ""))
		near(t, "before", b.post(t.Context(), body("m", 2, 20, 1, "")).at[1], 30*time.Millisecond)
		if err := b.Set("rtt", "150ms"); err != nil {
			t.Fatal(err)
		}
		near(t, "after", b.post(t.Context(), body("m", 3, 20, 1, "")).at[1], 170*time.Millisecond)
		b.dialer.mu.Lock()
		defer b.dialer.mu.Unlock()
		for c := range b.dialer.open {
			if info, err := c.Info(); err != nil || info.MinRTT != 150*time.Millisecond {
				t.Errorf("%+v, %v", info, err)
			}
		}
	})
}
