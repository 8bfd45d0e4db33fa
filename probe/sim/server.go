package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Server is a running simulated endpoint.
type Server struct {
	fixed   Config   // what never changes
	names   []string // of the models, in order
	fleets  map[string]*fleet
	pace    *pacer
	dialer  *dialer
	ledger  *ledger
	faults  *faults
	numbers atomic.Uint64 // of the requests
	made    time.Time

	refusals refusals

	setting sync.Mutex // guards asked and over, and changing them
	asked   Config
	over    bool                          // Close was called
	obeyed  atomic.Pointer[Config]        // as asked, filled and at its speed
	changed atomic.Pointer[chan struct{}] // closed when obeyed has changed, and at the end

	http     *http.Server
	listener net.Listener

	cancel  context.CancelFunc
	work    sync.WaitGroup // engines, background users and the accept loop
	serving sync.WaitGroup // connections of the HTTP server
	closing sync.Once
}

// Start serves a simulated endpoint on a free port of loopback until Close. The
// error says what is wrong with the configuration, or that there is no port.
func Start(cfg Config) (*Server, error) {
	return start(cfg, "127.0.0.1:0", func(s *Server, l net.Listener) net.Listener { return l })
}

// Listen serves a simulated endpoint on an address, such as 127.0.0.1:8099, for
// programs that don't use Dial. What goes over its connections is delayed by
// the link, both ways. Their making is not, and the kernel knows nothing of it:
// to such a client the network looks like loopback, and its time like the
// server's.
func Listen(cfg Config, address string) (*Server, error) {
	return start(cfg, address, func(s *Server, l net.Listener) net.Listener { return &delaying{Listener: l, dialer: s.dialer} })
}

func start(cfg Config, address string, wrap func(*Server, net.Listener) net.Listener) (*Server, error) {
	s, err := newServer(cfg, newPacer())
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		s.pace.close()
		return nil, fmt.Errorf("simulated endpoint %q: %w", cfg.Name, err)
	}
	s.serve(wrap(s, l))
	return s, nil
}

// newServer makes a server that does nothing yet.
func newServer(cfg Config, pace *pacer) (*Server, error) {
	fixed := cfg.filled()
	if err := fixed.check(); err != nil {
		pace.close()
		return nil, err
	}
	fixed = fixed.faster()
	s := &Server{
		asked:  cfg,
		fixed:  fixed,
		fleets: make(map[string]*fleet),
		pace:   pace,
		dialer: newDialer(fixed.Link, cfg.Seed, pace),
		ledger: newLedger(),
		faults: newFaults(fixed.Faults, cfg.Seed),
		made:   time.Now(),
	}
	for _, m := range cfg.Models {
		s.names = append(s.names, m.Name)
	}
	return s, nil
}

// serve starts the engines and answers on a listener.
func (s *Server) serve(l net.Listener) {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel, s.listener = cancel, l
	for _, m := range s.fixed.Models {
		s.fleets[m.Name] = s.newFleet(ctx, m)
	}
	s.hand(s.fixed)
	for i, m := range s.fixed.Models {
		s.inhabit(ctx, s.fleets[m.Name], uint64(i))
	}
	s.http = &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: time.Minute,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withConn,
		ConnState:         s.connState,
		ErrorLog:          s.errorLog(),
	}
	s.work.Go(func() {
		err := s.http.Serve(l)
		if !errors.Is(err, http.ErrServerClosed) {
			s.http.ErrorLog.Printf("simulated endpoint %q: %v", s.fixed.Name, err)
		}
	})
}

// inhabit starts the background users of a model.
func (s *Server) inhabit(ctx context.Context, f *fleet, model uint64) {
	s.work.Go(func() { s.users(ctx, f, func(c *Config) Users { return c.Users }, model) })
	for i := range s.fixed.Tenants {
		stream := uint64(i+1)<<32 | model
		s.work.Go(func() { s.users(ctx, f, func(c *Config) Users { return c.Tenants[i] }, stream) })
	}
}

func (s *Server) errorLog() *log.Logger {
	if s.fixed.ErrorLog != nil {
		return s.fixed.ErrorLog
	}
	return log.New(io.Discard, "", 0)
}

// connState counts the connections that are served.
func (s *Server) connState(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.serving.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.serving.Done()
	}
}

// URL is the base URL of the API, with /v1 at its end.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/v1" }

// Dial makes a connection over the simulated link. It is a dialer for
// http.Transport; the connection implements clock.Conn. The link is put in
// front of whatever address is dialed.
func (s *Server) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	return s.dialer.DialContext(ctx, network, address)
}

// Truth is where the server time of a request went, by its x-request-id. It is
// there once the first token is; the latest 4,096 requests are remembered.
func (s *Server) Truth(requestID string) (Truth, bool) { return s.ledger.get(requestID) }

// Close ends every request and connection, those that Dial made too, and waits
// for the server's goroutines. Later calls do nothing.
func (s *Server) Close() error {
	var err error
	s.closing.Do(func() {
		s.cancel()
		s.setting.Lock()
		s.over = true
		close(*s.changed.Load())
		s.setting.Unlock()
		s.dialer.close()
		err = s.http.Close()
		s.work.Wait()
		s.serving.Wait()
		s.pace.close()
	})
	return err
}
