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
	c.Link = sim.Link{RTT: 10 * time.Millisecond, Bandwidth: 8e6} // a megabyte a second
	server, err := sim.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	k := probe.DefaultKnobs
	k.Model, k.PromptTokens, k.MaxTokens = "sim-1b", 80_000, 4 // some 400 kB
	r := begin(t, Config{
		Targets:  []probe.Target{{Name: "sim", Endpoint: testserver.Endpoint(server.URL(), ""), Models: []string{k.Model}}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 30 * time.Second, Count: 1, LadderFirst: true,
		Dial: func(probe.Target) transport.DialFunc { return server.Dial },
	})
	result := r.ordinary(1)[0]
	if result.Failure != nil {
		t.Fatal(result.Failure)
	}
	var send time.Duration
	for _, s := range result.Waterfall {
		if s.Name == probe.Send {
			send = s.Duration
		}
	}
	if send < 250*time.Millisecond || send > 5*time.Second {
		t.Errorf("400 kB at 1 MB/s were sent in %v", send)
	}
	if queue := result.Waterfall.Of(probe.QueuePart); queue > send/4 {
		t.Errorf("queue %v beside send %v", queue, send)
	}
}
