package prober

import (
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// A warm probe finds a connection ready, also while others are in flight; a
// cold one never does.
func TestConnections(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		a.Token("A")
		time.Sleep(150 * time.Millisecond)
		a.Token("B")
		a.End(r.Words())
	})
	k := fast()
	k.Rate = 25
	r := begin(t, onto(s, k))
	all := r.ordinary(25)
	fresh := 0
	for _, res := range all {
		if !res.Reused && res.Failure == nil {
			fresh++
		}
	}
	if fresh > 2 {
		t.Errorf("%d of %d warm probes made a connection", fresh, len(all))
	}
	r.turn(func(k *probe.Knobs) { k.Conn = probe.ColdConn })
	r.until("cold probes", func(events []probe.Event) bool {
		cold := 0
		for _, res := range results(events, probe.Ordinary) {
			if res.Knobs.Conn == probe.ColdConn && res.Failure == nil {
				cold++
				if res.Reused {
					t.Fatalf("a cold probe reused a connection")
				}
			}
		}
		return cold >= 10
	})
}
