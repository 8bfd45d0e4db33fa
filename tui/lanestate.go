package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
	"ttftop/probe/tally"
	"ttftop/views"
)

// refused reports whether the last ordinary probe failed at the present knobs:
// the failure is not that of a calibration, nor of a length turned since.
func refused(t *tally.Target) bool {
	points := t.Points()
	n := len(points)
	return n > 0 && points[n-1].Failed && points[n-1].Epoch == t.Epoch()
}

// connection is how the connection of a probe came about, and where it went:
// "kept to 127.0.0.1:8000".
func connection(r *probe.Result) string {
	if r.Address == "" {
		return ""
	}
	how := "made"
	switch {
	case r.Fresh:
		how = "made ahead"
	case r.Reused:
		how = "kept"
	}
	parts := []string{how + " to " + r.Address}
	if n := len(r.Names); n > 1 {
		parts[0] += fmt.Sprintf(" (1 of %d)", n)
	}
	if r.Proxy != "" {
		parts = append(parts, "through proxy "+r.Proxy)
	}
	if r.Protocol != "" && r.Protocol != "HTTP/1.1" {
		parts = append(parts, r.Protocol)
	}
	if r.TLS != "" {
		parts = append(parts, r.TLS)
	}
	if r.Resumed {
		parts = append(parts, "session resumed")
	}
	return strings.Join(parts, ", ")
}

// reportCuts reports whether anything in a waterfall is what the server said.
func reportCuts(w probe.Waterfall) bool {
	return slices.ContainsFunc(w, func(s probe.Segment) bool { return s.Source == probe.Reported })
}

func settled(r *probe.Result) *views.Settled {
	return &views.Settled{
		Seq: r.Seq, Kind: r.Kind, Waterfall: r.Waterfall, TTFT: r.TTFT().At, AnswerTTFT: r.AnswerTTFT(),
		PromptTokens: r.PromptTokens, CachedTokens: r.CachedTokens, CachedTold: r.CachedTold, UncachedGuess: !r.UncachedKnown(), PromptExact: r.PromptExact,
		Marks: marks(r), Contention: r.Contention, Known: known(r), Ack: r.Ack,
	}
}

// live is the waterfall of a probe in flight, so far. Until its own round trip
// is known, that of the probe before it stands in.
func live(f *tally.Flight, last *probe.Result, now time.Time) *views.Live {
	var rtt probe.Mark
	if last != nil {
		rtt = last.RTT
	}
	l := &views.Live{Seq: f.Seq, Kind: f.Kind, Elapsed: max(0, now.Sub(f.At))}
	if at, ok := f.Steps[probe.StepToken]; ok {
		l.TTFT = probe.At(at)
	}
	if at, ok := f.Steps[probe.StepAck]; ok {
		l.Ack = probe.At(at)
	}
	upTo := l.Elapsed
	if l.TTFT.OK {
		upTo = l.TTFT.At
	}
	l.Waterfall = cut.Live(timelineOf(f), upTo, rtt)
	return l
}

// timelineOf is the timeline of a probe in flight as far as it was told.
func timelineOf(f *tally.Flight) probe.Timeline {
	mark := func(s probe.Step) probe.Mark {
		at, ok := f.Steps[s]
		return probe.Mark{At: at, OK: ok}
	}
	t := probe.Timeline{
		DNSDone: mark(probe.StepDNS), ConnectDone: mark(probe.StepConnect), TLSDone: mark(probe.StepTLS),
		Sent: mark(probe.StepSent), Written: mark(probe.StepSent), Headers: mark(probe.StepHeaders), FirstToken: mark(probe.StepToken),
	}
	t.DNSStart.OK, t.ConnectStart.OK, t.TLSStart.OK = t.DNSDone.OK, t.ConnectDone.OK, t.TLSDone.OK
	t.ConnectStart.At, t.TLSStart.At = t.DNSDone.At, t.ConnectDone.At
	t.GotConn = probe.Mark{At: max(t.ConnectDone.At, t.TLSDone.At), OK: t.Sent.OK}
	return t
}
