package clock

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ttftop/probe"
)

// stampedPair is a pair whose first end is read with kernel stamps. The kernel
// begins to stamp a little after it is asked; the pair is returned once it
// does. A kernel that doesn't within patience skips the test.
func stampedPair(t testing.TB, network string) (*stampedConn, net.Conn) {
	t.Helper()
	a, b := pair(t, network)
	c, ok := Wrap(a).(*stampedConn)
	if !ok {
		t.Skip("this kernel refuses SO_TIMESTAMPING")
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		send(t, b, "?")
		receive(t, c, "?")
		if c.Arrival().Kind == probe.KernelClock {
			return c, b
		}
	}
	t.Skip("this kernel never stamps")
	return nil, nil
}

// TestStamp shows that the stamp is the arrival and not the reading: it lies
// between the instants before and after the write, although the read comes
// long after. (Over loopback a packet is stamped within the write.)
func TestStamp(t *testing.T) {
	for _, network := range []string{"tcp4", "tcp6"} {
		t.Run(network, func(t *testing.T) {
			c, b := stampedPair(t, network)
			seq := c.Arrival().Seq
			base := Start()
			send(t, b, "token")
			written := time.Now()
			const wait = 20 * time.Millisecond
			time.Sleep(wait)
			receive(t, c, "token")
			got := c.Arrival()
			if got.Kind != probe.KernelClock || got.Seq != seq+1 {
				t.Fatalf("%+v", got)
			}
			if got.At.Before(base.Time().Round(0)) || got.At.After(written.Round(0)) {
				t.Errorf("stamp %v outside of the write: %v to %v", got.At, base.Time(), written)
			}
			if got.Delay() < wait {
				t.Errorf("read %v after the stamp, at least %v was waited", got.Delay(), wait)
			}
			if at := base.Offset(got); at < 0 || at > base.Since(written)+time.Millisecond {
				t.Errorf("offset %v, written at %v", at, base.Since(written))
			}
		})
	}
}

func TestStampsInOrder(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	done := make(chan error, 1)
	go func() {
		for i := range 200 {
			if _, err := fmt.Fprintf(b, "%03d", i); err != nil {
				done <- err
				return
			}
		}
		done <- b.(*net.TCPConn).CloseWrite()
	}()
	buf := make([]byte, 3)
	last := c.Arrival()
	for {
		_, err := c.Read(buf)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got := c.Arrival()
		if got.At.Round(0).Before(last.At.Round(0)) || got.Seq != last.Seq+1 {
			t.Fatalf("%+v after %+v", got, last)
		}
		if got.At.Round(0).After(got.Read.Round(0)) {
			t.Fatalf("arrived after it was read: %+v", got)
		}
		last = got
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestNoStamp takes the stamps away under an open connection: each read that
// comes without one says so, and the next that has one again too.
func TestNoStamp(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	setStamps := func(flags int) {
		var err error
		if e := c.raw.Control(func(fd uintptr) {
			err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPING, flags)
		}); e != nil || err != nil {
			t.Fatal(e, err)
		}
	}
	setStamps(0)
	send(t, b, "unstamped")
	before := time.Now()
	receive(t, c, "unstamped")
	checkUser(t, c, before)
	setStamps(unix.SOF_TIMESTAMPING_RX_SOFTWARE | unix.SOF_TIMESTAMPING_SOFTWARE)
	send(t, b, "stamped")
	receive(t, c, "stamped")
	if got := c.Arrival().Kind; got != probe.KernelClock {
		t.Errorf("clock is %q", got)
	}
}

func TestRefused(t *testing.T) {
	a, _ := pair(t, "tcp")
	if c, ok := stampWith(a.(*net.TCPConn), func(int) error { return unix.ENOPROTOOPT }); ok {
		t.Errorf("got a %T from a kernel that refuses", c)
	}
}

// TestUserClockOnTCP is what a kernel that refuses leads to.
func TestUserClockOnTCP(t *testing.T) {
	a, b := pair(t, "tcp")
	c := newUserConn(a)
	send(t, b, "x")
	before := time.Now()
	receive(t, c, "x")
	checkUser(t, c, before)
	if info, err := c.Info(); err != nil || !info.Known {
		t.Errorf("Info is %+v, %v", info, err)
	}
}

// TestNoGarbage holds a read, with a stamp that is doubted or not, to no
// allocation.
func TestNoGarbage(t *testing.T) {
	for name, late := range map[string]time.Duration{"prompt": time.Hour, "doubted": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			c, b := stampedPair(t, "tcp")
			c.late = late
			c.SetReadDeadline(time.Time{})
			one := []byte{'x'}
			buf := make([]byte, 64)
			var failed error
			got := testing.AllocsPerRun(1000, func() {
				if _, err := b.Write(one); err != nil {
					failed = err
				}
				if _, err := c.Read(buf); err != nil {
					failed = err
				}
				c.Arrival()
			})
			if failed != nil {
				t.Fatal(failed)
			}
			if got != 0 {
				t.Errorf("%v allocations a read", got)
			}
		})
	}
}
