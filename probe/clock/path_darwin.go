package clock

import (
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// path asks TCP_CONNECTION_INFO. The zero value knows nothing.
//
// macOS keeps no smallest round trip and its figures are whole milliseconds, so
// the smallest sample seen here is kept: the first is that of the handshake,
// free of server time. It can't tell sent bytes from acknowledged ones
// (tcpi_snd_sbbytes counts both), so NotSent is unknown.
type path struct {
	raw syscall.RawConn

	mu  sync.Mutex
	min time.Duration // 0 before the first sample
}

func (p *path) open(raw syscall.RawConn) {
	p.raw = raw
	p.info() // for the sample of the handshake; an error shows again when asked
}

func (p *path) info() (Info, error) {
	if p.raw == nil {
		return Info{}, nil
	}
	var t *unix.TCPConnectionInfo
	var failed error
	err := p.raw.Control(func(fd uintptr) {
		t, failed = unix.GetsockoptTCPConnectionInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_CONNECTION_INFO)
	})
	if err != nil {
		return Info{}, err
	}
	if failed != nil {
		return Info{}, nil
	}
	return Info{
		Known:       true,
		MinRTT:      p.smallest(t.Rttcur, t.Srtt),
		Retransmits: int(t.Txretransmitpackets),
		NotSent:     -1,
	}, nil
}

// smallest takes samples in milliseconds into account, 0 being none.
func (p *path) smallest(samples ...uint32) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, ms := range samples {
		d := time.Duration(ms) * time.Millisecond
		if d > 0 && (p.min == 0 || d < p.min) {
			p.min = d
		}
	}
	return p.min
}
