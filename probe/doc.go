// Package probe holds the vocabulary that the whole program shares: what an
// endpoint, a target, a knob, a probe's result and an event are.
//
// Start with Target and Settings (what is asked for), then Result (what one
// probe found) and Event (how it is told). The packages below this one do the
// work, one idea each; they import this package and it imports none of them.
// Nothing here, or below, knows of screens.
package probe
