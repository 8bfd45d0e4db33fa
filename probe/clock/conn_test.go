package clock

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/nettest"

	"ttftop/probe"
)

// networks are those that every behaviour is tried on. An attended one is read
// by a thread that waits in the kernel.
var networks = []string{"tcp4", "tcp6", "unix", "tcp4 attended", "tcp6 attended"}

// wrap wraps one end of a pair of that network.
func wrap(network string, c net.Conn) Conn {
	w := Wrap(c)
	Attend(w, strings.HasSuffix(network, " attended"))
	return w
}

// TestNetConn holds every wrapper to the whole contract of net.Conn:
// deadlines, concurrent use, close.
func TestNetConn(t *testing.T) {
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			t.Parallel() // attended reads settle for 10 ms each
			nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
				a, b := pair(t, network)
				return wrap(network, a), wrap(network, b), func() { a.Close(); b.Close() }, nil
			})
		})
	}
	t.Run("pipe", func(t *testing.T) {
		nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
			a, b := net.Pipe()
			return Wrap(a), Wrap(b), func() { a.Close(); b.Close() }, nil
		})
	})
}

func TestReadSemantics(t *testing.T) {
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			a, b := pair(t, network)
			c := wrap(network, a)
			if got := c.Arrival(); got != (Arrival{}) {
				t.Errorf("arrival before any read is %+v", got)
			}
			if n, err := c.Read(nil); n != 0 || err != nil {
				t.Errorf("read into an empty buffer gave %d, %v", n, err)
			}
			send(t, b, "hello")
			short := make([]byte, 2)
			if n, err := c.Read(short); n != 2 || err != nil || string(short) != "he" {
				t.Errorf("short read gave %d, %v, %q", n, err, short)
			}
			receive(t, c, "llo")
			if got := c.Arrival().Seq; got != 2 {
				t.Errorf("two reads are counted as %d", got)
			}
			b.Close()
			before := c.Arrival()
			for range 2 {
				if n, err := c.Read(short); n != 0 || err != io.EOF {
					t.Errorf("read at the end gave %d, %v", n, err)
				}
			}
			if c.Arrival() != before {
				t.Error("the end of the stream counts as an arrival")
			}
			c.Close()
			checkOpError(t, c, net.ErrClosed)
		})
	}
}

// checkOpError reads and wants the error that package net would give.
func checkOpError(t *testing.T, c net.Conn, want error) {
	t.Helper()
	n, err := c.Read(make([]byte, 1))
	var op *net.OpError
	if n != 0 || !errors.Is(err, want) || !errors.As(err, &op) {
		t.Fatalf("read gave %d, %v (%T), want %v in a *net.OpError", n, err, err, want)
	}
	if op.Op != "read" || op.Net != c.LocalAddr().Network() || op.Source == nil || op.Addr == nil {
		t.Errorf("the error is %+v", op)
	}
	var nested *net.OpError
	if errors.As(op.Err, &nested) {
		t.Errorf("an OpError inside an OpError: %v", err)
	}
}

func TestReset(t *testing.T) {
	for _, network := range []string{"tcp", "tcp attended"} {
		t.Run(network, func(t *testing.T) {
			a, b := pair(t, network)
			c := wrap(network, a)
			b.(*net.TCPConn).SetLinger(0)
			b.Close()
			c.SetReadDeadline(time.Now().Add(patience))
			checkOpError(t, c, syscall.ECONNRESET)
		})
	}
}

func TestDeadline(t *testing.T) {
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			a, b := pair(t, network)
			c := wrap(network, a)
			c.SetReadDeadline(time.Now().Add(time.Millisecond))
			checkOpError(t, c, os.ErrDeadlineExceeded)
			var timeout net.Error
			if _, err := c.Read(make([]byte, 1)); !errors.As(err, &timeout) || !timeout.Timeout() {
				t.Errorf("%v is no timeout", err)
			}
			send(t, b, "late")
			receive(t, c, "late") // the connection lives on
		})
	}
}

