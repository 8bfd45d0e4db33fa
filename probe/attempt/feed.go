package attempt

import (
	"fmt"

	"ttftop/probe"
	"ttftop/probe/clock"
	"ttftop/probe/stream"
	"ttftop/probe/transport"
)

// feedLimit is the most that is held back of a long line before it is fed.
const feedLimit = 4 << 10

// A stream is cut when it has so many times the tokens that were asked for, and
// some more: the server takes no notice of the limit.
const (
	overrun      = 2
	overrunLeast = 256
)

// feeder gives the bytes of a body to the parser line by line, each with the
// arrival of the read that completed it.
type feeder struct {
	run    *run
	from   *transport.Exchange
	to     *stream.Parser
	held   []byte
	last   clock.Arrival
	tokens int // token events seen so far

	answered bool
}

// feed reads until the stream ends, fails, or says that it is done. io.EOF is
// a clean end.
func (f *feeder) feed() error {
	for !f.to.Done() {
		b, arrival, err := f.from.Next()
		if err != nil {
			if failed := f.flush(); failed != nil {
				return failed
			}
			return err
		}
		if arrival.Seq != f.last.Seq || len(f.held) >= feedLimit {
			if err := f.flush(); err != nil {
				return err
			}
			f.last = arrival
		}
		f.held = append(f.held, b)
		if b == '\n' || b == '\r' {
			if err := f.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *feeder) flush() error {
	if len(f.held) == 0 {
		return nil
	}
	if n := f.to.TokenEvents(); f.run.spec.Output > 0 && n > overrun*f.run.spec.Output+overrunLeast {
		return &probe.Failure{Kind: probe.FailStream, Message: fmt.Sprintf("the stream goes on after %d tokens, with %d asked for: cut", n, f.run.spec.Output)}
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
	f.tokens = n
	f.run.guard.enter(probe.PhaseStall, n)
}
