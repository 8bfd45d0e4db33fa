package prober

import (
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
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 30 * time.Second, Count: 4, LadderFirst: true,
		Dial: func(probe.Target) transport.DialFunc { return server.Dial },
	})
	least := time.Minute // a busy machine may make some wait
	for _, result := range r.ordinary(4) {
		if result.Failure != nil {
			t.Fatal(result.Failure)
		}
		send := result.Waterfall[3]
		if send.Name != probe.Send || send.Duration < 250*time.Millisecond || send.Duration > 5*time.Second {
			t.Errorf("100 kB at 250 kB/s were sent in %v (%s)", send.Duration, send.Name)
		}
		if result.Waterfall.Of(probe.ServerPart) > 0 {
			t.Errorf("not cut: %v", result.Waterfall)
		}
		least = min(least, result.Waterfall.Of(probe.QueuePart))
	}
	if least > 100*time.Millisecond {
		t.Errorf("a queue of %v at least, where nothing waited but the upload", least)
	}
}
