package prober

import (
	"slices"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/sim"
	"ttftop/probe/transport"
)

// A long prompt on a slow path: the time it takes to leave is no fault of the
// server's.
func TestASlowUploadIsSend(t *testing.T) {
	c := sim.Demo()[0]
	c.Link = sim.Link{RTT: 10 * time.Millisecond, Bandwidth: 2e6} // 250 kB a second
	server, err := sim.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	k := probe.DefaultKnobs
	k.Model, k.PromptTokens, k.MaxTokens = "sim-1b", 20_000, 4 // some 100 kB
	r := begin(t, Config{
		Targets:  []probe.Target{{Name: "sim", Endpoint: testserver.Endpoint(server.URL(), ""), Models: []string{k.Model}}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 30 * time.Second, LadderFirst: true,
		Dial: func(probe.Target) transport.DialFunc { return server.Dial },
	})
	r.until("probes whose tokens were read as they came", func(events []probe.Event) bool {
		return len(divisible(results(events, probe.Ordinary))) >= 2
	})
	all := results(r.events(), probe.Ordinary)
	for _, result := range all {
		if result.Failure != nil {
			t.Fatal(result.Failure)
		}
		send := result.Waterfall[3]
		if send.Name != probe.Send || send.Duration < 250*time.Millisecond || send.Duration > 5*time.Second {
			t.Errorf("100 kB at 250 kB/s were sent in %v (%s)", send.Duration, send.Name)
		}
	}
	for _, result := range divisible(all) {
		if result.Waterfall.Of(probe.ServerPart) > 0 {
			t.Errorf("not cut: %v, flags %v", result.Waterfall, result.Flags)
		}
	}
}

// divisible are the results that no lateness of a busy machine keeps whole: in
// the others this program read several tokens at once.
func divisible(all []probe.Result) []probe.Result {
	return slices.DeleteFunc(slices.Clone(all), func(r probe.Result) bool { return r.KeptOut() || r.Has(probe.FlagBuffered) })
}
