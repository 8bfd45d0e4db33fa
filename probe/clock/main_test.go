package clock

import (
	"context"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/nettest"
)

// roleEnv makes the test binary play another part than the tests.
const roleEnv = "TTFTOP_CLOCK_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(roleEnv) == "server" {
		serveBursts(os.Stdin, os.Stdout)
		return
	}
	goleak.VerifyTestMain(m)
}

// patience bounds waits that end long before unless something is broken.
const patience = 20 * time.Second

// pair returns both ends of a connection of that network, up to a space, closed at the end
// of the test: the one that dialled and the one that was accepted.
func pair(t testing.TB, network string) (dialled, accepted net.Conn) {
	t.Helper()
	network, _, _ = strings.Cut(network, " ")
	if !nettest.TestableNetwork(network) || network == "tcp6" && !nettest.SupportsIPv6() {
		t.Skipf("no %s here", network)
	}
	l, err := nettest.NewLocalListener(network)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dialled, err = net.Dial(l.Addr().Network(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err = l.Accept()
	if err != nil {
		dialled.Close()
		t.Fatal(err)
	}
	t.Cleanup(func() { dialled.Close(); accepted.Close() })
	return dialled, accepted
}

// send writes text or fails the test.
func send(t testing.TB, c net.Conn, text string) {
	t.Helper()
	if _, err := c.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

// receive reads once and wants exactly that text.
func receive(t testing.TB, c net.Conn, want string) {
	t.Helper()
	buf := make([]byte, 1024)
	c.SetReadDeadline(time.Now().Add(patience))
	n, err := c.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(buf[:n]); got != want {
		t.Fatalf("read %q, want %q", got, want)
	}
}

// wrappedDial is the dialer of a transport whose connections tell arrivals.
func wrappedDial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return Wrap(c), nil
}
