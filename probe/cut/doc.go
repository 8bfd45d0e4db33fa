// Package cut cuts the TTFT of a probe into the segments of its waterfall, the
// one place that does.
//
//	TTFT = network + handling + queue + prefill + first decode
//
// Start with Probe. Near makes the waterfall of a quantile from whole probes,
// Live that of a probe in flight, Step finds a stream's decode step and Server
// the server time S that the baseline is fitted to.
//
// The network is measured: the marks of the timeline cut it without gaps, so a
// stretch between two marks belongs to the step it led to (before the first
// mark there is waiting for a connection; a proxy's tunnel belongs to connect),
// and what is left before the last byte went out is send. One round trip
// follows. What remains is S.
//
// S is cut with what is known, the better source first: what the server
// reports, when its headers left, the baseline. What other requests cause is
// queue, also where they only slow prefill down: that part, prefill above what
// the baseline says of an idle server, is contention. Where handling and queue
// can't be told apart, or S holds time of another kind (a model being loaded,
// reasoning that was never streamed, a reply that something held back or took
// from a cache), S stays one server segment.
//
// Segments are never negative and add up to the TTFT to the nanosecond,
// whatever the input. What this package does not do: read reports (package
// reported), or fit (package baseline).
package cut
