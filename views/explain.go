package views

import (
	"strings"

	"ttftop/probe"
	"ttftop/probe/reported"
	"ttftop/themes"
)

// story is what can be said of a segment anywhere: what it is and what it does
// not include, and what makes it shorter.
type story struct{ what, cure string }

var stories = map[probe.SegmentName]story{
	probe.DNS: {"dns is the host's name being turned into an address, with any wait for a connection before it; the connection itself is not in it.",
		"keep connections (n), or a resolver that caches."},
	probe.Connect: {"connect is the TCP handshake, and the tunnel of a proxy where there is one; TLS is not in it.",
		"keep connections (n), or an endpoint that is nearer."},
	probe.TLS: {"tls is the handshake that sets up encryption; the request is not in it.",
		"keep connections (n), or resume sessions."},
	probe.Send: {"send is the request leaving this host, until the last byte is out; what it waits in the path after that is not in it, but in the server's time.",
		"a shorter prompt (P), or a faster uplink."},
	probe.RTT: {"rtt is one round trip of the path, for the request's way there and the first token's way back; jitter above it is not in it, but in the server's time.",
		"an endpoint in a nearer region."},
	probe.Handling: {"handling is what the server does with every request before it can be scheduled, such as reading and routing it, filling the chat template and turning text into tokens; the wait for a place in the batch is not in it.",
		"fewer gateways and filters on the way, or a faster front end."},
	probe.Queue: {"queue is the wait for a place in a batch, and what other requests delay after that (contention: a busy batch slows prefill); what an idle server would take anyway is not in it.",
		"fewer requests at a time (B), more replicas, or a higher priority."},
	probe.Prefill: {"prefill is what the uncached tokens of the prompt add to the pass that gives the first token; cached tokens, the slowing by other requests and the first decode are not in it.",
		"a shorter prompt (P), a smaller model (m), a shared prefix that is cached (c), or faster accelerators."},
	probe.FirstDecode: {"first decode is what the pass that gives the first token would take for a prompt of one token: one decode step; nothing of the prompt is in it.",
		"a smaller or quantized model (m), or more memory bandwidth."},
	probe.Server: {"server is all the time at the server: handling, queue, prefill and first decode in one; the network is not in it, but for jitter above the round trip.",
		"let the calibration end, or turn the prompt (p, P), so that the baseline sees another length and the time can be cut."},
}

// explanation says in two sentences what a segment is and how it is known here,
// and then what makes it shorter.
func (s *sheet) explanation(snap Snapshot, t *Target, name probe.SegmentName, width int) [][]span {
	list := s.paragraph(stories[name].what, width, themes.Text)
	list = append(list, s.paragraph(s.here(snap, t, name), width, themes.Strong)...)
	return append(list, s.paragraph("Cure: "+cureOf(t, name), width, themes.Text)...)
}

// cureOf is what makes a segment shorter. Server time of another kind has a
// cure of its own.
func cureOf(t *Target, name probe.SegmentName) string {
	if name == probe.Server && t.Last != nil {
		for _, u := range undivided {
			if t.Last.Known.Has(u.flag) {
				return u.cure
			}
		}
	}
	return stories[name].cure
}

// here is how a segment is known of the last probe, or of the p50 where the
// last probe does not have it.
func (s *sheet) here(snap Snapshot, t *Target, name probe.SegmentName) string {
	g := ground{s: s, snap: snap, target: t}
	if t.Last != nil {
		g.known = t.Last.Known
	}
	seg, ok := segmentOf(lastCut(t), name)
	if !ok {
		seg, _ = segmentOf(t.P50, name)
		g.known.Basis, g.known.Flags = probe.Basis{}, nil
		if t.P50Least {
			g.known.Flags = append(g.known.Flags, probe.FlagAtLeast)
		}
		if t.P50Most {
			g.known.Flags = append(g.known.Flags, probe.FlagAtMost)
		}
	}
	text := "Here " + g.of(seg)
	if p50, ok := segmentOf(t.P50, name); ok && p50.Source != seg.Source {
		text += "; in the p50 it is " + string(p50.Source)
	}
	if snap.Truth {
		text += "; the simulator's books have " + g.truth(name)
	}
	return text + "."
}

