// Package session runs a prober and folds what it tells into a tally, writing
// the records on the way. The screen and the headless commands both stand on
// it.
//
// Start with New, then Run; read with View, turn with Apply.
package session

import (
	"context"
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/probe/record"
	"ttftop/probe/tally"
)

// Config is a session.
type Config struct {
	Prober  prober.Config
	Version string
	Records []*record.Writer                // each gets every record
	On      func(probe.Event, *tally.Tally) // told of each event after it is folded; may be nil
}

// Session is a running session. Its methods are safe for concurrent use.
type Session struct {
	config  Config
	prober  *prober.Prober
	changed chan struct{}
	ended   chan struct{} // closed when all is folded

	mu       sync.Mutex
	tally    *tally.Tally
	writeErr error // of the last record, nil where all took it
}

// New makes a session. The error names what of the configuration is wrong.
func New(c Config) (*Session, error) {
	p, err := prober.New(c.Prober)
	if err != nil {
		return nil, err
	}
	return &Session{
		config: c, prober: p, changed: make(chan struct{}, 1), ended: make(chan struct{}),
		tally: tally.New(c.Prober.Targets, c.Prober.Settings, time.Now(), c.Prober.Timeout),
	}, nil
}

// Run probes until ctx ends or all has been done that was asked for; it is
// called once. When it returns, nothing of the session runs any more and all records are written.
func (s *Session) Run(ctx context.Context) {
	defer close(s.ended)
	s.write(record.Begin(s.config.Version, time.Now(), s.config.Prober.Targets, s.config.Prober.Settings))
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	wait.Go(func() { s.prober.Run(ctx) })
	defer func() {
		cancel()
		wait.Wait()
		s.touch()
	}()
	for e := range s.prober.Events() {
		s.fold(e)
	}
}

func (s *Session) fold(e probe.Event) {
	if f, ok := e.(probe.Fence); ok {
		f.Passed()
		return
	}
	if n, ok := e.(probe.Notice); ok {
		n.At = time.Now()
		e = n
	}
	switch e := e.(type) {
	case probe.Finished:
		s.write(record.FromResult(&e.Result, s.config.Prober.Targets[e.Result.Target].Name))
	case probe.Changed:
		s.write(record.Setting(e, s.config.Prober.Targets))
	case probe.Marked:
		s.write(record.Mark(e))
	case probe.Notice:
		s.write(record.Notify(e, s.config.Prober.Targets))
	case probe.Cleared: // a new epoch without a change, for those who read along
		s.write(record.Setting(probe.Changed{Epoch: e.Epoch, At: e.At, Before: e.Settings, Settings: e.Settings}, s.config.Prober.Targets))
	}
	s.take(e)
	s.touch()
}

// take folds an event into the tally. The lock is given back even by a panic,
// since the screen needs the tally to end.
func (s *Session) take(e probe.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tally.Fold(e)
	if s.config.On != nil {
		s.config.On(e, s.tally)
	}
}

// write writes a record everywhere. Measuring goes on when a file can't take
// it; View shows the error.
func (s *Session) write(line any) {
	var first error
	for _, w := range s.config.Records {
		if err := w.Write(line); first == nil {
			first = err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writeErr = first
}

// touch tells that something has changed.
func (s *Session) touch() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// Changed gets a value after something has changed; several changes may give
// one value.
func (s *Session) Changed() <-chan struct{} { return s.changed }

// View calls f with the tally, which f must not keep, and with the error of
// the last record that could not be written.
func (s *Session) View(f func(*tally.Tally, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s.tally, s.writeErr)
}

// Allowed are settings with as much batch pressure as the system has room for,
// and why it is less than was asked for; nil where it is not.
func (s *Session) Allowed(settings probe.Settings) (probe.Settings, error) {
	return s.prober.Allowed(settings)
}

// Apply turns the knobs.
func (s *Session) Apply(ctx context.Context, settings probe.Settings) {
	s.prober.Apply(ctx, settings)
}

// Mark drops a marker with a note on the time axis and into the records.
func (s *Session) Mark(ctx context.Context, note string) { s.prober.Mark(ctx, note) }

// Clear begins the figures anew; the records go on.
func (s *Session) Clear(ctx context.Context) { s.prober.Clear(ctx) }

// Settle waits until everything that the calls before it changed is in the tally
// and in the records, or Run has returned, or ctx ends. What View shows before
// that may still be as it was.
func (s *Session) Settle(ctx context.Context) {
	passed := make(chan struct{})
	if !s.prober.Fence(ctx, func() { close(passed) }) {
		passed = nil // what was told last is folded before Run returns
	}
	select {
	case <-passed:
	case <-s.ended:
	case <-ctx.Done():
	}
}

// Settings are the present knobs.
func (s *Session) Settings() probe.Settings { return s.prober.Settings() }
