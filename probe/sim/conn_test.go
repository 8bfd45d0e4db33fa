package sim

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http/httptrace"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/nettest"

	"ttftop/probe"
	"ttftop/probe/clock"
)

var _ clock.Conn = (*conn)(nil)

// linked is a linked connection and the server's end of it.
func linked(l Link) (*conn, net.Conn) {
	here, there := net.Pipe()
	return newConn(here, &l, pathOf(l), l.RTT, rand.New(rand.NewPCG(1, 1)), new(pacer), nil, false), there
}

// inLink runs a test with a linked connection in a bubble.
func inLink(t *testing.T, l Link, test func(t *testing.T, c *conn, server net.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, server := linked(l)
		test(t, c, server)
		server.Close()
		c.abort()
	})
}

func mustRead(t *testing.T, c net.Conn, want string) {
	t.Helper()
	buf := make([]byte, len(want))
	if _, err := io.ReadFull(c, buf); err != nil || string(buf) != want {
		t.Fatalf("read %q, %v, want %q", buf, err, want)
	}
}

func mustWrite(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := c.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestConnDelaysBothWays(t *testing.T) {
	inLink(t, Link{RTT: 100 * time.Millisecond}, func(t *testing.T, c *conn, server net.Conn) {
		start := time.Now()
		mustWrite(t, c, "ping")
		if d := time.Since(start); d != 0 {
			t.Errorf("the writer was held for %v", d)
		}
		mustRead(t, server, "ping")
		near(t, "request at the server", time.Since(start), 50*time.Millisecond)
		mustWrite(t, server, "pong")
		mustRead(t, c, "pong")
		near(t, "answer here", time.Since(start), 100*time.Millisecond)
	})
}

// A reader that comes late still learns when each piece arrived, and gets one
// arrival per read.
func TestConnArrivals(t *testing.T) {
	inLink(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, c *conn, server net.Conn) {
		start := time.Now()
		for range 3 {
			mustWrite(t, server, "token")
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(time.Second)
		buf := make([]byte, 100)
		for i := range 3 {
			n, err := c.Read(buf)
			if n != 5 || err != nil {
				t.Fatalf("read %d bytes, %v, want one token", n, err)
			}
			a := c.Arrival()
			near(t, "arrival", a.At.Sub(start), 10*time.Millisecond+time.Duration(i)*5*time.Millisecond)
			near(t, "read", a.Read.Sub(start), 1015*time.Millisecond)
			if a.Seq != i+1 || a.Kind != probe.UserClock {
				t.Errorf("arrival %+v", a)
			}
		}
	})
}

// The parts of a piece that is read bit by bit have its arrival.
func TestConnShortReads(t *testing.T) {
	inLink(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, c *conn, server net.Conn) {
		mustWrite(t, server, "token")
		first := make([]byte, 2)
		if n, err := c.Read(first); n != 2 || err != nil {
			t.Fatal(n, err)
		}
		a := c.Arrival()
		time.Sleep(time.Second)
		mustRead(t, c, "ken")
		if b := c.Arrival(); !b.At.Equal(a.At) || b.Seq != 2 {
			t.Errorf("the rest arrived at %v as read %d, the start at %v", b.At, b.Seq, a.At)
		}
	})
}

// A long prompt over a slow link shows as unsent bytes, and the server has it
// when the last byte is there.
func TestConnSlowUpload(t *testing.T) {
	inLink(t, Link{RTT: 30 * time.Millisecond, Bandwidth: 8e6}, func(t *testing.T, c *conn, server net.Conn) {
		start := time.Now()
		if _, err := c.Write(make([]byte, 400_000)); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("the writer was held for %v", d)
		}
		sent := make(chan time.Time)
		go func() {
			at, _ := clock.WaitSent(t.Context(), c, start)
			sent <- at
		}()
		if _, err := io.ReadFull(server, make([]byte, 400_000)); err != nil {
			t.Fatal(err)
		}
		near(t, "last byte at the server", time.Since(start), 415*time.Millisecond)
		if d := (<-sent).Sub(start); d < 400*time.Millisecond || d > 401*time.Millisecond {
			t.Errorf("the last byte left after %v, want 400 ms", d)
		}
	})
}

