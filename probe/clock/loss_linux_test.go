package clock

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"ttftop/probe"
)

// TestLoss has a segment arrive before the one ahead of it, as after a loss:
// the stamp of the bytes that waited is from before they could be read, and
// must not be believed. It needs a network of its own, and runs in a child.
func TestLoss(t *testing.T) {
	if os.Getenv(roleEnv) != "namespace" {
		inNamespace(t)
		return
	}
	peer := newTunPeer(t)
	raw, err := net.DialTimeout("tcp", fmt.Sprintf("%s:%d", tunFar, tunPort), patience)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	c := Wrap(raw)
	offset := awaitStamps(t, c, peer)

	for range 3 { // the second time the count of such segments isn't 0 at first
		filled := make(chan time.Time, 1)
		go func() {
			peer.send(offset+5, "world") // the segment ahead of it is lost
			time.Sleep(20 * time.Millisecond)
			filled <- time.Now()
			peer.send(offset, "hello")
		}()
		var got []Arrival
		for text := ""; len(text) < 10; {
			part := read(t, c)
			text += part
			got = append(got, c.Arrival())
		}
		hole := <-filled
		for _, a := range got {
			if a.At.Round(0).Before(hole.Round(0)) {
				t.Errorf("%+v could be read %v before the bytes ahead of it were there", a, hole.Sub(a.At))
			}
		}
		offset += 10
		peer.send(offset, "on")
		if text := read(t, c); text != "on" || c.Arrival().Kind != probe.KernelClock {
			t.Errorf("then came %q, %+v", text, c.Arrival())
		}
		offset += 2
	}
}

// awaitStamps has single bytes sent until one is stamped, and returns how many
// it took.
func awaitStamps(t *testing.T, c Conn, peer *tunPeer) int {
	t.Helper()
	for n := range 1000 {
		if err := peer.send(n, "?"); err != nil {
			t.Fatal(err)
		}
		read(t, c)
		if c.Arrival().Kind == probe.KernelClock {
			return n + 1
		}
		time.Sleep(time.Millisecond)
	}
	t.Skip("this kernel never stamps")
	return 0
}

// read reads once.
func read(t *testing.T, c net.Conn) string {
	t.Helper()
	buf := make([]byte, 1024)
	c.SetReadDeadline(time.Now().Add(patience))
	n, err := c.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	return string(buf[:n])
}

// inNamespace runs the test again in a child with users and a network of its
// own, and skips it where that isn't allowed.
func inNamespace(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), roleEnv+"=namespace")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Skip("no namespace of its own: ", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if strings.Contains(out.String(), "--- SKIP") {
		t.Skip(out.String())
	}
	t.Log(out.String())
}
