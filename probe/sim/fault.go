package sim

import (
	"cmp"
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
// each with the probability given (0 means 1). Of several that may hit a request each
// does with its own probability, and one at most.
type Fault struct {
	Kind        FaultKind
	From, Count int
	Probability float64

	Status     int           // of FaultStatus, 400 to 599
	RetryAfter time.Duration // of FaultStatus, whole seconds
	After      int           // tokens
	For        time.Duration // of FaultStall
}

// Bounds of a fault.
const (
	mostFaultTokens = 1 << 20
	mostFaultTime   = time.Hour
)

// check finds what can't be.
func (f Fault) check() error {
	switch {
	case f.Kind < FaultStatus || f.Kind > FaultLateHeaders:
		return errors.New("a fault has no kind: write " + faultForms)
	case f.Kind == FaultStatus && (f.Status < 400 || http.StatusText(f.Status) == ""):
		return fmt.Errorf("a fault answers with status %d: use one that there is from 400 on, such as 429 or 503", f.Status)
	case f.From < 0 || f.Count < 0:
		return errors.New("a fault begins with request 1 or later, and hits 0 requests or more")
	case f.After < 0 || f.After > mostFaultTokens:
		return fmt.Errorf("a fault comes after %d tokens: use 0 to %d", f.After, mostFaultTokens)
	case f.For < 0 || f.For > mostFaultTime || f.RetryAfter < 0 || f.RetryAfter > mostFaultTime:
		return fmt.Errorf("a fault has the time %v: use 0s to %s", cmp.Or(f.For, f.RetryAfter), brief(mostFaultTime))
	case !(f.Probability >= 0 && f.Probability <= 1):
		return fmt.Errorf("a fault has the probability %s: use 0 to 1", plainly(f.Probability))
	}
	return nil
}

// checkFaults finds faults that can't be, by themselves or together.
func (c Config) checkFaults() error {
	for i, f := range c.Faults {
		field := fmt.Sprintf("faults.%d", i)
		if err := f.check(); err != nil {
			return misfit(field, err)
		}
		sum := 0.0
		for _, other := range c.Faults {
			if other.reaches(max(f.From, 1)) {
				sum += other.Probability
			}
		}
		if sum > 1+1e-9 {
			return misfit(field, fmt.Errorf("the probabilities of faults that hit the same requests add up to %.4g: let them add up to at most 1", sum))
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

// reaches reports whether request number n, counted from 1, may be the fault's.
func (f Fault) reaches(n int) bool {
	from := max(f.From, 1)
	return n >= from && (f.Count == 0 || n < from+f.Count)
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
	chance := f.rng.Float64()
	for _, fault := range f.list {
		if !fault.reaches(f.seen) {
			continue
		}
		if fault.Probability == 0 || chance < fault.Probability {
			return fault
		}
		chance -= fault.Probability
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