func TestCloseWakesReader(t *testing.T) {
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			a, _ := pair(t, network)
			c := wrap(network, a)
			failed := make(chan error)
			go func() {
				_, err := c.Read(make([]byte, 1))
				failed <- err
			}()
			c.Close()
			select {
			case err := <-failed:
				if !errors.Is(err, net.ErrClosed) {
					t.Errorf("the reader got %v", err)
				}
			case <-time.After(patience):
				t.Fatal("the reader still waits")
			}
		})
	}
}

func TestHalfClose(t *testing.T) {
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			a, b := pair(t, network)
			c := wrap(network, a)
			half := c.(interface {
				CloseRead() error
				CloseWrite() error
			})
			send(t, c, "question")
			if err := half.CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(b); err != nil || string(got) != "question" {
				t.Fatalf("the peer read %q, %v", got, err)
			}
			send(t, b, "answer")
			receive(t, c, "answer")
			if err := half.CloseRead(); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("after CloseRead a read gave %v", err)
			}
		})
	}
}

func TestPassedThrough(t *testing.T) {
	a, _ := pair(t, "tcp")
	c := Wrap(a)
	if Wrap(c) != c {
		t.Error("a Conn is wrapped again")
	}
	if got := c.(interface{ NetConn() net.Conn }).NetConn(); got != a {
		t.Errorf("NetConn gives %v", got)
	}
	raw, err := c.(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	called := false
	if err := raw.Control(func(uintptr) { called = true }); err != nil || !called {
		t.Errorf("the raw connection: %v", err)
	}
}

func TestUnsupported(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	c := Wrap(a).(*userConn)
	_, err := c.SyscallConn()
	for op, err := range map[string]error{"SyscallConn": err, "CloseRead": c.CloseRead(), "CloseWrite": c.CloseWrite()} {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s of a pipe gives %v", op, err)
		}
	}
	if info, err := c.Info(); err != nil || info != (Info{}) {
		t.Errorf("Info of a pipe is %+v, %v", info, err)
	}
}

// TestUserClock is the way of everything that the kernel doesn't stamp.
func TestUserClock(t *testing.T) {
	a, b := pair(t, "unix")
	c := Wrap(a)
	send(t, b, "x")
	before := time.Now()
	receive(t, c, "x")
	checkUser(t, c, before)
}

// checkUser wants the last arrival of c on the clock after the read, which
// began after before and is over.
func checkUser(t *testing.T, c Conn, before time.Time) {
	t.Helper()
	got := c.Arrival()
	if got.Kind != probe.UserClock || got.At != got.Read || got.Delay() != 0 {
		t.Errorf("arrival is %+v", got)
	}
	if got.Read.Before(before) || got.Read.After(time.Now()) {
		t.Errorf("read at %v, which began at %v", got.Read, before)
	}
}

// TestConcurrentArrival is for the race detector.
func TestConcurrentArrival(t *testing.T) {
	for _, network := range []string{"tcp", "tcp attended"} {
		t.Run(network, func(t *testing.T) {
			a, b := pair(t, network)
			c := wrap(network, a)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				last := 0
				for ctx.Err() == nil {
					got := c.Arrival()
					if got.Seq < last {
						t.Errorf("read %d after %d", got.Seq, last)
					}
					last = got.Seq
					if _, err := c.Info(); err != nil {
						t.Error(err)
					}
				}
			}()
			for range 100 {
				send(t, b, "x")
				receive(t, c, "x")
			}
			cancel()
			<-done
		})
	}
}

// TestHappensBefore is for the race detector: what a writer did before it
// wrote, its reader may see.
func TestHappensBefore(t *testing.T) {
	for _, network := range []string{"tcp", "tcp attended"} {
		t.Run(network, func(t *testing.T) {
			a, b := pair(t, network)
			c := wrap(network, a)
			shared := 0
			done := make(chan struct{})
			go func() {
				defer close(done)
				shared = 1
				b.Write([]byte("x"))
			}()
			receive(t, c, "x")
			if shared != 1 {
				t.Error("the reader doesn't see it")
			}
			<-done
		})
	}
}
