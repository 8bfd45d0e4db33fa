package clock

import (
	"math"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// path asks TCP_INFO. The zero value knows nothing.
type path struct{ raw syscall.RawConn }

func (p *path) open(raw syscall.RawConn) { p.raw = raw }

func (p *path) info() (Info, error) {
	if p.raw == nil {
		return Info{}, nil
	}
	var t unix.TCPInfo
	var failed error
	if err := p.raw.Control(func(fd uintptr) { failed = tcpInfo(int(fd), &t) }); err != nil {
		return Info{}, err
	}
	if failed != nil {
		return Info{}, nil // no TCP below, or a sandbox that forbids it
	}
	return infoFrom(&t), nil
}

// infoFrom reads a TCP_INFO. tcpi_rtt is left alone on purpose: it contains
// the server's own time wherever acknowledgements ride on answers.
func infoFrom(t *unix.TCPInfo) Info {
	i := Info{
		Known:       true,
		Retransmits: int(t.Total_retrans),
		NotSent:     int(t.Notsent_bytes),
		SinceSend:   time.Duration(t.Last_data_sent) * time.Millisecond,
	}
	switch t.Min_rtt {
	case 0: // never so since Linux 4.6: an older one, which lacks both fields
		i.NotSent = -1
	case math.MaxUint32: // no sample yet
	default:
		i.MinRTT = time.Duration(t.Min_rtt) * time.Microsecond
	}
	return i
}
