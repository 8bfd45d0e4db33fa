// Package baseline fits what a request costs on an unloaded server, as a
// function of its uncached prompt tokens n:
//
//	B(n) = a + max(0, b·n + c·n² − d),  a, b, c, d ≥ 0
//
// a is the fixed cost, b·n + c·n² the work of prefill and its attention, and d
// what of it hides under the cost of reading the weights, so that short
// prompts all cost the same. c and d stay 0 until four clearly different
// prompt lengths identify them.
//
// Start with Fitter: Add a Point for every probe, ask it for the Curve, and
// for whether the server Changed. The fit goes through the lower envelope of
// the points: per prompt length, the middle of the lowest cluster, which is
// what the length costs when nothing else is in the way, and not the chance
// minimum. Points that waited in a queue lie above it and don't move it, for
// as long as one in eight finds the server free. Every figure carries the
// 95 % interval of a single request's: from a bootstrap, whose seed comes from
// the points so that equal points give equal curves, from what the form leaves,
// and from how far single costs of an idle server lie apart.
//
// No engine follows the form to the last per cent, so the curve bends towards
// lengths that were seen idle often enough to be believed against it; between
// them the form carries. Old points count less, and half an hour of them is
// kept per length, evenly thinned, so that a spell of load doesn't raise the
// baseline; points under load of our own (Point.Loaded) can only lower it. A
// server that became lastingly faster or slower is noticed by its costs: a
// queue makes nothing cheaper, and its waits scatter more than a slower
// server's costs do. Then the fit starts anew.
//
// What it can't do: tell a server that is never idle from a slower one. Such
// a curve is the best the server has shown; Curve.Idle says so. Nor can it
// tell a fixed part of prefill from handling: both are a.
package baseline
