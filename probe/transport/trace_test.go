package transport

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
)

// slowPath takes bytes at once and sends so many of them a second.
type slowPath struct {
	net.Conn
	rate float64

	mu   sync.Mutex
	free time.Time // when all has left
}

func (s *slowPath) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); s.free.Before(now) {
		s.free = now
	}
	s.free = s.free.Add(time.Duration(float64(len(b)) / s.rate * float64(time.Second)))
	return len(b), nil
}

func (*slowPath) Arrival() clock.Arrival { return clock.Arrival{} }

func (s *slowPath) Info() (clock.Info, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := max(0, time.Until(s.free))
	return clock.Info{Known: true, NotSent: int(left.Seconds() * s.rate), SinceSend: max(0, time.Since(s.free))}, nil
}

// slowRequest is a traced one over a slow path.
func slowRequest(there bool) (*trace, *outgoing) {
	path := &slowPath{rate: 100_000}
	t := newTrace(clock.Start(), nil)
	out := &outgoing{Conn: path}
	t.own(&link{conn: path, out: out}, there)
	out.carries.Store(t)
	return t, out
}

const ms = time.Millisecond

// A watcher that gets its turn only when the answer is there still tells how
// long the upload took.
func TestALateWatcherKnowsWhenTheUploadEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, out := slowRequest(true)
		time.Sleep(5 * ms)
		out.Write(make([]byte, 4_000))
		out.Write(make([]byte, 36_000))
		tr.gave()
		time.Sleep(time.Second) // and an answer came
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		tr.watch(ctx)()
		if m := tr.timeline(); m.Written != probe.At(0) || m.Sent != probe.At(400*ms) {
			t.Errorf("written at %v, sent at %v; want 0 and 400 ms", m.Written, m.Sent)
		}
	})
}

// A request that fits into net/http's buffer is handed over before any of it is
// written: its marks are those of the writing.
func TestABufferedRequestIsWrittenWhenItIs(t *testing.T) {
	for _, there := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			tr, out := slowRequest(there)
			stop := tr.watch(t.Context())
			time.Sleep(30 * ms)
			tr.gave()
			time.Sleep(20 * ms) // as a busy program does, with nothing written yet
			if tr.isMarked() || !tr.sending() {
				t.Error("nothing was written yet")
			}
			out.Write(make([]byte, 2_000))
			synctest.Wait()
			out.Write(make([]byte, 1_000)) // TLS writes a request in several records
			time.Sleep(time.Second)
			stop()
			want := time.Duration(0)
			if !there {
				want = 50 * ms
			}
			m := tr.timeline()
			if late := m.Sent.At - want - 30*ms; m.Written != probe.At(want) || late < 0 || late > ms {
				t.Errorf("there %v: written at %v, sent at %v; want %v and 30 ms more", there, m.Written, m.Sent, want)
			}
		})
	}
}

func (t *trace) isMarked() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.marks.Written.OK || t.marks.Sent.OK
}
