package attempt

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
	"ttftop/probe/stream"
)

// A first token whose arrival is certain to a millisecond, or to 1 % of the
// TTFT, is good. A standstill of this program is told from the usual lateness
// by being longer than 5 ms and 5 % of the TTFT.
const (
	certain       = time.Millisecond
	certainPart   = 100
	standingLeast = 5 * time.Millisecond
	standingPart  = 20
)

// promptReads is how many later reads it takes to tell what a server sends at
// once: of those that came in time, or else of all.
const promptReads = 3

// mostReads is how many reads of tokens are looked at.
const mostReads = 256

// tokenRead is a read that completed token events.
type tokenRead struct {
	arrival clock.Arrival
	tokens  int
}

// noteTokens notes that the last read completed so many more token events.
func (f *feeder) noteTokens(n int) {
	if last := len(f.reads) - 1; last >= 0 && f.reads[last].arrival.Seq == f.last.Seq {
		f.reads[last].tokens += n
		return
	}
	if len(f.reads) == 0 && f.run.spec.Stood != nil {
		f.stood = f.run.spec.Stood(f.from.Base.Time())
	}
	if len(f.reads) < mostReads {
		f.reads = append(f.reads, tokenRead{f.last, n})
	}
}

// lateFirst reports whether this program came so late to the first token that
// its arrival, and so the TTFT, may be wrong.
func (f *feeder) lateFirst(a stream.Answer) bool {
	if !a.FirstToken.OK || len(f.reads) == 0 {
		return false
	}
	ttft := a.FirstToken.At
	stood := f.stood > max(standingLeast, ttft/standingPart)
	first := f.reads[0]
	if first.arrival.Kind != probe.KernelClock {
		return stood
	}
	uncertain := stood || first.arrival.Early > max(certain, ttft/certainPart)
	return uncertain && f.merged(a)
}

// merged reports whether the read of the first token holds what the server may
// have sent after it, whose stamp it has then: more tokens than the server
// sends at once, or the end.
func (f *feeder) merged(a stream.Answer) bool {
	first, later := f.reads[0], f.reads[1:]
	if len(later) == 0 {
		return first.tokens > 1 || a.EndShared
	}
	var prompt, all []int
	for _, r := range later {
		all = append(all, r.tokens)
		if r.arrival.Early <= certain {
			prompt = append(prompt, r.tokens)
		}
	}
	switch {
	case len(prompt) >= promptReads:
	case len(all) >= promptReads:
		return first.tokens > slices.Min(all) // lateness only adds to what a read holds
	default: // too few to tell
		return first.tokens > 1
	}
	slices.Sort(prompt)
	return first.tokens > prompt[len(prompt)/2]
}
