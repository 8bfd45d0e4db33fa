package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/themes"
)

// The kind of a failure comes first, and no address: a narrow cell tells why.
func TestBriefFailures(t *testing.T) {
	for _, c := range []struct {
		f    probe.Failure
		want string
	}{
		{probe.Failure{Kind: probe.FailConnect, Message: "127.0.0.1:18111: connection refused: nothing listens there"}, "refused: nothing listens there"},
		{probe.Failure{Kind: probe.FailConnect, Message: "[::1]:80: unreachable from this machine"}, "no connection: unreachable from this machine"},
		{probe.Failure{Kind: probe.FailConnect, Message: "proxy 10.0.0.1:3128: connection refused: nothing listens there"}, "proxy refused: nothing listens there"},
		{probe.Failure{Kind: probe.FailTimeout, Message: "no headers within 30 s"}, "timeout: no headers within 30 s"},
		{probe.Failure{Kind: probe.FailStatus, Status: 503, Message: "overloaded"}, "HTTP 503: overloaded"},
		{probe.Failure{Kind: probe.FailTLS, Message: "TLS: the answer is no TLS"}, "TLS: the answer is no TLS"},
		{probe.Failure{Kind: probe.FailSkipped, Message: "skipped: 64 probes are in flight"}, "skipped: 64 probes are in flight"},
	} {
		if got := briefFailure(&c.f); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// What probes are sorted by has a figure.
func TestSortedByQueue(t *testing.T) {
	const ms = time.Millisecond
	r := &probe.Result{Seq: 7, Kind: probe.Ordinary, Waterfall: probe.Waterfall{{Name: probe.RTT, Duration: 10 * ms}, {Name: probe.Queue, Duration: 42 * ms, Source: probe.Reported}}}
	failed := &probe.Result{Seq: 8, Kind: probe.Ordinary, Failure: &probe.Failure{Kind: probe.FailConnect, Message: "127.0.0.1:18111: connection refused: nothing listens there"}}
	snap := Snapshot{View: Probes, Targets: []Target{{Name: "near", Model: "m"}}, Probes: &ProbeList{Rows: []*probe.Result{r, failed}, Total: 2, Sort: ProbeQueue}}
	got := ansi.Strip(ProbesPanel(snap, 80, 4, themes.Mono()))
	for _, want := range []string{"queue " + themes.Mono().Symbols.Falling, "segments", "42.0 ms", "refused: "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}