// Beyond the send buffer the writer is held, as with TCP.
func TestConnSendBuffer(t *testing.T) {
	inLink(t, Link{RTT: 20 * time.Millisecond, Bandwidth: 80e6}, func(t *testing.T, c *conn, server net.Conn) {
		go io.Copy(io.Discard, server)
		start := time.Now()
		if _, err := c.Write(make([]byte, sendBuffer+1_000_000)); err != nil {
			t.Fatal(err)
		}
		// At 10 MB/s a megabyte has come out of the far end after 110 ms.
		if d := time.Since(start); d < 109*time.Millisecond || d > 113*time.Millisecond {
			t.Errorf("the writer was held for %v, want about 110 ms", d)
		}
	})
}

// A reader that doesn't read holds the server up, once the buffer is full.
func TestConnReceiveBuffer(t *testing.T) {
	inLink(t, Link{}, func(t *testing.T, c *conn, server net.Conn) {
		server.SetWriteDeadline(time.Now().Add(time.Second))
		n, err := server.Write(make([]byte, receiveBuffer+1_000_000))
		if !errors.Is(err, os.ErrDeadlineExceeded) || n < receiveBuffer || n > receiveBuffer+segmentSize {
			t.Fatalf("the server wrote %d bytes, %v", n, err)
		}
		if _, err := io.ReadFull(c, make([]byte, receiveBuffer)); err != nil {
			t.Fatal(err)
		}
		server.SetWriteDeadline(time.Time{})
		mustWrite(t, server, "more")
	})
}

func TestConnInfo(t *testing.T) {
	const rtt = 30 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		here, server := net.Pipe()
		c := newConn(here, &Link{RTT: rtt}, pathOf(Link{RTT: rtt}), rtt+5*time.Millisecond, rand.New(rand.NewPCG(1, 1)), new(pacer), nil, false)
		go io.Copy(io.Discard, server)
		check := func(want time.Duration) {
			t.Helper()
			info, err := c.Info()
			if err != nil || !info.Known || info.MinRTT != want || info.Retransmits != 0 || info.NotSent != 0 {
				t.Errorf("info is %+v, %v, want a round trip of %v", info, err, want)
			}
		}
		check(rtt + 5*time.Millisecond) // the connect's
		mustWrite(t, c, "request")
		check(rtt + 5*time.Millisecond) // not answered yet
		time.Sleep(rtt)
		check(rtt)
		c.Close()
		if _, err := c.Info(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("info of a closed connection: %v", err)
		}
		c.abort()
	})
}

// The server's end travels like its bytes, behind them.
func TestConnEnd(t *testing.T) {
	inLink(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, c *conn, server net.Conn) {
		start := time.Now()
		mustWrite(t, server, "last")
		server.Close()
		mustRead(t, c, "last")
		for range 2 {
			if n, err := c.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Fatalf("read %d, %v, want the end", n, err)
			}
		}
		near(t, "end", time.Since(start), 10*time.Millisecond)
		mustWrite(t, c, "x") // is accepted, and fails at the far end
		time.Sleep(time.Second)
		if _, err := c.Write([]byte("x")); err == nil {
			t.Error("a write to a server that is gone went well")
		}
	})
}

func TestConnDeadlines(t *testing.T) {
	inLink(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, c *conn, server net.Conn) {
		start := time.Now()
		c.SetReadDeadline(start.Add(time.Second))
		go func() {
			time.Sleep(100 * time.Millisecond)
			c.SetReadDeadline(start.Add(200 * time.Millisecond)) // sooner, while the read waits
		}()
		_, err := c.Read(make([]byte, 1))
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
		near(t, "deadline", time.Since(start), 200*time.Millisecond)
		c.SetReadDeadline(time.Time{})
		mustWrite(t, server, "late")
		mustRead(t, c, "late")
	})
}

func TestConnCloseEndsReadAndWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, server := linked(Link{})
		errs := make(chan error, 2)
		go func() {
			_, err := c.Read(make([]byte, 1))
			errs <- err
		}()
		go func() {
			_, err := c.Write(make([]byte, sendBuffer+1)) // nobody reads it
			errs <- err
		}()
		synctest.Wait()
		c.Close()
		for range 2 {
			if err := <-errs; !errors.Is(err, net.ErrClosed) {
				t.Errorf("ended with %v", err)
			}
		}
		if err := c.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
		server.Close()
		c.abort()
	})
}

