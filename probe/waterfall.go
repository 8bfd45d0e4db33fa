package probe

import "time"

// SegmentName names a piece of a waterfall.
type SegmentName string

// The segments, in the order of the waterfall. Server stands for everything
// from Handling to FirstDecode where that can't be cut.
const (
	DNS         SegmentName = "dns"
	Connect     SegmentName = "connect"
	TLS         SegmentName = "tls"
	Send        SegmentName = "send"
	RTT         SegmentName = "rtt"
	Handling    SegmentName = "handling"
	Queue       SegmentName = "queue"
	Prefill     SegmentName = "prefill"
	FirstDecode SegmentName = "first_decode"
	Server      SegmentName = "server"
)

// Part is a segment as a person sees it: the five that have a cure of their
// own, and Server for what can't be cut yet.
type Part string

// The parts, in the order of the waterfall.
const (
	NetworkPart     Part = "network"
	HandlingPart    Part = "handling"
	QueuePart       Part = "queue"
	PrefillPart     Part = "prefill"
	FirstDecodePart Part = "first decode"
	ServerPart      Part = "server"
)

// Parts is every part in the order of the waterfall.
var Parts = []Part{NetworkPart, HandlingPart, QueuePart, PrefillPart, FirstDecodePart, ServerPart}

// Part returns the part that the segment belongs to.
func (n SegmentName) Part() Part {
	switch n {
	case DNS, Connect, TLS, Send, RTT:
		return NetworkPart
	case FirstDecode:
		return FirstDecodePart
	default:
		return Part(n)
	}
}

// Source says how a segment is known.
type Source string

// The sources, from the best to the weakest.
const (
	Measured  Source = "measured"  // client clock or kernel
	Reported  Source = "reported"  // the server said so
	Estimated Source = "estimated" // fitted; carries an interval
)

// Segment is one piece of a waterfall.
type Segment struct {
	Name     SegmentName
	Duration time.Duration // never negative
	Source   Source
	Lo, Hi   time.Duration // interval of an Estimated segment
}

// Waterfall is the TTFT of one probe, or of a quantile of probes, cut into
// segments whose durations add up to it.
type Waterfall []Segment

// Total is the sum of the segments: the TTFT that was cut.
func (w Waterfall) Total() time.Duration {
	var sum time.Duration
	for _, s := range w {
		sum += s.Duration
	}
	return sum
}

// Of is the duration of one part: the sum of its segments.
func (w Waterfall) Of(p Part) time.Duration {
	var sum time.Duration
	for _, s := range w {
		if s.Name.Part() == p {
			sum += s.Duration
		}
	}
	return sum
}
