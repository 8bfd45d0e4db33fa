package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
)

// trace collects the marks of one exchange from net/http's goroutines.
type trace struct {
	written chan struct{} // told when the request, or more of it, is written

	mu       sync.Mutex
	base     clock.Base
	on       func(probe.Step, time.Duration)
	marks    probe.Timeline
	conn     clock.Conn
	dialedTo string
	found    []string
	queued   bool      // the kernel still had something of the request to send once it was written
	moves    bool      // the start is yet to be moved to the first write
	alone    bool      // nothing but the request is written (HTTP/1)
	begun    bool      // something was written
	given    bool      // net/http has nothing more to hand to its buffer
	unsent   time.Time // when something of the request was last known not to have left
	tls      *tls.ConnectionState
	sealed   bool // the exchange has gone on: late callbacks change nothing
}

func newTrace(base clock.Base, on func(probe.Step, time.Duration)) *trace {
	return &trace{base: base, on: on, written: make(chan struct{}, 1)}
}

// context returns a context whose requests and dials are traced.
func (t *trace) context(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart:     func(httptrace.DNSStartInfo) { t.mark(&t.marks.DNSStart, "") },
		DNSDone:      t.resolved,
		ConnectStart: func(_, address string) { t.connectStart(address) },
		ConnectDone: func(_, address string, err error) {
			if err == nil {
				t.mark(&t.marks.ConnectDone, probe.StepConnect)
			}
		},
		TLSHandshakeStart: func() { t.mark(&t.marks.TLSStart, "") },
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			if err == nil {
				t.shook(state)
			}
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				t.gave()
			}
		},
		GotFirstResponseByte: t.firstByte,
	})
}

// own tells which connection the request goes out on. On one that was there
// before, the start is moved to the first write.
func (t *trace) own(l *link, there bool) {
	t.mu.Lock()
	t.conn, t.unsent = l.conn, time.Now()
	t.moves = there
	t.alone = l.tls == nil || l.tls.NegotiatedProtocol != "h2"
	t.mu.Unlock()
	t.mark(&t.marks.GotConn, "")
}

// writing tells that some of the request is about to be written, at an instant:
// until now not all of it was.
func (t *trace) writing(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sealed {
		return
	}
	if t.moves {
		t.moves = false
		t.base, t.marks.GotConn = clock.StartAt(at), probe.At(0)
	}
	if t.alone {
		t.begun, t.unsent = true, at
		t.marks.Written, t.marks.Sent = probe.Mark{}, probe.Mark{}
	}
}

// wrote tells that some of the request was written: the end of it, where
// net/http had handed over everything.
func (t *trace) wrote() {
	t.mu.Lock()
	end := t.alone && t.given
	t.mu.Unlock()
	if end {
		t.ended()
	}
}

// gave tells that net/http has handed over everything, to a buffer that it
// empties next where it holds something. Nobody says whether it does, but when
// nothing was written yet that is known.
func (t *trace) gave() {
	t.mu.Lock()
	t.given = true
	end := t.begun || !t.alone
	t.mu.Unlock()
	if end {
		t.ended()
	}
}

// start is the start of the request.
func (t *trace) start() clock.Base {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.base
}

// mark sets a mark to now, the first time.
func (t *trace) mark(m *probe.Mark, step probe.Step) { t.markAt(m, step, time.Now()) }

// markAt sets a mark, the first time.
func (t *trace) markAt(m *probe.Mark, step probe.Step, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.set(m, step, t.base.Since(at))
}

// set sets a mark, the first time. The caller holds mu.
func (t *trace) set(m *probe.Mark, step probe.Step, at time.Duration) {
	if t.sealed || m.OK {
		return
	}
	*m = probe.At(at)
	if step != "" && t.on != nil {
		t.on(step, at)
	}
}

// connectStart may come once per address that is tried; the last one counts.
func (t *trace) connectStart(address string) {
	t.mu.Lock()
	t.dialedTo = address
	t.mu.Unlock()
	t.mark(&t.marks.ConnectStart, "")
}

// resolved notes the addresses of a name.
func (t *trace) resolved(info httptrace.DNSDoneInfo) {
	t.mark(&t.marks.DNSDone, probe.StepDNS)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range info.Addrs {
		t.found = append(t.found, a.String())
	}
}

func (t *trace) names() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.found
}

// shook notes how a handshake went.
func (t *trace) shook(state tls.ConnectionState) {
	t.mark(&t.marks.TLSDone, probe.StepTLS)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tls = &state
}

func (t *trace) handshake() *tls.ConnectionState {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tls
}

// ended marks the end of the writing, as far as it is known. Most requests have
// left by then, and asking the kernel at once saves waking the watcher.
func (t *trace) ended() {
	asked := time.Now()
	t.markAt(&t.marks.Written, "", asked)
	info, err := t.conn.Info()
	now := time.Now()
	t.mu.Lock()
	if err == nil && info.Known {
		t.queued = info.NotSent > 0
		switch {
		case info.NotSent == 0:
			t.set(&t.marks.Sent, probe.StepSent, t.base.Since(clock.LeftAt(t.unsent, now, info.SinceSend)))
		case t.queued:
			t.unsent = asked
		}
	}
	t.mu.Unlock()
	select {
	case t.written <- struct{}{}:
	default:
	}
}

func (t *trace) firstByte() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conn != nil {
		t.set(&t.marks.FirstByte, "", t.base.Offset(t.conn.Arrival()))
	}
}

// watch waits for the end of the upload in a goroutine of its own and returns
// the function that ends and awaits it. One that gets its turn only then still
// asks when the last byte left.
func (t *trace) watch(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for over := false; !over; {
			select {
			case <-t.written:
			case <-ctx.Done():
			}
			over = ctx.Err() != nil
			t.follow(ctx)
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// follow waits until what was written has left, where that is not known yet.
func (t *trace) follow(ctx context.Context) {
	t.mu.Lock()
	unsent, wait := t.unsent, t.marks.Written.OK && !t.marks.Sent.OK
	t.mu.Unlock()
	if !wait {
		return
	}
	at, ok := clock.WaitSent(ctx, t.conn, unsent)
	t.mu.Lock()
	defer t.mu.Unlock()
	if ok && t.unsent.Equal(unsent) { // else more was written since
		t.set(&t.marks.Sent, probe.StepSent, t.base.Since(at))
	}
}

// sending reports whether the request had not left in full, as far as it is
// known.
func (t *trace) sending() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.marks
	return m.GotConn.OK && !m.Sent.OK && !m.FirstByte.OK && (!m.Written.OK || t.queued)
}

// reached tells a step from outside the trace's own marks.
func (t *trace) reached(step probe.Step, at time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.on != nil {
		t.on(step, at)
	}
}

// timeline seals the trace and returns its marks in an order that holds: the
// request is sent when it was written, or later where the kernel said so, and
// never after the first byte of the answer.
func (t *trace) timeline() probe.Timeline {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sealed = true
	m := t.marks
	if !m.Sent.OK {
		m.Sent = m.Written
	}
	if m.FirstByte.OK && m.Sent.OK {
		m.Sent.At = min(m.Sent.At, m.FirstByte.At)
	}
	if m.Sent.OK && m.Written.OK {
		m.Written.At = min(m.Written.At, m.Sent.At)
	}
	return m
}

// address is what was last dialed, without a zone's name.
func (t *trace) address() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, _, err := net.SplitHostPort(t.dialedTo); err != nil {
		return ""
	}
	return t.dialedTo
}
