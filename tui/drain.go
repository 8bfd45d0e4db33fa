package tui

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// drain is the terminal as the program writes to it. It learns how fast what is
// written gets away, so that frames never pile up on a slow link: what a person
// sees must be of now.
type drain struct {
	*os.File
	out   *outflow
	queue queue
	sent  atomic.Int64 // bytes
	echo  *echo        // of a terminal at the far end of a connection; nil for a near one
}

func newDrain(f *os.File) *drain { return &drain{File: f, out: openOutflow(f)} }

// Write implements io.Writer.
func (d *drain) Write(b []byte) (int, error) {
	start := time.Now()
	n, full, err := d.out.write(b)
	if d.out.stuck() {
		d.queue.forget(time.Now())
	} else {
		d.queue.wrote(n, full, start, time.Now())
	}
	d.sent.Add(int64(n))
	return n, err
}

// drawnWithin is how long after its message a frame is written at most, where
// the terminal takes it.
const drawnWithin = 2 * time.Second / fps

// settle waits, once a frame was given to the program, until the next one may be:
// for as long as one is seen at least, and until the one before has got away.
// send brings a message to the program.
func (d *drain) settle(ctx context.Context, send func(tea.Msg)) {
	next := time.Now().Add(moveEvery)
	if d.echo != nil {
		if !until(ctx, nil, drawnWithin) {
			return
		}
		if d.ours() && d.echo.ask(d.sent.Load(), time.Now()) {
			send(tea.RawMsg{Msg: statusQuestion})
		}
	}
	now := time.Now()
	if !until(ctx, nil, max(next.Sub(now), d.guess(now))) {
		return
	}
	d.echo.wait(ctx)
}

// stuckLook is how often is looked whether a terminal that takes nothing does again,
// or the program is to end.
const stuckLook = 100 * time.Millisecond

// relieve waits while the terminal takes nothing, and then has it catch up; it
// returns how long that took, 0 where the terminal takes what is written. Where it
// has missed a frame the next is drawn as a whole.
func (d *drain) relieve(ctx context.Context, send func(tea.Msg)) time.Duration {
	if !d.out.stuck() {
		return 0
	}
	start := time.Now()
	for ctx.Err() == nil {
		all, err := d.out.relieve(stuckLook)
		if all || err != nil { // an error comes to the program with the next write
			break
		}
	}
	if d.out.missed() {
		send(tea.ClearScreen())
	}
	return time.Since(start)
}

// filter is the echo's, but nothing is waited for on a terminal that takes nothing.
func (d *drain) filter(ctx context.Context, msg tea.Msg) tea.Msg {
	if _, quits := msg.(tea.QuitMsg); quits && d.out.stuck() {
		return msg
	}
	return d.echo.filter(ctx, msg)
}

// ours reports whether answers of the terminal come to this program.
func (d *drain) ours() bool { return d.out == nil || d.out.ours() }

// guess is for how long the queue alone would have a frame wait: not at all
// where the terminal itself says how far it has come.
func (d *drain) guess(now time.Time) time.Duration {
	if d.echo.sure() {
		return 0
	}
	return d.queue.pause(now)
}

// queue is a guess at the bytes between the program and the eyes: in the
// pseudo-terminal and in what carries it on. It is full at the end of a write
// that found it so. What was written from one such end to the next has left it
// in that time, unless it was empty in between.
type queue struct {
	mu     sync.Mutex
	rate   float64 // bytes per second that leave it; 0 where nothing ever waited
	bytes  float64 // in it
	at     time.Time
	full   time.Time     // when it was full last
	since  float64       // bytes written since
	faster time.Time     // when the rate was last raised, or found
	raises time.Duration // how long to keep a rate before it is raised
}

// What a full queue holds (8 KiB of a pseudo-terminal, 4 KiB of its reader's, as
// much again of a pipe's); how much time's worth of bytes may be in it when the
// next frame is drawn; and which share of the rate is used, so that it gets empty. A queue that kept up for a
// while is tried a little faster, until it is as fast as any.
const (
	fullQueue  = 16 << 10
	staleFor   = 0.2 // seconds
	usedShare  = 0.8
	tryAfter   = 30 * time.Second // and twice as long after each vain try
	tryAtLast  = 10 * time.Minute
	tryFaster  = 1.25
	freeRate   = 256 << 10 // bytes per second
	longestGap = 2 * time.Second
	stalledFor = 5 * time.Second // and longer: nobody read; that tells nothing of the rate
)

// wrote notes n bytes written from start to end, and whether the queue was full
// meanwhile.
func (q *queue) wrote(n int, full bool, start, end time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass(end)
	q.bytes += float64(n)
	q.since += float64(n)
	if !full {
		return
	}
	waited := max(end.Sub(start), time.Microsecond)
	if waited > stalledFor {
		q.reset(end)
		return
	}
	between := end.Sub(q.full)
	if between > tryAfter { // it may have been empty: the most it can be
		q.since, between = float64(n), waited
	}
	q.rate, q.bytes = max(1, q.since)/between.Seconds(), fullQueue
	q.full, q.since, q.faster = end, 0, end
	q.raises = min(max(tryAfter, 2*q.raises), tryAtLast)
}

// forget notes that nobody reads, which tells nothing of the rate.
func (q *queue) forget(now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reset(now)
}

func (q *queue) reset(now time.Time) { q.rate, q.bytes, q.raises, q.full, q.since = 0, 0, 0, now, 0 }

// pause is how long to wait before the next frame is drawn.
func (q *queue) pause(now time.Time) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass(now)
	if q.rate == 0 {
		return 0
	}
	left := (q.bytes - staleFor*q.rate) / (usedShare * q.rate)
	return min(longestGap, max(0, time.Duration(left*float64(time.Second))))
}

// pass lets time go by until now.
func (q *queue) pass(now time.Time) {
	if q.rate > 0 {
		q.bytes = max(0, q.bytes-usedShare*q.rate*now.Sub(q.at).Seconds())
		if now.Sub(q.faster) > q.raises {
			q.rate, q.faster = tryFaster*q.rate, now
		}
	}
	if q.rate == 0 || q.rate > freeRate {
		q.rate, q.bytes, q.raises = 0, 0, 0
	}
	q.at = now
}
