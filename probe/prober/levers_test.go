package prober

import (
	"errors"
	"maps"
	"sync"
	"testing"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// turnings notes what levers were turned, and refuses one value.
type turnings struct {
	mu  sync.Mutex
	all []probe.Levers
}

func (n *turnings) turn(_ int, l probe.Levers) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if l["speed"] == "refused" {
		return errors.New("too fast")
	}
	n.all = append(n.all, l)
	return nil
}

// A turned lever begins an epoch; those alone are turned that differ, once; one
// that can't be stays as it was, which is told.
func TestLeversAreTurned(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	var n turnings
	c := onto(s, fast())
	c.Turn, c.Settings.Levers = n.turn, []probe.Levers{{"speed": "1", "size": "8b"}}
	r := begin(t, c)
	r.ordinary(2)
	to := func(speed string) {
		next := r.Prober.Settings()
		next.Levers[0] = probe.Levers{"speed": speed, "size": "8b"}
		r.Prober.Apply(t.Context(), next)
	}
	to("2")
	to("2")
	r.until("a probe of the epoch", func(events []probe.Event) bool {
		all := results(events, probe.Ordinary)
		return all[len(all)-1].Epoch == 1
	})
	to("refused")
	without := r.Prober.Settings() // as of somebody who knows nothing of levers
	without.Levers = nil
	without.Paused = true
	r.Prober.Apply(t.Context(), without)
	if l := r.Prober.Settings().Levers; len(l) != 1 || l[0]["speed"] != "2" {
		t.Errorf("the levers are %v", l)
	}
	r.stop()
	if len(n.all) != 1 || !maps.Equal(n.all[0], probe.Levers{"speed": "2"}) {
		t.Errorf("turned were %v", n.all)
	}
	changes := of[probe.Changed](r.events())
	if len(changes) != 2 || changes[0].Epoch != 1 || changes[0].Before.Levers[0]["speed"] != "1" || changes[0].Settings.Levers[0]["speed"] != "2" || changes[1].Epoch != 1 {
		t.Errorf("%+v", changes)
	}
	if said := of[probe.Notice](r.events()); len(said) != 1 || said[0].Text != "the levers stay as they were: too fast" {
		t.Errorf("%+v", said)
	}
	checkEvents(t, r.events())
}
