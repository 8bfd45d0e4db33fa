package probe

import (
	"net"
	"strings"
)

// Order says when the two probes of a pair start.
type Order string

// The orders.
const (
	Together   Order = "together"     // at the same due time
	BackToBack Order = "back-to-back" // one after the other, in random order
)

// Pairs says which two targets are probed in pairs. Both are then probed at the
// rate, with the prompt length, output tokens, cache mode and kind of connection
// of A, each with prompts of its own. A target that is A and B is one endpoint
// twice.
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
	nameA, nameB := hostName(a.Base.Hostname()), hostName(b.Base.Hostname())
	if nameA == nameB || Loopback(nameA) && Loopback(nameB) {
		return BackToBack
	}
	return Together
}

// hostName is a name of a host as it is compared with another.
func hostName(name string) string { return strings.TrimSuffix(strings.ToLower(name), ".") }

// Loopback reports whether the name of a host, or its address, is this machine.
// Servers print 0.0.0.0 as their address when they listen on all, and connecting
// there reaches this machine too.
func Loopback(name string) bool {
	name = hostName(name)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

// Alike reports whether two settings compare the same in the same order, whether
// or not pairs are being sent.
func (p Pairs) Alike(other Pairs) bool {
	p.On, other.On = true, true
	return p == other
}

// Has reports whether a target is probed in pairs.
func (p Pairs) Has(target int) bool { return p.On && (target == p.A || target == p.B) }

// Of are the knobs that a target is probed with: those that a pair must share are
// A's.
func (s Settings) Of(target int) Knobs {
	k := s.Knobs[target]
	if p := s.Pairs; p.On && target == p.B && p.A < len(s.Knobs) {
		a := s.Knobs[p.A]
		k.PromptTokens, k.MaxTokens, k.Cache, k.CacheShare, k.Conn, k.Rate = a.PromptTokens, a.MaxTokens, a.Cache, a.CacheShare, a.Conn, a.Rate
	}
	return k
}

// RateOf is how many probes a second a target is sent: one that is compared with
// itself has both of each pair.
func (s Settings) RateOf(target int) float64 {
	rate := s.Of(target).Rate
	if p := s.Pairs; p.On && p.A == target && p.B == target {
		rate *= 2
	}
	return rate
}
