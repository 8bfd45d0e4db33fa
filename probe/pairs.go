package probe

import "strings"

// Order says when the two probes of a pair start.
type Order string

// The orders.
const (
	Together   Order = "together"     // at the same due time
	BackToBack Order = "back-to-back" // one after the other, in random order
)

// Pairs says which two targets are probed in pairs. Both are then probed at the
// rate, with the prompt length, output tokens, cache mode and kind of connection
// of A, each with prompts of its own.
type Pairs struct {
	On    bool
	A, B  int // indexes of targets
	Order Order
}

// OrderFor is the order that disturbs least: together, so that both probes meet
// the same moment, but back to back where both would burden one host.
func OrderFor(a, b *Endpoint) Order {
	if a.Simulated && b.Simulated && a.Base.Host != b.Base.Host {
		return Together // each simulated endpoint has hardware of its own
	}
	if strings.EqualFold(a.Base.Hostname(), b.Base.Hostname()) {
		return BackToBack
	}
	return Together
}
