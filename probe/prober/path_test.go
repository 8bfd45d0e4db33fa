package prober

import (
	"testing"
	"time"

	"ttftop/probe"
)

func TestToProxyOnly(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name         string
		proxy        string
		rtt, trivial time.Duration
		want         bool
	}{
		{"a server on this machine", "", 30 * time.Microsecond, 2 * ms, false},
		{"one that is slow to list its models", "", 30 * time.Microsecond, 40 * ms, false},
		{"a terminator on this machine, the endpoint far away", "", 30 * time.Microsecond, 150 * ms, true},
		{"a far endpoint", "", 140 * ms, 146 * ms, false},
		{"an edge nearby, the origin far away", "", 8 * ms, 160 * ms, true},
		{"a proxy, the endpoint behind it far away", "proxy:3128", 2 * ms, 40 * ms, true},
		{"a proxy beside the endpoint", "proxy:3128", 40 * ms, 43 * ms, false},
		{"a proxy, and nothing known", "proxy:3128", 2 * ms, 0, true},
		{"nothing known", "", 2 * ms, 0, false},
	} {
		r := &probe.Result{Proxy: c.proxy, RTT: probe.At(c.rtt)}
		if got := toProxyOnly(r, c.trivial); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if toProxyOnly(&probe.Result{Proxy: "p"}, 0) {
		t.Error("without a round trip there is nothing to doubt")
	}
}
