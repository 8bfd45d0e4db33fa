package attempt

import (
	"bytes"
	"fmt"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
	"ttftop/probe/stream"
	"ttftop/probe/transport"
)

// longLine is the length from which a line is read in bulk, bulk bytes at a
// time: a byte at a time would keep the sender of a megabyte waiting for this
// program, and the wait would be booked to the server.
const (
	longLine = 4 << 10
	bulk     = 1 << 10
)

// A stream is cut when it has so many times the tokens that were asked for, and
// some more: the server takes no notice of the limit.
const (
	overrun      = 2
	overrunLeast = 256
)

// Overrun is the number of tokens above which a stream is cut where so many
// were asked for.
func Overrun(asked int) int { return overrun*asked + overrunLeast }

// lateRead is the delay of a read from which what it holds may have come at
// different times: the kernel keeps one stamp, that of the newest.
const lateRead = 200 * time.Microsecond

// feeder gives the bytes of a body to the parser line by line, each with the
// arrival of the read that completed it.
type feeder struct {
	run    *run
	from   *transport.Exchange
	to     *stream.Parser
	held   []byte
	line   int // bytes of the present line
	last   clock.Arrival
	tokens int  // token events seen so far
	late   bool // the read that brought the last of them came late
	reads  []tokenRead
	stood  time.Duration // how long this program stood still at most before the first

	answered bool
	bulk     [bulk]byte
}

// feed reads until the stream ends, fails, or says that it is done. io.EOF is
// a clean end.
func (f *feeder) feed() error {
	for !f.to.Done() {
		read := f.byte
		if f.line >= longLine {
			read = f.more
		}
		if err := read(); err != nil {
			if failed := f.flush(); failed != nil {
				return failed
			}
			return err
		}
	}
	return nil
}

// byte takes the next byte. A line is fed as soon as it ends, and what has come
// of it when another read begins.
func (f *feeder) byte() error {
	b, arrival, err := f.from.Next()
	if err != nil {
		return err
	}
	if arrival.Seq != f.last.Seq || len(f.held) >= longLine {
		if err := f.flush(); err != nil {
			return err
		}
		f.last = arrival
	}
	f.held = append(f.held, b)
	f.line++
	if isEnd(b) {
		f.line = 0
		return f.flush()
	}
	return nil
}

// more takes more of a long line, and what follows it in the same piece.
func (f *feeder) more() error {
	n, arrival, err := f.from.More(f.bulk[:])
	if err != nil {
		return err
	}
	if err := f.flush(); err != nil {
		return err
	}
	f.last = arrival
	f.held = append(f.held, f.bulk[:n]...)
	f.line += n
	if i := bytes.LastIndexAny(f.held, "\n\r"); i >= 0 {
		f.line = n - 1 - i
	}
	return f.flush()
}

func isEnd(b byte) bool { return b == '\n' || b == '\r' }

func (f *feeder) flush() error {
	if len(f.held) == 0 {
		return nil
	}
	if asked := f.run.spec.Output; asked > 0 && f.to.TokenEvents() > Overrun(asked) {
		return &probe.Failure{Kind: probe.FailStream, Message: fmt.Sprintf("the stream goes on after %d tokens, with %d asked for: cut", f.to.TokenEvents(), asked)}
	}
	at := f.from.Base.Offset(f.last)
	f.run.stamp(f.last, at)
	err := f.to.Feed(f.held, at, f.last.Seq)
	f.held = f.held[:0]
	f.progress()
	return err
}

// progress tells the screen of a first token and the guard of each.
func (f *feeder) progress() {
	n := f.to.TokenEvents()
	if n == f.tokens {
		return
	}
	if f.tokens == 0 {
		f.run.step(probe.StepToken, f.to.FirstToken().At)
	}
	if first := f.to.FirstAnswer(); first.OK && !f.answered {
		f.answered = true
		f.run.step(probe.StepAnswer, first.At)
	}
	f.noteTokens(n - f.tokens)
	f.tokens = n
	f.late = f.last.Delay() > lateRead
	f.run.guard.enter(probe.PhaseStall, n)
}