// ground is what a segment's figure rests on.
type ground struct {
	s      *sheet
	snap   Snapshot
	target *Target
	known  Known
}

// of words how a segment is known, without a full stop.
func (g ground) of(seg probe.Segment) string {
	switch seg.Name {
	case probe.DNS, probe.Connect, probe.TLS:
		return g.setup(seg)
	case probe.Send:
		return "it is measured, to the instant at which the kernel has nothing left to send where it tells, else to the end of the write"
	case probe.RTT:
		return g.trip()
	case probe.Handling:
		return g.handling(seg)
	case probe.Queue:
		return g.queue(seg)
	case probe.Prefill:
		return g.prefill(seg)
	case probe.FirstDecode:
		return g.decode(seg)
	}
	return g.whole()
}

// server names who reports.
func (g ground) server() string {
	if g.known.Dialect != "" {
		return "the server (" + head(g.known.Dialect, 128) + ")"
	}
	return "the server"
}

// estimate begins the wording of an estimate.
func (g ground) estimate(seg probe.Segment) string {
	text := "it is estimated (" + interval(seg.Lo, seg.Hi, g.s.sym) + " ms"
	if g.snap.IgnoreReported && g.known.Dialect != "" {
		text += ", reports left aside"
	}
	return text + "): "
}

// setup is the making of a connection.
func (g ground) setup(seg probe.Segment) string {
	text := "it is measured by this program's clock"
	switch {
	case seg.Duration <= 0 && g.known.Reused:
		return "it is 0, as the probe used a kept connection"
	case g.known.Proxy != "":
		text += ", to the proxy"
	}
	return text
}

// trip is the round trip.
func (g ground) trip() string {
	text := "it is measured by the connect handshake, as the kernel tells no round trip"
	switch {
	case g.snap.Simulated:
		text = "it is measured: the least round trip of this connection, as the simulated link tells it"
	case g.known.RTT:
		text = "it is measured: the least round trip of this connection, as the kernel tells it (tcpi_min_rtt)"
	}
	if g.known.Proxy != "" || g.known.Has(probe.FlagProxyOnly) {
		text += "; it ends at the proxy or terminator, and the way beyond is in the server's time"
	}
	return text
}

func (g ground) handling(seg probe.Segment) string {
	switch seg.Source {
	case probe.Measured:
		return "it is measured: this server's headers leave when it accepts the request, so they end it; what the path took above its round trip, its jitter, is in it"
	case probe.Reported:
		return g.server() + " reports it"
	case probe.Estimated:
		if g.reported(probe.Queue) || g.reported(probe.Prefill) {
			return g.estimate(seg) + "what is left of the server time beside what is reported; no figure of " + g.server() + " says what it was, and the path's jitter is in it"
		}
	}
	return g.estimate(seg) + "the fixed part of the baseline, as " + g.headers() + "; a fixed part of prefill or a slow first decode may be in it"
}

// reported reports whether the server says how long another segment of the
// same waterfall took.
func (g ground) reported(name probe.SegmentName) bool {
	seg, ok := segmentOf(lastCut(g.target), name)
	if !ok {
		seg, ok = segmentOf(g.target.P50, name)
	}
	return ok && seg.Source == probe.Reported
}

// headers is why they tell nothing of handling.
func (g ground) headers() string {
	switch g.known.Leave {
	case reported.WithFirstToken:
		return "this server's headers come with the first token"
	case reported.OnSlot:
		return "this server's headers leave when a slot starts on the request, behind the queue"
	}
	return "the headers don't tell when the server accepts a request"
}

func (g ground) queue(seg probe.Segment) string {
	var text string
	switch {
	case seg.Source == probe.Measured:
		text = "it is measured: what handling and prefill, bounded by headers and first token, leave"
	case seg.Source == probe.Reported:
		text = g.queueReported()
	case g.known.Dialect != "" && !g.snap.IgnoreReported:
		text = g.estimate(seg) + "beside what " + g.server() + " reports, the time above the idle baseline"
	default:
		text = g.estimate(seg) + "the time that the idle baseline and the first decode leave of the server's"
	}
	if g.known.Has(probe.FlagAtLeast) {
		text += "; it is at least this, as no clear idle level of the endpoint was seen"
	}
	if g.known.Has(probe.FlagAtMost) {
		text += "; it is at most this, as probes wait or the server has become slower: not told apart yet"
	}
	return text
}

