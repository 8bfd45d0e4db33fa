// Package sim is a simulated inference server behind a simulated link: the
// endpoint that the program probes where it has no other, and the one whose
// truth is known.
//
// Start with Demo for two ready endpoints, or with a Config of your own, and
// Start. The server is real: HTTP on loopback, the OpenAI-compatible chat API,
// one flushed write per token. Server.Dial makes connections to it with the
// round trip, jitter, bandwidth and loss of the link; a client that dials
// loopback itself sees the server without the link. Listen serves on an address
// for other programs, and delays its answers by the link, which is all that it
// can do for them. InMemory has no port at all, for tests in virtual time.
//
// What decides TTFT are levers, which can be turned while it runs: Server.Levers
// lists them as text, Server.Set turns one, Server.Apply sets them all.
//
// How it is built, from the inside out:
//   - cost.go says what a forward pass costs: a roofline of model.go, hardware.go
//     and precision.go, with the talk between accelerators; speculate.go adds
//     what drafts cost,
//   - kvpool.go is the memory for keys and values, with the prefix cache in it,
//   - schedule.go and static.go decide what each step does, engine.go runs the
//     steps one after the other in real time, fleet.go has several such engines,
//   - routes.go, api.go, chat.go and stream.go put HTTP around it, link.go and
//     conn.go a network,
//   - users.go adds others who use it.
//
// The engine keeps its own exact timetable: a step begins where the last one
// ended, whatever the machine did in between, so that lateness never adds up.
// Server.Lag says how late the machine is, and whether that shows. Truth gives
// the timetable of a request. Code that measures never sees it.
//
// What it does not do: pipeline parallelism, prefill and decode on separate
// machines, keys and values in other than 16 bits, caching of generated tokens,
// TCP's slow start, and what loss does to TCP's window.
package sim