// What was written before Close still gets to the server, and then the end.
func TestConnCloseDelivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, server := linked(Link{RTT: 60 * time.Millisecond})
		start := time.Now()
		mustWrite(t, c, "request")
		time.Sleep(10 * time.Millisecond)
		c.Close()
		near(t, "close", time.Since(start), 10*time.Millisecond)
		mustRead(t, server, "request")
		near(t, "request", time.Since(start), 30*time.Millisecond)
		if n, err := server.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("read %d, %v, want the end", n, err)
		}
		near(t, "end", time.Since(start), 40*time.Millisecond)
		c.abort()
	})
}

// The behaviour that every net.Conn has, on a link that delays.
func TestNettest(t *testing.T) {
	nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, nil, nil, err
		}
		defer l.Close()
		raw, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return nil, nil, nil, err
		}
		far, err := l.Accept()
		if err != nil {
			return nil, nil, nil, err
		}
		p := newPacer()
		link := Link{RTT: time.Millisecond, Jitter: 100 * time.Microsecond, Bandwidth: 8e9}
		c := newConn(raw, &link, pathOf(link), 0, rand.New(rand.NewPCG(1, 1)), p, nil, false)
		return c, far, func() {
			far.Close()
			c.abort()
			p.close()
		}, nil
	})
}

// Over TCP an arrival is half a round trip after the stamp of the real
// connection, and of the same clock.
func TestConnKernelArrivals(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := newPacer()
	defer p.close()
	d := newDialer(Link{RTT: 20 * time.Millisecond}, 1, p)
	defer d.close()
	c, err := d.DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	wrote := time.Now()
	mustWrite(t, server, "x")
	mustRead(t, c, "x")
	a := c.(clock.Conn).Arrival()
	if d := a.At.Sub(wrote); d < 10*time.Millisecond || a.At.After(a.Read) {
		t.Errorf("arrived %v after it was written, read %v later", d, a.Read.Sub(a.At))
	}
	if below := c.(*conn).raw.Arrival().Kind; a.Kind != below {
		t.Errorf("the arrival is of the %s clock, the real connection's of the %s clock", a.Kind, below)
	}
}

// Dialing takes a round trip, which a trace sees as the connect.
func TestDial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newPipes()
		d := newDialer(Link{RTT: 140 * time.Millisecond}, 1, new(pacer))
		d.dial = n.dial
		go func() {
			c, err := n.Accept()
			if err == nil {
				defer c.Close()
				io.Copy(io.Discard, c)
			}
		}()
		start := time.Now()
		var began, done time.Duration
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			ConnectStart: func(_, _ string) { began = time.Since(start) },
			ConnectDone:  func(_, _ string, err error) { done = time.Since(start) },
		})
		c, err := d.DialContext(ctx, "tcp", "127.0.0.1:80")
		if err != nil {
			t.Fatal(err)
		}
		near(t, "connect began", began, 0)
		near(t, "connected", done, 140*time.Millisecond)
		near(t, "dialed", time.Since(start), 140*time.Millisecond)
		if info, _ := c.(clock.Conn).Info(); info.MinRTT != 140*time.Millisecond {
			t.Errorf("round trip %v", info.MinRTT)
		}
		d.close()
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
			t.Errorf("the connection outlived its dialer: %v", err)
		}
		n.Close()
		if _, err := d.DialContext(t.Context(), "tcp", "127.0.0.1:80"); err == nil {
			t.Error("dialing where nobody listens went well")
		}
	})
}

func TestDialGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(Link{RTT: time.Minute}, 1, new(pacer))
		d.dial = func(context.Context, string, string) (net.Conn, error) {
			c, other := net.Pipe()
			other.Close()
			return c, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := d.DialContext(ctx, "tcp", "x:1")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		near(t, "gave up", time.Since(start), time.Second)
	})
}

// The same seed gives the same jitter.
func TestDialIsReproducible(t *testing.T) {
	draw := func(seed uint64) [3]time.Duration {
		d := newDialer(Link{Jitter: time.Millisecond}, seed, new(pacer))
		var out [3]time.Duration
		for i := range out {
			l := lane{link: *d.link.Load(), rng: d.random()}
			out[i] = l.delay()
		}
		return out
	}
	first, again, other := draw(1), draw(1), draw(2)
	if first != again || first == other {
		t.Errorf("jitter must depend on the seed alone: %v, %v, other seed %v", first, again, other)
	}
	if first[0] == first[1] {
		t.Error("connections must differ")
	}
}
