// Package sim is a simulated inference server behind a simulated link: the
// endpoint that the program probes where it has no other, and the one whose
// truth is known.
//
// Start with Demo for two ready endpoints, or with a Config of your own, and
// Start. The server is real: HTTP on loopback, the OpenAI-compatible chat API,
// one flushed write per token. Server.Dial makes connections to it with the
// round trip, jitter and bandwidth of the link; a client that dials loopback
// itself sees the server without the link.
//
// How it is built, from the inside out:
//   - cost.go says what a forward pass costs (a roofline of model and hardware),
//   - engine.go and schedule.go run such passes, one after the other, for all
//     requests of one model: continuous batching with chunked prefill, first come
//     first served, a maximum batch and a prefix cache,
//   - chat.go and stream.go put HTTP around it, link.go and conn.go a network.
//
// The engine keeps its own exact timetable: a step begins where the last one
// ended, whatever the machine did in between, so that lateness never adds up.
// Truth gives the timetable of a request. Code that measures never sees it.
//
// What it does not do: static batching, speculative decoding, a KV memory that
// fills up, communication between accelerators, caching of generated tokens,
// packet loss and TCP's slow start.
package sim
