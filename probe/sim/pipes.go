package sim

import (
	"context"
	"net"
	"sync"
)

// InMemory serves a simulated endpoint that has no port, until Close: only
// Server.Dial reaches it. It keeps time by timers of the runtime alone, so that
// in a bubble of testing/synctest its time is the bubble's.
func InMemory(cfg Config) (*Server, error) {
	s, err := newServer(cfg, new(pacer))
	if err != nil {
		return nil, err
	}
	p := newPipes()
	s.dialer.dial = p.dial
	s.serve(p)
	return s, nil
}

// pipes is a network in memory: a listener, and a dialer for it.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes() *pipes { return &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})} }

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return pipeAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.accepted <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pipeAddr is a name that stands for no machine.
type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "sim.invalid:80" }
