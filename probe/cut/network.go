package cut

import (
	"time"

	"ttftop/probe"
)

// networkOf cuts what is not the server's from a TTFT, and returns the
// segments from dns to rtt and the server time that is left. The timeline has
// a first token.
func networkOf(t probe.Timeline, rtt probe.Mark) (probe.Waterfall, time.Duration) {
	w := walk{end: t.FirstToken.At}
	network := probe.Waterfall{
		{Name: probe.DNS, Duration: w.to(t.DNSDone)},
		{Name: probe.Connect, Duration: w.to(connected(t))},
		{Name: probe.TLS, Duration: w.to(t.TLSDone)},
		{Name: probe.Send, Duration: w.to(wire(t))},
		{Name: probe.RTT, Duration: w.by(roundTrip(t, rtt))},
	}
	for i := range network {
		network[i].Source = probe.Measured
	}
	return network, w.left()
}

// Live is the waterfall of a probe in flight, cut at now: the network's
// segments as the marks so far allow, the one that lasts growing, and then the
// undivided server. It adds up to now, or to the TTFT once there is one.
func Live(t probe.Timeline, now time.Duration, rtt probe.Mark) probe.Waterfall {
	w := walk{end: max(0, now)}
	if hasToken(t) {
		w.end = min(w.end, t.FirstToken.At)
	}
	var d [6]time.Duration
	d[0] = w.to(t.DNSDone)
	d[1] = w.to(connected(t))
	d[2] = w.to(t.TLSDone)
	lasting := 3
	switch {
	case left(t):
		d[3] = w.to(wire(t))
		d[4] = w.by(roundTrip(t, rtt))
		lasting = 5
	case t.GotConn.OK:
	case t.TLSStart.OK && !t.TLSDone.OK:
		lasting = 2
	case t.ConnectStart.OK && !t.TLSDone.OK:
		lasting = 1
	case t.DNSStart.OK && !t.ConnectDone.OK:
		lasting = 0
	}
	d[lasting] += w.left()
	live := make(probe.Waterfall, len(d))
	for i, name := range []probe.SegmentName{probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT, probe.Server} {
		live[i] = probe.Segment{Name: name, Duration: d[i], Source: probe.Measured}
	}
	return live
}

// left reports whether the request is known to be on the wire: the kernel said
// so, or the response begins.
func left(t probe.Timeline) bool {
	return t.Sent.OK || t.FirstByte.OK || t.Headers.OK || t.FirstToken.OK
}

// wire is the instant the request had left the host, as well as it is known.
func wire(t probe.Timeline) probe.Mark {
	switch {
	case t.Sent.OK:
		return t.Sent
	case t.Written.OK:
		return t.Written
	}
	return t.GotConn
}

// connected is the end of connecting. Where TLS begins later a proxy has made
// its tunnel in between.
func connected(t probe.Timeline) probe.Mark {
	if t.ConnectDone.OK && t.TLSStart.OK && t.TLSStart.At > t.ConnectDone.At {
		return t.TLSStart
	}
	return t.ConnectDone
}

// roundTrip is the connection's round trip, or the connect handshake.
func roundTrip(t probe.Timeline, rtt probe.Mark) time.Duration {
	if rtt.OK {
		return rtt.At
	}
	return t.ConnectDone.Sub(t.ConnectStart)
}

// walk goes from the start of a request to its end, never back and never
// beyond, whatever the marks say.
type walk struct{ at, end time.Duration }

// to goes on to a mark and returns how long that took.
func (w *walk) to(m probe.Mark) time.Duration {
	if !m.OK {
		return 0
	}
	return w.by(m.At - w.at)
}

func (w *walk) by(d time.Duration) time.Duration {
	d = clamp(d, 0, w.left())
	w.at += d
	return d
}

func (w *walk) left() time.Duration { return w.end - w.at }

func clamp(d, lo, hi time.Duration) time.Duration { return max(lo, min(d, hi)) }
