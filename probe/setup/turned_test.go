package setup

import (
	"testing"
	"testing/synctest"
	"time"

	"ttftop/probe"
	"ttftop/probe/tally"
)

// A turn of the network falsifies no probe: not those on their way, whose network is
// the one that they had, nor those that follow, whose path ends where it did.
func TestATurnOfTheNetworkFalsifiesNothing(t *testing.T) {
	alone(t)
	rate := 8.0 // so that there is always one on its way
	for name, c := range map[string]struct {
		before, turn string
		conn         string
		proxy        bool // from the turn on the connection ends at an edge
	}{
		"nearer":        {before: "rtt=140ms", turn: "rtt=9ms", conn: "warm"},
		"nearer, cold":  {before: "rtt=140ms", turn: "rtt=9ms", conn: "cold"},
		"farther":       {before: "rtt=1ms", turn: "rtt=140ms", conn: "warm"},
		"farther, cold": {before: "rtt=1ms", turn: "rtt=140ms", conn: "cold"},
		"an edge":       {before: "rtt=140ms", turn: "edge=5ms", conn: "warm", proxy: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := begin(t, ProbeFlags{Rate: &rate, Conn: &c.conn})
				b.turn(c.before)
				b.figure(func(*tally.Target) time.Duration { return 0 })
				b.turn(c.turn)
				b.figure(func(*tally.Target) time.Duration { return 0 })
				var all []*probe.Result
				b.s.View(func(tl *tally.Tally, _ error) { all = tl.Recent() })
				turned := 0
				for _, r := range all {
					if r.Target != 0 || r.Kind != probe.Ordinary || r.Failure != nil {
						continue
					}
					turned += r.Epoch
					proxy := c.proxy && r.RTT.At < 20*time.Millisecond
					if r.Has(probe.FlagReportMismatch) || r.Has(probe.FlagProxyOnly) && !proxy {
						t.Errorf("a probe of epoch %d with a round trip of %v has the flags %v: %v", r.Epoch, r.RTT.At, r.Flags, r.Waterfall)
					}
					if rest := r.TTFT().At - r.Waterfall.Of(probe.NetworkPart); rest > 60*time.Millisecond && !proxy {
						t.Errorf("beside its network a probe of epoch %d took %v: %v", r.Epoch, rest, r.Waterfall)
					}
				}
				if turned == 0 {
					t.Fatal("no probe followed the turn")
				}
				if last := all[len(all)-1]; c.proxy && last.Target == 0 && !last.Has(probe.FlagProxyOnly) {
					t.Errorf("an edge is not told: %+v", last.Flags)
				}
			})
		})
	}
}
