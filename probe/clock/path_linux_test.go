package clock

import (
	"errors"
	"io"
	"math"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestInfo(t *testing.T) {
	a, b := pair(t, "tcp")
	c := Wrap(a)
	send(t, c, "x")
	receive(t, Wrap(b), "x")
	info, err := c.Info()
	if err != nil || !info.Known || info.NotSent != 0 {
		t.Errorf("%+v, %v", info, err)
	}
	if info.MinRTT <= 0 || info.MinRTT > patience {
		t.Errorf("the smallest round trip is %v", info.MinRTT)
	}
	c.Close()
	if _, err := c.Info(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Info of a closed connection: %v", err)
	}
}

func TestInfoFrom(t *testing.T) {
	for name, c := range map[string]struct {
		tcp  unix.TCPInfo
		want Info
	}{
		"all": {unix.TCPInfo{Min_rtt: 38_200, Total_retrans: 3, Notsent_bytes: 4096, Last_data_sent: 12},
			Info{Known: true, MinRTT: 38_200 * time.Microsecond, Retransmits: 3, NotSent: 4096, SinceSend: 12 * time.Millisecond}},
		"no sample yet": {unix.TCPInfo{Min_rtt: math.MaxUint32}, Info{Known: true}},
		"old kernel":    {unix.TCPInfo{Rtt: 40_000}, Info{Known: true, NotSent: -1}},
	} {
		if got := infoFrom(&c.tcp); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestWaitSentSlowReader writes more than the path takes: the bytes wait here
// until the reader begins to read.
func TestWaitSentSlowReader(t *testing.T) {
	a, b := pair(t, "tcp")
	c := Wrap(a)
	written, stuck := fill(c), false
	for end := time.Now().Add(patience); !stuck && time.Now().Before(end); written += fill(c) {
		info, err := c.Info()
		if err != nil || !info.Known {
			t.Fatalf("%+v, %v", info, err)
		}
		stuck = info.NotSent > 0
	}
	if !stuck {
		t.Fatalf("%d bytes left although nobody reads", written)
	}
	began := time.Now()
	drained := make(chan error, 1)
	go func() {
		_, err := io.CopyN(io.Discard, b, written)
		drained <- err
	}()
	at, ok := WaitSent(t.Context(), c, began)
	if !ok || at.Before(began) || at.After(time.Now()) {
		t.Errorf("sent at %v, %v; began %v", at, ok, began)
	}
	if info, err := c.Info(); err != nil || info.NotSent != 0 {
		t.Errorf("afterwards: %+v, %v", info, err)
	}
	if err := <-drained; err != nil {
		t.Fatal(err)
	}
}

// fill writes to c until a write blocks, and returns how much that was: more
// than the peer, which doesn't read, has room for.
func fill(c net.Conn) (written int64) {
	block := make([]byte, 64<<10)
	c.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	for {
		n, err := c.Write(block)
		written += int64(n)
		if err != nil {
			return written
		}
	}
}