func (g ground) prefill(seg probe.Segment) string {
	const between = "the time from the headers, which leave when a slot starts on the request, to the first token, less one decode step"
	switch {
	case seg.Source == probe.Measured:
		return "it is measured: " + between
	case seg.Source == probe.Reported:
		return g.prefillReported()
	case g.known.Basis.Prefill == probe.PrefillBetween && g.slowed():
		return g.estimate(seg) + between + " and what lies above the idle baseline of this prompt"
	case g.known.Basis.Prefill == probe.PrefillBetween:
		return g.estimate(seg) + between
	case g.known.Dialect != "" && !g.snap.IgnoreReported && g.slowed():
		return g.estimate(seg) + "what " + g.server() + " reports, less what lies above the idle baseline of this prompt"
	}
	return g.estimate(seg) + "the baseline at " + g.uncached() + ", above its fixed part"
}

// queueReported is how a queue that is reported is known.
func (g ground) queueReported() string {
	switch g.known.Basis.Queue {
	case probe.QueueTold:
		return "it is what " + g.server() + " reports"
	case probe.QueueLeft:
		return "it is what the prefill that " + g.server() + " reports leaves beside handling"
	}
	return "it is what " + g.server() + " reports, or what the prefill that it reports leaves beside handling"
}

// prefillReported is how a prefill that is reported is known.
func (g ground) prefillReported() string {
	switch g.known.Basis.Prefill {
	case probe.PrefillWhole:
		return g.server() + " reports it, and the first decode lies beside that figure"
	case probe.PrefillLess:
		return g.server() + " reports it with the first decode: one decode step is taken out"
	case probe.PrefillPresumed:
		return g.server() + " reports it; one decode step is taken out, as the figure is taken to hold the first decode, of which nobody speaks, so prefill may be longer by that step"
	}
	return g.server() + " reports it, less one decode step where the report holds the first decode"
}

// slowed reports whether a busy batch is seen to have slowed the last prefill.
func (g ground) slowed() bool {
	l := g.target.Last
	return l != nil && l.Contention.OK && l.Contention.At > 0
}

func (g ground) uncached() string {
	if g.target.Last == nil {
		return "the uncached tokens"
	}
	if g.target.Last.UncachedGuess {
		return "all " + plural(int64(max(g.target.Last.PromptTokens, 0)), "token") + ", as the server tells of none that is cached"
	}
	return plural(int64(max(g.target.Last.PromptTokens-g.target.Last.CachedTokens, 0)), "uncached token")
}

func (g ground) decode(seg probe.Segment) string {
	if seg.Source != probe.Estimated {
		return g.server() + " reports it"
	}
	if seg.Duration <= 0 {
		return g.estimate(seg) + "no decode step is known, so all that it may be is in the interval"
	}
	switch g.known.Basis.Step {
	case probe.StepOwn:
		return g.estimate(seg) + "one decode step, the median gap between the tokens of this stream"
	case probe.StepEarlier:
		return g.estimate(seg) + "the usual decode step of earlier probes, as this stream shows none of its own, or one that others slowed or that came in a bunch"
	case probe.StepTold:
		return g.estimate(seg) + "one decode step, as " + g.server() + " reports it"
	}
	return g.estimate(seg) + "the median gap between the stream's tokens, or else the usual step of earlier probes or the server's own figure"
}

// truth is what the simulator's books have for a segment.
func (g ground) truth(name probe.SegmentName) string {
	var last probe.Waterfall
	if g.target.Last != nil {
		last = g.target.Last.Truth
	}
	var parts []string
	for _, side := range []struct {
		of string
		w  probe.Waterfall
	}{{"the last probe", last}, {"the p50", g.target.P50Truth}} {
		if seg, ok := segmentOf(side.w, name); ok {
			parts = append(parts, Duration(positive(seg.Duration), g.s.sym)+" for "+side.of)
		}
	}
	if len(parts) == 0 {
		return "nothing for it"
	}
	return strings.Join(parts, ", ")
}
