package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// FaultKind says what goes wrong with a request.
type FaultKind int

// The faults.
const (
	FaultStatus      FaultKind = iota + 1 // answered with Status, and Retry-After where RetryAfter is set
	FaultStall                            // no token after the first After for the time For, or for good where For is 0
	FaultCut                              // the connection ends after After tokens, in the middle of the stream
	FaultReset                            // the same with a TCP reset
	FaultLateHeaders                      // headers are held back until the first token, whatever the dialect
)

// Fault is something that goes wrong on purpose. It hits chat requests by
// number, by chance, or by both: those from number From on (1 is the first
// request of the server; 0 means 1), Count of them (0 for all that follow),
// each with the probability given (0 means 1).
type Fault struct {
	Kind        FaultKind
	From, Count int
	Probability float64

	Status     int           // of FaultStatus, 400 to 599
	RetryAfter time.Duration // of FaultStatus, whole seconds
	After      int           // tokens
	For        time.Duration // of FaultStall
}

// check finds what can't be.
func (f Fault) check() error {
	switch {
	case f.Kind < FaultStatus || f.Kind > FaultLateHeaders:
		return fmt.Errorf("fault kind %d is not known", f.Kind)
	case f.Kind == FaultStatus && (f.Status < 400 || f.Status > 599):
		return fmt.Errorf("a fault answers with status %d: use 400 to 599, such as 429 or 503", f.Status)
	case f.From < 0 || f.Count < 0 || f.After < 0 || f.For < 0 || f.RetryAfter < 0:
		return errors.New("a fault begins with request 1 or later, and hits 0 or more, after 0 or more tokens, for 0s or more")
	case !(f.Probability >= 0 && f.Probability <= 1):
		return fmt.Errorf("a fault has the probability %v: use 0 to 1", f.Probability)
	}
	return nil
}

func (c Config) checkFaults() error {
	for _, f := range c.Faults {
		if err := f.check(); err != nil {
			return err
		}
	}
	return nil
}

// checkFault finds what can't be in the fault of the levers.
func (l Levers) checkFault() error {
	if l.Fault == (Fault{}) {
		return nil
	}
	return l.Fault.check()
}

func (f Fault) faster(speed float64) Fault {
	f.For = shorter(f.For, speed)
	return f
}

// hits reports whether request number n, counted from 1, is the fault's; chance
// draws a number from 0 up to 1.
func (f Fault) hits(n int, chance func() float64) bool {
	from := max(f.From, 1)
	if n < from || (f.Count > 0 && n >= from+f.Count) {
		return false
	}
	return f.Probability == 0 || chance() < f.Probability
}

// faults hands each request the fault that hits it.
type faults struct {
	mu   sync.Mutex
	list []Fault
	rng  *rand.Rand
	seen int
}

func newFaults(list []Fault, seed uint64) *faults {
	return &faults{list: list, rng: rand.New(rand.NewPCG(seed, 0xfa17))}
}

// next is the fault of the next request, the zero Fault for none: one of the
// list, else that of the levers.
func (f *faults) next(l Levers) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen++
	for _, fault := range f.list {
		if fault.hits(f.seen, f.rng.Float64) {
			return fault
		}
	}
	if l.Fault.Kind != 0 && f.rng.Float64() < l.FaultShare {
		return l.Fault
	}
	return Fault{}
}

// strike does what the fault does before token number sent+1 is written. It
// does not return where that ends the connection, and returns false where the
// stream is over.
func (f Fault) strike(ctx context.Context, sent int) bool {
	if sent != f.After {
		return true
	}
	switch f.Kind {
	case FaultStall:
		return f.stall(ctx)
	case FaultReset:
		resetOnClose(ctx)
		panic(http.ErrAbortHandler)
	case FaultCut:
		panic(http.ErrAbortHandler)
	}
	return true
}

func (f Fault) stall(ctx context.Context) bool {
	if f.For == 0 {
		<-ctx.Done()
		return false
	}
	return wait(ctx.Done(), time.Now().Add(f.For))
}

// connKey is where a request's context has its connection.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// resetOnClose makes closing the request's connection a reset.
func resetOnClose(ctx context.Context) {
	if c, ok := ctx.Value(connKey{}).(interface{ SetLinger(int) error }); ok {
		c.SetLinger(0)
	}
}
