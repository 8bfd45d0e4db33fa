package diagnose

import (
	"slices"
	"time"

	"ttftop/probe"
)

// clue is what a rule looks at.
type clue struct {
	known Known
	w     probe.Waterfall
	part  probe.Part // the dominant one
}

// rule is a cure for a dominant part. The first that holds is taken.
type rule struct {
	name   string
	when   func(clue) bool
	detail string // what most of the part is, "" for nothing to add
	cure   string // the steps, the cheapest first
	note   string // what would not help, or is to be known
	brief  string // detail and cure where there is little room
}

var rules = slices.Concat(waterfallRules, wholeRules(), []rule{
	{"server", func(c clue) bool { return c.part == probe.ServerPart },
		"", "turn the prompt length to tell queue from prefill", "the endpoint reports no times, or they don't fit", "turn the prompt to tell queue from prefill"},
})

// waterfallRules are those for the parts of a waterfall that is cut.
var waterfallRules = []rule{
	{"own cold connections", func(c clue) bool {
		return c.mostly(probe.DNS, probe.Connect, probe.TLS) && c.known.Knobs.Conn == probe.ColdConn
	}, "new connections", "reuse connections", "the model has no part in it", "new connections: reuse them"},
	{"dns", func(c clue) bool { return c.mostly(probe.DNS) },
		"dns", "reuse connections, cache the name's address, then mend the resolver", "", "dns: reuse connections, cache, mend resolver"},
	{"tls", func(c clue) bool { return c.mostly(probe.TLS) },
		"tls", "reuse connections, allow TLS 1.3 and session resumption, then a closer region", "", "tls: keep connections, TLS 1.3, closer region"},
	{"connect", func(c clue) bool { return c.mostly(probe.Connect) },
		"connect", "reuse connections, then a closer region", "", "connect: reuse connections, closer region"},
	{"several steps of new connections", func(c clue) bool { return c.mostly(probe.DNS, probe.Connect, probe.TLS) },
		"new connections", "reuse connections, then a closer region", "", "new connections: reuse them, closer region"},
	{"upload", func(c clue) bool { return c.mostly(probe.Send) },
		"the upload", "send less: a shorter prompt or a smaller body, then a faster uplink", "", "upload: shorter prompt, then a faster uplink"},
	{"round trip to a proxy", func(c clue) bool { return c.part == probe.NetworkPart && c.known.ProxyOnly },
		"the way to the proxy", "go around the proxy, or use a closer one", "the way behind it is not in this figure", "to the proxy: go around it, or a closer one"},
	{"round trip", func(c clue) bool { return c.part == probe.NetworkPart },
		"the round trip", "a closer region", "a faster model won't help", "round trip: a closer region"},

	{"what reports leave", func(c clue) bool {
		return c.part == probe.HandlingPart && c.handling() == probe.Estimated && c.reports()
	},
		"", "that is time in no figure of the server: compare it with the server's own total, then its logs and the way to it", "", "in no figure of the server: see its logs"},
	{"fixed cost", func(c clue) bool { return c.part == probe.HandlingPart && c.handling() == probe.Estimated },
		"", "a fixed cost of every request, whatever the prompt: gateway, tokenizer, template, or a slow first step of the model", "", "fixed: gateway, tokenizer, slow first step"},
	{"handling behind a proxy", func(c clue) bool { return c.part == probe.HandlingPart && c.known.ProxyOnly },
		"", "look at the way behind the proxy: region, gateway, authentication", "the model is not at fault", "behind the proxy: region, gateway, auth"},
	{"handling", func(c clue) bool { return c.part == probe.HandlingPart },
		"", "look at gateway, authentication and tokenizing", "the model is not at fault", "look at gateway, authentication, tokenizing"},

	{"own batch pressure", func(c clue) bool { return c.part == probe.QueuePart && c.known.Knobs.Pressure > 0 },
		"", "lower the batch or add capacity, then a smaller or quantized model", "", "lower batch or add capacity, then smaller model"},
	{"queue of nobody", func(c clue) bool { return c.part == probe.QueuePart && c.known.Engine.Unshared(c.known.P50) },
		"", "nothing runs or waits by the server's own page: shorten its batching timer, or see what else holds requests back", "", "nobody else there: shorten its batching timer"},
	{"queue that others cause", func(c clue) bool { return c.part == probe.QueuePart },
		"", "spread the load, lower the batch or add capacity, then a smaller or quantized model", "a batching timer makes such a queue too", "spread load or add capacity, then smaller model"},

	{"prefill of what a cache left", func(c clue) bool {
		return c.part == probe.PrefillPart && c.known.cachedShare() >= mostlyWarm
	}, "", "shorten what is not cached, then a smaller or quantized model", "most of the prompt is cached already", "shorten what isn't cached, then smaller model"},
	{"prefill", func(c clue) bool { return c.part == probe.PrefillPart },
		"", "shorten or cache the prompt, then a smaller or quantized model", "", "shorten or cache prompt, then a smaller model"},

	{"first decode", func(c clue) bool { return c.part == probe.FirstDecodePart },
		"", "a quantized or smaller model, then faster memory", "a shorter prompt won't help", "a quantized model, then faster memory"},
}

// mostly reports whether the network dominates and so much of it is in these
// segments.
func (c clue) mostly(names ...probe.SegmentName) bool {
	if c.part != probe.NetworkPart {
		return false
	}
	var sum time.Duration
	for _, s := range c.w {
		for _, n := range names {
			if s.Name == n {
				sum += s.Duration
			}
		}
	}
	return 2*sum > c.w.Of(probe.NetworkPart)
}

// handling is how handling is known.
func (c clue) handling() probe.Source { return c.sourceOf(probe.Handling) }

// reports reports whether the server tells the queue or prefill: handling that
// is estimated beside them is what they leave.
func (c clue) reports() bool {
	return c.sourceOf(probe.Queue) == probe.Reported || c.sourceOf(probe.Prefill) == probe.Reported
}

// sourceOf is how a segment is known, "" where there is none.
func (c clue) sourceOf(name probe.SegmentName) probe.Source {
	for _, s := range c.w {
		if s.Name == name {
			return s.Source
		}
	}
	return ""
}
