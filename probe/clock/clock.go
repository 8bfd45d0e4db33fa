// Package clock has the connection that knows when its bytes arrived.
//
// A client that reads time.Now when a goroutine gets round to a chunk measures
// its own load along with the server. Here every read carries the instant at
// which the kernel received the bytes, so that the figure stays true however
// late the goroutine was.
//
// Start with Wrap, right after the dial; read; then ask Arrival. Put TLS on
// top as usual and take the arrivals from the connection below. Base turns
// arrivals into offsets from the start of a request, and WaitSent tells when the
// last byte of the request left.
//
// On Linux TCP connections are read through recvmsg with SO_TIMESTAMPING and
// need no privileges. Elsewhere, on unix sockets (which the kernel doesn't
// stamp), and for a read that came without a stamp, the clock after the read
// is used instead; Arrival.Kind says which one it was.
//
// A segment that waited for a lost one ahead of it has a stamp from before its
// bytes could be read: that read, too, takes the clock after the read.
//
// Limits: the kernel merges segments that wait unread and keeps the newest
// stamp, so reading must be prompt: Attend has a thread wait for the bytes
// inside the kernel, and Arrival.Early tells where that was not enough. The end of a stream right behind the last
// token can make that token late. Over HTTP/2 another goroutine reads, so a
// later read may have replaced the arrival when it is asked for. What sits in
// the queues of the path after it left this host counts as sent.
package clock

import (
	"net"
	"time"

	"ttftop/probe"
)

// Arrival is when the bytes that the last Read returned reached this host.
// The zero value means that nothing was read yet.
type Arrival struct {
	At   time.Time       // kernel stamp (wall clock only), or the clock after the read
	Read time.Time       // right after the read, with its monotonic reading
	Kind probe.ClockKind // probe.KernelClock or probe.UserClock
	Seq  int             // number of the read that returned the bytes, from 1

	// Early is how much earlier than At the first of the bytes may have come:
	// the kernel merges those that wait for a late reader and keeps the newest
	// stamp. It is 0 where the reader was prompt or the clock is the user's.
	Early time.Duration
}

// Delay is how long the bytes waited to be read: how late the reader was.
// It is 0 where the clock after the read was used, which can't tell.
func (a Arrival) Delay() time.Duration {
	if a.Kind != probe.KernelClock {
		return 0
	}
	return max(0, a.Read.Round(0).Sub(a.At.Round(0)))
}

// Info is what the kernel (or a simulated link) knows about the path.
type Info struct {
	MinRTT      time.Duration // smallest round trip seen, 0 where unknown
	Retransmits int           // segments sent again since the connection was made
	NotSent     int           // bytes written but not yet sent; negative where the path can't tell
	SinceSend   time.Duration // since data last left, coarse (milliseconds); 0 where unknown or just now
	Known       bool          // false: nothing is known and the other fields are zero
}

// Conn is a connection that knows when its bytes arrived. The simulator's link
// implements it too.
type Conn interface {
	net.Conn

	// Arrival tells of the last Read that returned bytes; one that returned
	// none (an error, io.EOF, an empty buffer) leaves it as it was. It is cheap
	// and safe to call from any goroutine, but only the goroutine that reads
	// can know which bytes it speaks of. Arrivals of one connection never run
	// backwards, unless the wall clock is set back.
	Arrival() Arrival

	// Info asks for the state of the path. A path that can't tell gives
	// Known false and no error; a closed connection gives an error.
	Info() (Info, error)
}

// Wrap returns a connection that knows when its bytes arrived: c itself if it
// is a Conn already, one that the kernel stamps for a *net.TCPConn on Linux,
// and otherwise one that takes the clock after the read. From then on all
// reading must go through it.
//
// It also has CloseRead, CloseWrite and SyscallConn, which fail with
// errors.ErrUnsupported where c lacks them, and NetConn, which returns c.
func Wrap(c net.Conn) Conn {
	if k, ok := c.(Conn); ok {
		return k
	}
	if t, ok := c.(*net.TCPConn); ok {
		if s, ok := stamp(t); ok {
			return s
		}
	}
	return newUserConn(c)
}
