package cut

import (
	"cmp"
	"math"
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
)

const (
	nearRank = 0.025 // probes within this share of the rank stand for the quantile
	nearMin  = 5     // at least so many, if there are
	nearTime = 0.1   // but none whose TTFT is off by more than this share: it is of another kind
)

// Near is the waterfall of the quantile q of the TTFT, made from whole probes:
// the mean over those within 2.5 percentage points of its rank, at least five
// if there are, scaled to the quantile. One whose TTFT is off by more than a
// tenth is left out, however near its rank: where TTFTs come in two groups, a
// mixture of both would be what no probe was. It adds up to the quantile to the
// nanosecond. Each segment has the weakest source among those probes and,
// where that is an estimate, their mean interval. Where most of them are not
// cut, S is one server segment; otherwise only those that are cut count.
//
// Probes rank as in every percentile: failures that count rank last, and what
// is counted beside, or had a clock step, is left out. It is false where the
// quantile falls on a failure or there is no probe.
func Near(q float64, results []*probe.Result) (probe.Waterfall, bool) {
	chosen, ttft := Nearest(q, results)
	if len(chosen) == 0 {
		return nil, false
	}
	return MeanOf(chosen, ttft), true
}

// Nearest are the probes that Near takes the mean of, and the quantile that it
// scales to; none where Near is false.
func Nearest(q float64, results []*probe.Result) (chosen []*probe.Result, ttft time.Duration) {
	ranked, censored := rank(results)
	ttfts := make([]time.Duration, len(ranked))
	for i, r := range ranked {
		ttfts[i] = r.TTFT().At
	}
	near, ttft := NearestOf(q, ttfts, censored, func(i int) probe.Waterfall { return ranked[i].Waterfall })
	for _, i := range near {
		chosen = append(chosen, ranked[i])
	}
	return chosen, ttft
}

// NearestOf is Nearest for those who hold the probes in order: the TTFT of the
// successes, ascending, how many failures rank after them, and the waterfall of
// each success, which is asked for near the quantile alone. It gives the places
// of the probes in that order.
func NearestOf(q float64, ranked []time.Duration, censored int, waterfall func(i int) probe.Waterfall) (near []int, ttft time.Duration) {
	n := len(ranked) + censored
	if len(ranked) == 0 || !(q >= 0 && q <= 1) {
		return nil, 0
	}
	at := quantile.Rank(q, n)
	if at >= len(ranked) {
		return nil, 0
	}
	from, to := around(len(ranked), at, int(nearRank*float64(n)))
	from, to = akin(ranked, at, from, to)
	waterfalls := make([]probe.Waterfall, 0, to-from)
	for i := from; i < to; i++ {
		waterfalls = append(waterfalls, waterfall(i))
	}
	for _, i := range alike(waterfalls) {
		near = append(near, from+i)
	}
	return near, ranked[at]
}

// MeanOf is the Mean of the probes' waterfalls.
func MeanOf(probes []*probe.Result, ttft time.Duration) probe.Waterfall {
	waterfalls := make([]probe.Waterfall, len(probes))
	for i, r := range probes {
		waterfalls[i] = r.Waterfall
	}
	return Mean(waterfalls, ttft)
}

// Mean is the mean of waterfalls, scaled to a TTFT. Where one of them has S
// whole, so has it.
func Mean(waterfalls []probe.Waterfall, ttft time.Duration) probe.Waterfall {
	return scale(sum(waterfalls, !slices.ContainsFunc(waterfalls, isWhole)), ttft)
}

// rank puts the successes in order of their TTFT and counts the failures that
// rank after them.
func rank(results []*probe.Result) (ranked []*probe.Result, censored int) {
	for _, r := range results {
		switch {
		case r.KeptOut():
		case r.Failure.Censored():
			censored++
		case r.Failure == nil && r.TTFT().OK:
			ranked = append(ranked, r)
		}
	}
	slices.SortStableFunc(ranked, func(a, b *probe.Result) int { return cmp.Compare(a.TTFT().At, b.TTFT().At) })
	return ranked, censored
}

// around is the stretch of n probes within reach of an index, at least nearMin
// of them.
func around(n, at, reach int) (from, to int) {
	from, to = max(0, at-reach), min(n, at+reach+1)
	for to-from < min(nearMin, n) {
		if from > 0 && (to == n || at-from <= to-1-at) {
			from--
		} else {
			to++
		}
	}
	return from, to
}

// akin narrows a stretch of TTFTs to those like the one at an index.
func akin(ranked []time.Duration, at, from, to int) (int, int) {
	off := time.Duration(nearTime * float64(ranked[at]))
	for ranked[at]-ranked[from] > off {
		from++
	}
	for ranked[to-1]-ranked[at] > off {
		to--
	}
	return from, to
}

// alike are the places of the waterfalls to be averaged: those that are cut,
// or, where most are not, all of them.
func alike(near []probe.Waterfall) (chosen []int) {
	whole := 0
	for _, w := range near {
		if isWhole(w) {
			whole++
		}
	}
	divided := 2*whole <= len(near)
	for i, w := range near {
		if len(w) > 0 && !(divided && isWhole(w)) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func isWhole(w probe.Waterfall) bool {
	return slices.ContainsFunc(w, func(s probe.Segment) bool { return s.Name == probe.Server })
}

// total is the sum of a segment over several waterfalls, in nanoseconds.
type total struct {
	name      probe.SegmentName
	d, lo, hi float64
	source    probe.Source
}

var (
	dividedNames = []probe.SegmentName{probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT, probe.Handling, probe.Queue, probe.Prefill, probe.FirstDecode}
	wholeNames   = []probe.SegmentName{probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT, probe.Server}
)

func sum(waterfalls []probe.Waterfall, divided bool) []total {
	names := wholeNames
	if divided {
		names = dividedNames
	}
	totals := make([]total, len(names))
	for i, name := range names {
		totals[i] = total{name: name, source: probe.Measured}
	}
	for _, w := range waterfalls {
		for _, s := range w {
			i := slices.Index(names, s.Name)
			if i < 0 { // a part of S, where S stays whole
				totals[len(totals)-1].d += float64(s.Duration)
				continue
			}
			totals[i].add(s)
		}
	}
	return totals
}

func (t *total) add(s probe.Segment) {
	lo, hi := s.Duration, s.Duration
	if s.Source == probe.Estimated {
		lo, hi = s.Lo, s.Hi
	}
	t.d += float64(s.Duration)
	t.lo += float64(lo)
	t.hi += float64(hi)
	t.source = weaker(t.source, s.Source)
}

// scale makes the totals add up to a TTFT. What rounding leaves falls to the
// longest segment.
func scale(totals []total, ttft time.Duration) probe.Waterfall {
	all := 0.0
	for _, t := range totals {
		all += t.d
	}
	by := 0.0
	if all > 0 {
		by = float64(ttft) / all
	}
	w := make(probe.Waterfall, len(totals))
	longest := 0
	for i, t := range totals {
		w[i] = probe.Segment{Name: t.name, Duration: time.Duration(math.Floor(by * t.d)), Source: t.source}
		if w[i].Duration > w[longest].Duration {
			longest = i
		}
	}
	w[longest].Duration += ttft - w.Total()
	for i, t := range totals {
		if t.source == probe.Estimated {
			w[i].Lo = min(w[i].Duration, time.Duration(by*t.lo))
			w[i].Hi = max(w[i].Duration, time.Duration(by*t.hi))
		}
	}
	return w
}
