package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// outlet writes to a file in a goroutine of its own, so that one that takes
// nothing (a pipe that nobody reads, a terminal that is held) can't keep the
// program from ending once it is to. Close it.
type outlet struct {
	pieces chan []byte
	done   chan struct{} // closed once all is written
	gaveUp chan struct{} // closed once what is not written yet is given up

	mu  sync.Mutex
	err error // the first
}

// outletGrace is how long the file has to take the rest once the program is to
// end; outletRoom how many pieces wait for it before the writer does.
const (
	outletGrace = 2 * time.Second
	outletRoom  = 1024
)

var errStuck = errors.New("it takes nothing: the rest is lost")

// newOutlet writes to out until Close, or until a while after ctx has ended.
func newOutlet(ctx context.Context, out io.Writer) *outlet {
	o := &outlet{pieces: make(chan []byte, outletRoom), done: make(chan struct{}), gaveUp: make(chan struct{})}
	go o.run(out)
	context.AfterFunc(ctx, func() {
		select {
		case <-o.done:
		case <-time.After(outletGrace):
			o.failed(errStuck)
			close(o.gaveUp)
		}
	})
	return o
}

// run writes the pieces in order. After half a line the next piece begins on a
// line of its own.
func (o *outlet) run(out io.Writer) {
	defer close(o.done)
	broken := false
	for piece := range o.pieces {
		if broken {
			piece = append([]byte{'\n'}, piece...)
		}
		n, err := out.Write(piece)
		if err != nil {
			o.failed(err)
		}
		if n > 0 {
			broken = piece[n-1] != '\n'
		}
	}
}

func (o *outlet) failed(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
}

// Err is the first error, nil where all that was written so far is out.
func (o *outlet) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Write implements io.Writer. The error is the first of all writes so far, and
// may come with a later one.
func (o *outlet) Write(b []byte) (int, error) {
	select {
	case o.pieces <- bytes.Clone(b):
	case <-o.gaveUp:
	}
	return len(b), o.Err()
}

// Close waits until all is written or given up, and returns the first error.
// Nothing may be written after it.
func (o *outlet) Close() error {
	close(o.pieces)
	select {
	case <-o.done:
	case <-o.gaveUp:
	}
	return o.Err()
}
