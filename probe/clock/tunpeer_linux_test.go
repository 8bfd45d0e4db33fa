package clock

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// tunPeer is the far end of a TCP connection, played on a TUN device, so that
// a test decides which segment arrives when.
type tunPeer struct {
	dev    *os.File
	synced chan struct{} // closed once the handshake's answer is out
	done   chan struct{} // closed once the reader has ended

	port     uint16 // of the client
	received uint32 // the client's next sequence number
}

const (
	tunPort  = 80
	tunFirst = 1000 // sequence number of the peer's first byte

	flagSYN, flagPSH, flagACK = 0x02, 0x08, 0x10
)

var (
	tunHost = netip.MustParseAddr("198.18.0.1") // this host, on the device
	tunFar  = netip.MustParseAddr("198.18.0.2") // the peer
)

// newTunPeer makes the device, which must be allowed here, and answers one
// handshake on it.
func newTunPeer(t *testing.T) *tunPeer {
	t.Helper()
	dev, err := openTun("clock0")
	if err != nil {
		t.Skip("no TUN device here: ", err)
	}
	p := &tunPeer{dev: dev, synced: make(chan struct{}), done: make(chan struct{})}
	go p.listen()
	t.Cleanup(func() { dev.Close(); <-p.done })
	return p
}

// openTun makes a TUN device, with this host's address and a route to the
// peer's.
func openTun(name string) (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := setUp(fd, name); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	// Only now: the poller must not see a device that isn't set up.
	return os.NewFile(uintptr(fd), name), nil
}

func setUp(tun int, name string) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	for _, step := range []struct {
		fd      int
		request uint
		set     func(*unix.Ifreq) error
	}{
		{tun, unix.TUNSETIFF, flags(unix.IFF_TUN | unix.IFF_NO_PI)},
		{s, unix.SIOCSIFADDR, address(tunHost)},
		{s, unix.SIOCSIFNETMASK, address(netip.MustParseAddr("255.255.255.0"))},
		{s, unix.SIOCSIFFLAGS, flags(unix.IFF_UP | unix.IFF_RUNNING)},
	} {
		r, err := unix.NewIfreq(name)
		if err == nil {
			err = step.set(r)
		}
		if err == nil {
			err = unix.IoctlIfreq(step.fd, step.request, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func flags(f uint16) func(*unix.Ifreq) error {
	return func(r *unix.Ifreq) error { r.SetUint16(f); return nil }
}

func address(a netip.Addr) func(*unix.Ifreq) error {
	return func(r *unix.Ifreq) error { return r.SetInet4Addr(a.AsSlice()) }
}

// listen answers the first SYN and ignores all else, until the device closes.
func (p *tunPeer) listen() {
	defer close(p.done)
	packet := make([]byte, 1<<16)
	for {
		n, err := p.dev.Read(packet)
		if err != nil {
			return
		}
		ip := packet[:n]
		if n < 40 || ip[0]>>4 != 4 || ip[9] != unix.IPPROTO_TCP || p.port != 0 {
			continue
		}
		tcp := ip[4*(ip[0]&15):]
		if tcp[13]&flagSYN == 0 {
			continue
		}
		p.port = binary.BigEndian.Uint16(tcp)
		p.received = binary.BigEndian.Uint32(tcp[4:]) + 1
		p.segment(flagSYN|flagACK, tunFirst-1, "")
		close(p.synced)
	}
}

// send has text arrive as the bytes of the stream from offset on.
func (p *tunPeer) send(offset int, text string) error {
	<-p.synced
	return p.segment(flagACK|flagPSH, tunFirst+uint32(offset), text)
}

// segment writes one TCP segment (RFC 9293) in an IPv4 packet (RFC 791).
func (p *tunPeer) segment(flags byte, seq uint32, text string) error {
	be := binary.BigEndian
	b := make([]byte, 40, 40+len(text))
	b = append(b, text...)
	ip, tcp := b[:20], b[20:]
	ip[0], ip[8], ip[9] = 0x45, 64, unix.IPPROTO_TCP
	be.PutUint16(ip[2:], uint16(len(b)))
	copy(ip[12:], tunFar.AsSlice())
	copy(ip[16:], tunHost.AsSlice())
	be.PutUint16(ip[10:], ^onesSum(0, ip))

	be.PutUint16(tcp, tunPort)
	be.PutUint16(tcp[2:], p.port)
	be.PutUint32(tcp[4:], seq)
	be.PutUint32(tcp[8:], p.received)
	tcp[12], tcp[13] = 5<<4, flags
	be.PutUint16(tcp[14:], 65535)
	pseudo := onesSum(unix.IPPROTO_TCP+uint32(len(tcp)), ip[12:])
	be.PutUint16(tcp[16:], ^onesSum(uint32(pseudo), tcp))
	_, err := p.dev.Write(b)
	return err
}

// onesSum is the ones' complement sum of the Internet checksum (RFC 1071).
func onesSum(sum uint32, b []byte) uint16 {
	for len(b) > 1 {
		sum += uint32(b[0])<<8 | uint32(b[1])
		b = b[2:]
	}
	if len(b) == 1 {
		sum += uint32(b[0]) << 8
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return uint16(sum)
}
