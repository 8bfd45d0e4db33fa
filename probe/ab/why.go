package ab

import (
	"fmt"
	"math"
	"strings"

	"ttftop/probe"
)

const (
	worthWord   = 0.05 // least share of the difference, or of the largest part of it, that is worth a word
	leastCloser = 1.0  // ms of network below which nobody is closer
	little      = 0.2  // share of a difference below which a part of it is no cause
)

// Why cuts the difference of the sentence by segment: "why: closer, not faster:
// network −41, prefill +3.1 ms". Only what is certain is named, and only where it
// makes a notable part. Each figure is a median of its own: they need not add up.
// It is "" where nothing can be named, and where there is no difference.
func (v Verdict) Why() string {
	if v.Outcome == Same || v.Outcome == AFailsMore || v.Outcome == BFailsMore || !v.told() {
		return ""
	}
	figures := v.causes()
	if len(figures) == 0 {
		return ""
	}
	return "why: " + v.kind() + strings.Join(figures, ", ") + " ms"
}

// causes are the parts that are named. Where what the server's time is cut into is
// estimated, the whole of it is named, which is measured.
func (v Verdict) causes() (all []string) {
	scale := v.scale()
	name := func(part, about string, s Span) {
		e := ms(v.way(s).Estimate, 0)
		all = append(all, fmt.Sprintf("%s %s%s", part, about, number(e, decimals(e), true)))
	}
	var sure, estimates []PartSpan
	for _, p := range v.Parts {
		switch {
		case !p.certain(scale):
		case p.Part == probe.NetworkPart:
			name(string(p.Part), "", p.Span)
		case p.Source != probe.Estimated:
			sure = append(sure, p)
		case v.holds(p.Span):
			estimates = append(estimates, p)
		}
	}
	if len(sure) == 0 && v.Server.certain(scale) {
		name(string(probe.ServerPart), "", v.Server)
	}
	for _, p := range sure {
		name(string(p.Part), "", p.Span)
	}
	for _, p := range estimates {
		name(string(p.Part), "about ", p.Span)
	}
	return all
}

// scale is the size, in milliseconds, of what a part must be a notable share of.
func (v Verdict) scale() float64 {
	scale := math.Abs(ms(v.Diff.Estimate, 0))
	for _, p := range v.Parts {
		if p.sign() != 0 {
			scale = max(scale, math.Abs(ms(p.Estimate, 0)))
		}
	}
	return scale
}

// certain reports whether the interval excludes zero and the estimate is a notable
// share of a scale.
func (s Span) certain(scale float64) bool {
	return s.sign() != 0 && math.Abs(ms(s.Estimate, 0)) >= worthWord*scale
}

// holds reports whether an estimated part goes the way of the server's time and not
// farther: one that goes farther is made up for by another estimate, and that is
// how a fault of the baseline looks.
func (v Verdict) holds(part Span) bool {
	server := v.Server
	if part.sign() != server.sign() {
		return false
	}
	far := server.Hi
	if server.sign() < 0 {
		far = server.Lo
	}
	return !far.OK || math.Abs(ms(part.Estimate, 0)) <= math.Abs(ms(far, 0))
}

// way turns a difference the way the sentence tells it.
func (v Verdict) way(s Span) Span {
	if v.Outcome == AFaster {
		return s.turned()
	}
	return s
}

// kind says whether the faster one is closer or its server is faster, as far as
// the intervals are certain of it and it makes a notable part.
func (v Verdict) kind() string {
	if v.Outcome != AFaster && v.Outcome != BFaster {
		return ""
	}
	network, server := 0, v.notably(v.Server, 0)
	for _, p := range v.Parts {
		if p.Part == probe.NetworkPart {
			network = v.notably(p.Span, leastCloser)
		}
	}
	switch closer, quicker := network < 0, server < 0; {
	case closer && quicker:
		return "closer, and its server is faster: "
	case closer && server > 0:
		return "closer, though its server is slower: "
	case closer && v.littleOf(v.way(v.Server)):
		return "closer, not faster: "
	case closer:
		return "closer: "
	case quicker && network > 0:
		return "its server is faster, though it is farther away: "
	case quicker:
		return "its server is faster: "
	}
	return ""
}

// notably is the sign of a part where it is certain, a notable share of the
// difference and of at least so many milliseconds; else 0.
func (v Verdict) notably(part Span, least float64) int {
	if !part.certain(v.scale()) || math.Abs(ms(part.Estimate, 0)) < least {
		return 0
	}
	return v.way(part).sign()
}

// littleOf reports whether a part certainly makes less than a fifth of the
// difference that the sentence tells.
func (v Verdict) littleOf(part Span) bool {
	whole := v.way(v.Diff).Estimate
	return whole.OK && part.Lo.OK && float64(part.Lo.At) > little*float64(whole.At)
}

// sign is −1 or 1 where the interval lies on one side of zero, else 0.
func (s Span) sign() int {
	switch {
	case s.Hi.OK && s.Hi.At < 0:
		return -1
	case s.Lo.OK && s.Lo.At > 0:
		return 1
	}
	return 0
}
