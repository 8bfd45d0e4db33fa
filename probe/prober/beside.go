package prober

import (
	"slices"
	"time"

	"ttftop/probe/cut"
	"ttftop/probe/reported"
)

const (
	restsKept = 32 // probes whose rest is remembered

	decodesKept = 16 // probes that have shown where the first decode is reported
	decodesNeed = 3  // and from which it is settled
	decodesMost = 4  // it is settled anew where all but one in so many show something else
)

// rests remembers what the reports of a server left of its time for handling.
type rests struct{ latest []rest }

type rest struct {
	tokens int // uncached
	left   time.Duration
}

func (r *rests) add(tokens int, left time.Duration) {
	r.latest = latest(append(r.latest, rest{tokens, left}), restsKept)
}

// of is what was left on prompts about as long or shorter: handling grows with
// the prompt. It is nil where there was none.
func (r *rests) of(tokens int) *cut.Rest {
	var all []time.Duration
	for _, x := range r.latest {
		if x.tokens <= tokens+max(ownSlack, int(ownSame*float64(tokens))) {
			all = append(all, x.left)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	return &cut.Rest{Least: all[0], Usual: all[len(all)/2]}
}

// decodePlace learns whether a server that doesn't say so has the first decode
// in the prefill that it reports. One probe shows it no better than its noise
// lets it, so several decide, and then it stays.
type decodePlace struct {
	shown   []reported.Contains // the latest last
	settled reported.Contains
}

// add takes what a probe has shown.
func (p *decodePlace) add(shown reported.Contains) {
	if shown == reported.Unknown {
		return
	}
	p.shown = latest(append(p.shown, shown), decodesKept)
	in, n := count(p.shown, func(s reported.Contains) bool { return s == reported.Yes }), len(p.shown)
	most := reported.No
	if 2*in > n {
		most = reported.Yes
	}
	switch {
	case n < decodesNeed:
	case p.settled == reported.Unknown,
		n == decodesKept && decodesMost*min(in, n-in) <= n:
		p.settled = most
	}
}
