package prober

import (
	"slices"
	"time"

	"ttftop/probe/baseline"
	"ttftop/probe/cut"
)

const (
	ownKept    = 16  // reported prefills kept of one prompt length
	ownNeed    = 2   // and that must be there before the length counts
	ownLow     = 0.9 // of what a length usually takes: below it a report is an outlier
	ownRow     = 5   // reports in a row that are all dearer…
	ownDearer  = 1.5 // …by so much than before, and…
	ownTight   = 0.4 // …spread by no more than this share of the move, are of a changed server
	ownSame    = 0.1 // lengths this close are one
	ownLengths = 24  // lengths kept
	ownSlack   = 8   // tokens by which lengths that are one may differ at any rate
	ownNoise   = 1e6 // ns; smaller moves are no change
)

// ownPrefill learns what a server itself reports of its prefill while no other
// request of ours is in flight. It takes reports only, so that what a server
// leaves out stands for nothing, and no single wrong report counts: of every
// length some must agree.
type ownPrefill struct {
	lengths []*ownLength // the one seen last at the end
	curve   *baseline.Curve
	stale   bool
}

// ownLength is the latest reports of one prompt length.
type ownLength struct {
	points []baseline.Point
}

func (l *ownLength) near(n int) bool { return sameLength(n, l.points[0].Tokens) }

// sameLength reports whether two prompts are about as long.
func sameLength(n, m int) bool {
	return float64(max(n-m, m-n)) <= max(ownSlack, ownSame*float64(m))
}

// add takes a report.
func (o *ownPrefill) add(p baseline.Point) {
	i := slices.IndexFunc(o.lengths, func(l *ownLength) bool { return l.near(p.Tokens) })
	l := &ownLength{}
	if i >= 0 {
		l = o.lengths[i]
		o.lengths = slices.Delete(o.lengths, i, i+1)
	}
	o.lengths = latest(append(o.lengths, l), ownLengths)
	l.points = latest(append(l.points, p), ownKept)
	o.stale = true
	if l.dearer() {
		l.points = l.points[len(l.points)-ownRow:]
		o.lengths = []*ownLength{l} // what the others say is of the server before
	}
}

// of is what such a prompt takes: by the curve, or where there is none yet, as
// for a server that reports of one length only, by the reports of its length.
func (o *ownPrefill) of(tokens int) *cut.OwnPrefill {
	if c := o.at(tokens); c != nil && c.Covers(tokens) {
		own := &cut.OwnPrefill{Idle: c.Idle()}
		own.Usual, own.Lo, own.Hi = c.At(tokens)
		return own
	}
	for _, l := range o.lengths {
		if l.near(tokens) {
			return l.own()
		}
	}
	return nil
}

// own is what the length takes by its reports alone, nil until enough of them
// agree. Where most of them are dearer the server was not seen idle.
func (l *ownLength) own() *cut.OwnPrefill {
	sound := l.sound()
	if len(sound) < ownNeed {
		return nil
	}
	all := costs(sound)
	own := &cut.OwnPrefill{Usual: usual(sound), Lo: all[0], Hi: all[len(all)-1]}
	own.Idle = all[len(all)/2] <= own.Usual+max(time.Duration(ownSame*float64(own.Usual)), ownNoise)
	return own
}

// known is the curve through the reports, nil until two clearly different
// lengths have enough of them.
func (o *ownPrefill) known() *baseline.Curve {
	if !o.stale {
		return o.curve
	}
	o.stale, o.curve = false, nil
	var f baseline.Fitter
	for _, l := range o.lengths {
		for _, p := range l.sound() {
			f.Add(p)
		}
	}
	if c, ok := f.Curve(); ok {
		o.curve = &c
	}
	return o.curve
}

// at is the curve for one prompt length: through what this length itself has
// reported, where enough of its reports agree. Prefill follows no line where
// short prompts hide under a pass over the weights, or a cached prefix is
// attended to, and what lies off it then is no contention.
func (o *ownPrefill) at(n int) *baseline.Curve {
	curve := o.known()
	if curve == nil {
		return nil
	}
	for _, l := range o.lengths {
		if len(l.points) >= ownNeed && l.near(n) {
			moved := curve.Through(l.points[0].Tokens, usual(l.points))
			return &moved
		}
	}
	return curve
}

// usual is what a length takes, as a quarter of its reports confirm: two at
// least.
func usual(points []baseline.Point) time.Duration {
	all := costs(points)
	return all[max(1, len(all)/4)]
}

// costs are those of the points, in ascending order.
func costs(points []baseline.Point) []time.Duration {
	all := make([]time.Duration, len(points))
	for i, p := range points {
		all[i] = p.Server
	}
	slices.Sort(all)
	return all
}

// sound is the reports of a length without those that are far below the usual:
// the fit goes through the lowest.
func (l *ownLength) sound() []baseline.Point {
	if len(l.points) < ownNeed {
		return nil
	}
	least := time.Duration(ownLow * float64(usual(l.points)))
	var kept []baseline.Point
	for _, p := range l.points {
		if p.Server >= least {
			kept = append(kept, p)
		}
	}
	return kept
}

// dearer reports whether the latest reports are those of a changed server, or
// of one that reports otherwise: all far dearer, and alike, as waits are not.
// Cheaper ones need no such proof.
func (l *ownLength) dearer() bool {
	n := len(l.points) - ownRow
	if n < ownNeed {
		return false
	}
	before, low, high := usual(l.points[:n]), time.Duration(1<<62), time.Duration(0)
	for _, p := range l.points[n:] {
		low, high = min(low, p.Server), max(high, p.Server)
	}
	return float64(low) >= max(ownDearer*float64(before), float64(before)+ownNoise) && float64(high-low) <= ownTight*float64(low-before)
}
