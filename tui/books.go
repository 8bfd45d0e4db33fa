package tui

import (
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
	"ttftop/probe/tally"
)

// booksKept is how many probes of each target the books remember: as many as
// the figures of an epoch are taken from.
const booksKept = 10_000

// books are what a simulator says of the probes that the screen shows. They are
// copied when a probe ends, since a simulator forgets. Nil books are empty. The
// methods are safe for concurrent use.
type books struct {
	truth func(target int, requestID string) (probe.Waterfall, bool)

	mu    sync.Mutex
	kept  map[int]probe.Waterfall // server time by the probe's number
	order map[int][]int           // numbers by target, oldest first
}

// newBooks are nil where there is no truth.
func newBooks(truth func(int, string) (probe.Waterfall, bool)) *books {
	if truth == nil {
		return nil
	}
	return &books{truth: truth, kept: map[int]probe.Waterfall{}, order: map[int][]int{}}
}

// note copies what is said of a probe that has ended.
func (b *books) note(e probe.Event, _ *tally.Tally) {
	f, ok := e.(probe.Finished)
	if b == nil || !ok || !f.Result.TTFT().OK {
		return
	}
	r := &f.Result
	w, ok := b.truth(r.Target, r.RequestID)
	if !ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept[r.Seq] = w
	order := append(b.order[r.Target], r.Seq)
	if len(order) > booksKept {
		delete(b.kept, order[0])
		order = order[1:]
	}
	b.order[r.Target] = order
}

// lay puts the truth beside the waterfalls of a new state.
func (b *books) lay(st *state) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range st.targets {
		v := &st.targets[i]
		if last := v.Last; last != nil {
			if w, ok := b.kept[last.Seq]; ok {
				last.Truth = beside(last.Waterfall, w)
			}
		}
		v.P50Truth = b.mean(st.nearest[i], v.P50.Total())
	}
}

// mean is the truth of the probes that a p50 waterfall is the mean of, as far
// as it is remembered; nil where none of it is.
func (b *books) mean(probes []*probe.Result, p50 time.Duration) probe.Waterfall {
	var truths []probe.Waterfall
	for _, r := range probes {
		if w, ok := b.kept[r.Seq]; ok {
			truths = append(truths, beside(r.Waterfall, w))
		}
	}
	if len(truths) == 0 {
		return nil
	}
	return cut.Mean(truths, p50)
}

// beside is the true waterfall of a probe: the server time as the simulator has
// it, and before it the network, which is all the rest of the TTFT. Of that, the
// client's own steps stand as they were measured, and the way there and back
// takes what they leave.
func beside(measured, server probe.Waterfall) probe.Waterfall {
	left := max(0, measured.Total()-server.Total())
	var w probe.Waterfall
	for _, s := range measured {
		switch s.Name {
		case probe.DNS, probe.Connect, probe.TLS, probe.Send:
			s.Duration = min(s.Duration, left)
		case probe.RTT:
			s.Duration = left
		default:
			continue
		}
		left -= s.Duration
		w = append(w, s)
	}
	return append(w, server...)
}
