package transport

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ttftop/probe"
)

func TestSpare(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		aim   Aim
		out   int
		takes time.Duration
		want  int
	}{
		{"none asked for", Aim{}, 0, 50 * ms, 0},
		{"slow probing", Aim{1, 16}, 0, 50 * ms, 2},
		{"the same, some in flight", Aim{1, 16}, 5, 50 * ms, 2},
		{"fast probing", Aim{10, 16}, 0, 90 * ms, 2},
		{"starts outrun the making", Aim{20, 16}, 0, 100 * ms, 9},
		{"by far", Aim{1000, 16}, 0, 100 * ms, 16},
		{"with some in flight", Aim{1000, 16}, 10, 100 * ms, 6},
		{"nearly all in flight", Aim{1, 16}, 15, 50 * ms, 1},
		{"all in flight", Aim{1, 16}, 16, 50 * ms, 0},
		{"more than all", Aim{1, 16}, 20, 50 * ms, 0},
	} {
		if got := c.aim.spare(c.out, c.takes); got != c.want {
			t.Errorf("%s: %d idle connections, want %d", c.name, got, c.want)
		}
	}
}

// Whatever the rate, the idle connections that spare asks for last until the
// most that may be in flight are, though each new one takes a while.
func TestSpareLasts(t *testing.T) {
	for rate := 0.5; rate < 500; rate *= 1.3 {
		for _, takes := range []time.Duration{time.Millisecond, 30 * time.Millisecond, 400 * time.Millisecond} {
			a := Aim{rate, 16}
			idle, making, out := a.spare(0, takes), time.Duration(-1), 0
			for now := time.Duration(0); out < a.Most; now += 100 * time.Microsecond {
				if making >= 0 && now >= making {
					idle, making = idle+1, -1
				}
				if now >= time.Duration(float64(out)/rate*float64(time.Second)) {
					if idle == 0 {
						t.Errorf("rate %.1f, %v: probe %d finds no connection", rate, takes, out+1)
						break
					}
					idle, out = idle-1, out+1
				}
				if making < 0 && idle < a.spare(out, takes) {
					making = now + takes
				}
			}
		}
	}
}

// farServer is a server in memory, behind a dial that takes a while. It closes
// connections that are idle for too long.
type farServer struct {
	*Pool
	answer time.Duration // how long an answer takes

	mu    sync.Mutex
	dials int
}

// pipes is a listener of connections in memory.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// newFar begins a server whose connections take so long to make. It must be
// called in a bubble, and its end waited for.
func newFar(t *testing.T, takes, keeps time.Duration) (s *farServer, end func()) {
	s = &farServer{}
	listener := make(pipes)
	server := &http.Server{IdleTimeout: keeps, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(s.answer)
		io.WriteString(w, "x\n")
	})}
	s.Pool = pool(t, "http://far.test", func(o *Options) {
		o.Dial = func(context.Context, string, string) (net.Conn, error) {
			s.mu.Lock()
			s.dials++
			s.mu.Unlock()
			time.Sleep(takes)
			near, far := net.Pipe()
			listener <- far
			return near, nil
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { server.Serve(listener) })
	all.Go(func() { s.Tend(ctx) })
	return s, func() {
		cancel()
		s.Close()
		close(listener)
		server.Close()
		all.Wait()
	}
}

func (s *farServer) made() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dials
}

// probe makes one request and tells how it got its connection.
func (s *farServer) probe(t *testing.T) (reused, closed bool) {
	e, err := s.Do(request(t, "http://far.test", "a"), probe.WarmConn, nil)
	defer e.Abort()
	if err != nil {
		t.Error(err)
		return false, false
	}
	text(t, e)
	e.Keep()
	return e.Reused, e.Closed
}

// Probes that pile up while the server stalls find a connection each, though
// they start twice as fast as connections can be made.
func TestNoProbeWaitsForAConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, end := newFar(t, 100*time.Millisecond, time.Hour)
		defer end()
		s.Aim(Aim{Rate: 20, Most: 16})
		s.probe(t) // makes the first connection
		time.Sleep(2 * time.Second)
		s.answer = 10 * time.Second
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				if reused, _ := s.probe(t); !reused {
					t.Errorf("probe %d made a connection", i)
				}
			})
			time.Sleep(50 * time.Millisecond)
		}
		all.Wait()
		if n := s.made(); n > 16 {
			t.Errorf("%d connections for at most 16 probes in flight", n)
		}
	})
}

// A server that closes idle connections after five seconds: at a probe a second
// they take turns and none is closed; at one in twenty seconds each probe says
// that its connection was closed, and spare ones are not made again and again.
func TestAServerThatClosesIdleConnections(t *testing.T) {
	const probes = 180
	for _, c := range []struct {
		every time.Duration
		most  int // connections
		fresh int // probes that make theirs
	}{{time.Second, 3, 1}, {2600 * time.Millisecond, 40, 2}, {20 * time.Second, probes + 20, probes}} {
		synctest.Test(t, func(t *testing.T) {
			s, end := newFar(t, 50*time.Millisecond, 5*time.Second)
			defer end()
			s.answer = 300 * time.Millisecond
			s.Aim(Aim{Rate: 1 / c.every.Seconds(), Most: 16})
			fresh := 0
			for i := range probes {
				reused, closed := s.probe(t)
				if !reused {
					fresh++
				}
				if i > 0 && reused == closed {
					t.Errorf("every %v: probe %d: reused %v, closed by the server %v", c.every, i, reused, closed)
				}
				time.Sleep(c.every - s.answer)
			}
			if n := s.made(); n > c.most || fresh > c.fresh {
				t.Errorf("every %v: %d connections and %d probes that made theirs, want at most %d and %d", c.every, n, fresh, c.most, c.fresh)
			}
		})
	}
}

// A host that can't be reached is dialed by its probes alone.
func TestADeadHostIsNotDialedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dials := 0
		p := pool(t, "http://dead.test", func(o *Options) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				dials++
				return nil, net.ErrClosed
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		var tend sync.WaitGroup
		tend.Go(func() { p.Tend(ctx) })
		p.Aim(Aim{Rate: 10, Most: 16})
		for range 20 {
			e, err := p.Do(request(t, "http://dead.test", ""), probe.WarmConn, nil)
			if err == nil {
				t.Error("it answers")
			}
			e.Abort()
			time.Sleep(100 * time.Millisecond)
		}
		cancel()
		tend.Wait()
		if dials != 20 {
			t.Errorf("%d dials for 20 probes", dials)
		}
	})
}
